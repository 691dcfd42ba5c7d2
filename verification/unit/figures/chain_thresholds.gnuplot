set encoding utf8
set terminal svg enhanced size 1000,920 background rgb 'white' font 'DejaVu Sans,Helvetica,Arial,sans-serif,13' name 'livi'
set output
set border 3 linecolor rgb '#444444' linewidth 1
set grid linecolor rgb '#dddddd' linetype 1 linewidth 0.5
set tics nomirror out scale 0.6
set samples 2
set multiplot
unset logscale
set autoscale
set format '%g'
unset title
unset xlabel
unset ylabel
set lmargin at screen 8.999999999999999667e-02
set rmargin at screen 9.599999999999999645e-01
set tmargin at screen 9.630434782608695565e-01
set bmargin at screen 6.413043478260869179e-01
set title "First lost omega of the chain of ten links to T = 50, beta = 0.4" offset 0,-0.6
set xlabel "log_{10} h" offset 0,0.4
set ylabel "omega"
set logscale y
set format y '10^{%L}'
set ytics autofreq
set key at graph 0.5, graph -2.094594594594594572e-01 center top horizontal maxcols 2 samplen 3
plot '-' with lines linewidth 2.000000000000000000e+00 dashtype solid linecolor rgb '#CC79A7' title "Zhang-Skeel from x(0) = q(0)", '-' with lines linewidth 2.000000000000000000e+00 dashtype solid linecolor rgb '#D55E00' title "Zhang-Skeel from x(0) = eta(q(0))", '-' with lines linewidth 2.000000000000000000e+00 dashtype '--' linecolor rgb '#000000' title "Verlet", '-' with points pointtype 7 pointsize 3.000000000000000000e+00 linecolor rgb '#009E73' title "as printed in TO14"
-1.000000000000000000e+00 6.250000000000000000e+01
-1.301029995663981254e+00 5.500000000000002274e+02
-1.602059991327962285e+00 3.399999999999998181e+03
e
-1.000000000000000000e+00 7.500000000000000000e+01
-1.301029995663981254e+00 6.750000000000002274e+02
-1.602059991327962285e+00 4.199999999999998181e+03
e
-1.000000000000000000e+00 1.062500000000000000e+01
-1.301029995663981254e+00 2.125000000000000000e+01
-1.602059991327962285e+00 4.249999999999999289e+01
e
-1.301029995663981254e+00 2.000000000000000000e+01
-1.301029995663981254e+00 2.000009999999999977e+01
e
unset logscale
set autoscale
set format '%g'
unset title
unset xlabel
unset ylabel
set lmargin at screen 8.999999999999999667e-02
set rmargin at screen 9.599999999999999645e-01
set tmargin at screen 4.673913043478260532e-01
set bmargin at screen 1.630434782608695121e-01
set title "First lost h^2 omega against the number of links, h = 0.025" offset 0,-0.6
set xlabel "log_{10} n" offset 0,0.4
set ylabel "h^2 omega"
set yrange [0.000000000000000000e+00:5.000000000000000000e-01]
set ytics 5.000000000000000000e-01
set key at graph 0.5, graph -2.214285714285714191e-01 center top horizontal maxcols 1 samplen 3
plot '-' with lines linewidth 2.000000000000000000e+00 dashtype solid linecolor rgb '#CC79A7' title "from x(0) = q(0)", '-' with lines linewidth 2.000000000000000000e+00 dashtype solid linecolor rgb '#D55E00' title "from x(0) = eta(q(0))", '-' with lines linewidth 2.000000000000000000e+00 dashtype '--' linecolor rgb '#777777' title "from eta(q(0)) by the reduced map, without load", '-' with lines linewidth 2.000000000000000000e+00 dashtype '--' linecolor rgb '#000000' title "largest centrifugal force to the power -1/2, through n = 10"
1.000000000000000000e+00 2.125000000000000000e+00
1.301029995663981254e+00 2.500000000000000000e+00
1.602059991327962507e+00 3.250000000000000000e+00
e
1.000000000000000000e+00 2.625000000000000000e+00
1.301029995663981254e+00 3.000000000000000000e+00
1.602059991327962507e+00 3.937500000000000000e+00
e
6.989700043360188575e-01 6.250000000000000000e-01
1.000000000000000000e+00 1.375000000000000000e+00
1.301029995663981254e+00 2.125000000000000000e+00
1.602059991327962507e+00 2.500000000000000000e+00
1.903089986991943539e+00 3.250000000000000000e+00
2.204119982655925014e+00 4.000000000000000000e+00
e
1.000000000000000000e+00 2.125000000000000000e+00
1.301029995663981254e+00 1.718291022633109844e+00
1.602059991327962507e+00 1.548846597068282982e+00
1.903089986991943539e+00 1.368331946960667178e+00
2.204119982655925014e+00 1.239077277654626386e+00
e
unset multiplot
unset output
</svg>


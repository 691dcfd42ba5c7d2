set encoding utf8
set terminal svg enhanced size 1000,585 background rgb 'white' font 'DejaVu Sans,Helvetica,Arial,sans-serif,13' name 'livi'
set output
set label 1 "{/:Bold The strand opens in the mean at t = 90 by Verlet, at 101 by Z\\&S and at 95.0 by Z\\&Ss, both}" at screen 0.02, screen 9.692307692307692291e-01 left font ',15'
set label 2 "{/:Bold with h = 2 from x(0) = q(0); by Z\\&S with h = 1 from the x that stands for q(0) at 88}" at screen 0.02, screen 9.333333333333333481e-01 left font ',15'
set border 3 linecolor rgb '#444444' linewidth 1
set grid linecolor rgb '#dddddd' linetype 1 linewidth 0.5
set tics nomirror out scale 0.6
set samples 2
set multiplot
unset logscale
set autoscale
set format '%g'
set xtics autofreq
unset title
unset xlabel
unset ylabel
set lmargin at screen 9.600000000000000200e-02
set rmargin at screen 4.799999999999999822e-01
set tmargin at screen 8.649572649572649929e-01
set bmargin at screen 3.008547008547008961e-01
set title "Share of 200 seeds: mean angle beyond π" offset 0,-0.6
set xlabel "t [unit 1]" offset 0,0.4
set ylabel "share"
set xrange [7.000000000000000000e+01:1.500000000000000000e+02]
set yrange [0.000000000000000000e+00:1.020000000000000018e+00]
set ytics 1.000000000000000000e+00
set key at graph 0.5, graph -1.878787878787878673e-01 center top horizontal maxcols 1 samplen 3
plot '-' with lines linewidth 4.000000000000000000e+00 dashtype solid linecolor rgb '#777777' title "Verlet, h = 0.1", '-' with lines linewidth 2.000000000000000000e+00 dashtype '--' linecolor rgb '#000000' title "Verlet, h = 0.2", '-' with lines linewidth 2.000000000000000000e+00 dashtype solid linecolor rgb '#CC79A7' title "Z\\&S, h = 2", '-' with lines linewidth 2.000000000000000000e+00 dashtype solid linecolor rgb '#E69F00' title "Z\\&Ss, h = 2", '-' with lines linewidth 2.000000000000000000e+00 dashtype solid linecolor rgb '#0072B2' title "Z\\&S, h = 1, from the x of q(0)"
5.000000000000000000e-01 0.000000000000000000e+00
5.000000000000000000e-01 5.000000000000000000e-01
3.125000000000000000e+00 5.000000000000000000e-01
3.125000000000000000e+00 1.000000000000000000e+00
e
1.062500000000000000e+00 0.000000000000000000e+00
1.062500000000000000e+00 1.000000000000000000e+00
e
1.625000000000000000e+00 0.000000000000000000e+00
1.625000000000000000e+00 1.000000000000000000e+00
e
2.000000000000000000e+00 0.000000000000000000e+00
2.000000000000000000e+00 1.000000000000000000e+00
e
2.562500000000000000e+00 0.000000000000000000e+00
2.562500000000000000e+00 1.000000000000000000e+00
e
unset label
unset logscale
set autoscale
set format '%g'
set xtics autofreq
unset title
unset xlabel
unset ylabel
set lmargin at screen 5.959999999999999742e-01
set rmargin at screen 9.799999999999999822e-01
set tmargin at screen 8.649572649572649929e-01
set bmargin at screen 3.008547008547008961e-01
set title "The same: beyond the plateau (3 π/2)" offset 0,-0.6
set xlabel "t [unit 2]" offset 0,0.4
set ylabel "share"
set xrange [1.200000000000000000e+02:2.600000000000000000e+02]
set yrange [0.000000000000000000e+00:1.020000000000000018e+00]
set ytics 1.000000000000000000e+00
set key at graph 0.5, graph -1.878787878787878673e-01 center top horizontal maxcols 1 samplen 3
plot '-' with lines linewidth 4.000000000000000000e+00 dashtype solid linecolor rgb '#777777' title "Verlet, h = 0.1", '-' with lines linewidth 2.000000000000000000e+00 dashtype '--' linecolor rgb '#000000' title "Verlet, h = 0.2", '-' with lines linewidth 2.000000000000000000e+00 dashtype solid linecolor rgb '#CC79A7' title "Z\\&S, h = 2", '-' with lines linewidth 2.000000000000000000e+00 dashtype solid linecolor rgb '#E69F00' title "Z\\&Ss, h = 2", '-' with lines linewidth 2.000000000000000000e+00 dashtype solid linecolor rgb '#0072B2' title "Z\\&S, h = 1, from the x of q(0)"
6.250000000000000000e-01 0.000000000000000000e+00
6.250000000000000000e-01 5.000000000000000000e-01
4.000000000000000000e+00 5.000000000000000000e-01
4.000000000000000000e+00 1.000000000000000000e+00
e
1.375000000000000000e+00 0.000000000000000000e+00
1.375000000000000000e+00 1.000000000000000000e+00
e
2.125000000000000000e+00 0.000000000000000000e+00
2.125000000000000000e+00 1.000000000000000000e+00
e
2.500000000000000000e+00 0.000000000000000000e+00
2.500000000000000000e+00 1.000000000000000000e+00
e
3.250000000000000000e+00 0.000000000000000000e+00
3.250000000000000000e+00 1.000000000000000000e+00
e
unset label
unset multiplot
unset output
</svg>


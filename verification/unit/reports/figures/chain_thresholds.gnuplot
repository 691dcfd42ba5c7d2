set encoding utf8
set terminal svg enhanced size 1000,931 background rgb 'white' font 'DejaVu Sans,Helvetica,Arial,sans-serif,13' name 'livi'
set output
set label 1 "{/:Bold On ten links Z\\&S is first lost at h^2 ω from 0.63 to 2.6, by step and start, Verlet at h ω = 1.1}" at screen 0.02, screen 9.806659505907626695e-01 left font ',15'
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
set rmargin at screen 9.799999999999999822e-01
set tmargin at screen 9.377013963480128611e-01
set bmargin at screen 6.197636949516649452e-01
set title "First lost ω of the chain of ten links to T = 50, β = 0.4" offset 0,-0.6
set xlabel "h" offset 0,0.4
set ylabel "ω"
set logscale x
set xtics (0.05, 0.1)
set xrange [2.398160298313161201e-02:1.042465760841121414e-01]
set logscale y
set format y '10^{%L}'
set ytics autofreq
set key at graph 0.5, graph -2.094594594594594572e-01 center top horizontal maxcols 2 samplen 3
plot '-' with lines linewidth 2.000000000000000000e+00 dashtype solid linecolor rgb '#CC79A7' title "Zhang-Skeel from x(0) = q(0)", '-' with lines linewidth 2.000000000000000000e+00 dashtype solid linecolor rgb '#D55E00' title "Zhang-Skeel from x(0) = η(q(0))", '-' with lines linewidth 2.000000000000000000e+00 dashtype '--' linecolor rgb '#000000' title "Verlet", '-' with points pointtype 7 pointsize 1.199999999999999956e+00 linecolor rgb '#009E73' title "as printed in TO14"
1.000000000000000056e-01 6.249999999999998579e+01
5.000000000000000278e-02 5.499999999999998863e+02
2.500000000000000139e-02 3.399999999999999545e+03
e
1.000000000000000056e-01 7.499999999999998579e+01
5.000000000000000278e-02 6.749999999999998863e+02
2.500000000000000139e-02 4.199999999999999091e+03
e
1.000000000000000056e-01 1.062500000000000000e+01
5.000000000000000278e-02 2.125000000000000000e+01
2.500000000000000139e-02 4.250000000000000000e+01
e
5.000000000000000278e-02 2.000000000000000000e+01
5.000000000000000278e-02 2.000009999999999977e+01
e
unset label
unset logscale
set autoscale
set format '%g'
set xtics autofreq
unset title
unset xlabel
unset ylabel
set lmargin at screen 9.600000000000000200e-02
set rmargin at screen 9.799999999999999822e-01
set tmargin at screen 4.685821697099892269e-01
set bmargin at screen 1.678302900107411233e-01
set title "First lost h^2 ω against the number of links, h = 0.025" offset 0,-0.6
set xlabel "n" offset 0,0.4
set ylabel "h^2 ω"
set logscale x
set format x '%g'
set xtics autofreq
set xrange [4.506252313054151415e+00:1.775311155308552031e+02]
set yrange [0.000000000000000000e+00:5.000000000000000000e-01]
set ytics 5.000000000000000000e-01
set key at graph 0.5, graph -2.214285714285714191e-01 center top horizontal maxcols 1 samplen 3
plot '-' with lines linewidth 2.000000000000000000e+00 dashtype solid linecolor rgb '#CC79A7' title "from x(0) = q(0)", '-' with lines linewidth 2.000000000000000000e+00 dashtype solid linecolor rgb '#D55E00' title "from x(0) = η(q(0))", '-' with lines linewidth 2.000000000000000000e+00 dashtype '--' linecolor rgb '#777777' title "from η(q(0)) by the reduced map, without load", '-' with lines linewidth 2.000000000000000000e+00 dashtype '--' linecolor rgb '#000000' title "largest centrifugal force to the power -1/2, through n = 10"
1.000000000000000000e+01 2.125000000000000000e+00
2.000000000000000000e+01 2.500000000000000000e+00
4.000000000000000000e+01 3.250000000000000000e+00
e
1.000000000000000000e+01 2.625000000000000000e+00
2.000000000000000000e+01 3.000000000000000000e+00
4.000000000000000000e+01 3.937500000000000000e+00
e
5.000000000000000000e+00 6.250000000000000000e-01
1.000000000000000000e+01 1.375000000000000000e+00
2.000000000000000000e+01 2.125000000000000000e+00
4.000000000000000000e+01 2.500000000000000000e+00
8.000000000000000000e+01 3.250000000000000000e+00
1.600000000000000000e+02 4.000000000000000000e+00
e
1.000000000000000000e+01 2.125000000000000000e+00
2.000000000000000000e+01 1.718291022633109844e+00
4.000000000000000000e+01 1.548846597068282982e+00
8.000000000000000000e+01 1.368331946960667178e+00
1.600000000000000000e+02 1.239077277654626386e+00
e
unset label
unset multiplot
unset output
</svg>


set encoding utf8
set terminal svg enhanced size 1000,500 background rgb 'white' font 'DejaVu Sans,Helvetica,Arial,sans-serif,13' name 'livi'
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
set tmargin at screen 9.319999999999999396e-01
set bmargin at screen 3.199999999999999512e-01
set title "Steps on the penalised double pendulum" offset 0,-0.6
set xlabel "log_{10} omega" offset 0,0.4
set ylabel "h [unit 2]"
set logscale y
set format y '10^{%L}'
set ytics autofreq
set yrange [1.000000000000000048e-04:2.000000000000000111e-01]
set key at graph 0.5, graph -0.17 center top horizontal maxcols 3 samplen 3
plot '-' with lines linewidth 2.000000000000000000e+00 dashtype solid linecolor rgb '#CC79A7' title "Zhang-Skeel, error 0.02 to t = 10", '-' with lines linewidth 2.000000000000000000e+00 dashtype solid linecolor rgb '#000000' title "Verlet, largest stable", '-' with lines linewidth 2.000000000000000000e+00 dashtype '--' linecolor rgb '#E69F00' title "Cash-Karp 5(4), tolerance 10^{-5}, mean"
-4.259687322722811587e-01 5.000000000000000000e-01
-1.249387366082999329e-01 1.062500000000000000e+00
5.115252244738129062e-02 1.625000000000000000e+00
1.760912590556812374e-01 2.000000000000000000e+00
2.730012720637376433e-01 2.562500000000000000e+00
3.521825181113624748e-01 3.125000000000000000e+00
e
-4.259687322722811587e-01 6.250000000000000000e-01
-1.249387366082999329e-01 1.375000000000000000e+00
5.115252244738129062e-02 2.125000000000000000e+00
1.760912590556812374e-01 2.500000000000000000e+00
2.730012720637376433e-01 3.250000000000000000e+00
3.521825181113624748e-01 4.000000000000000000e+00
e
-4.259687322722811587e-01 7.500000000000000000e-01
-1.249387366082999329e-01 1.687500000000000000e+00
5.115252244738129062e-02 2.625000000000000000e+00
1.760912590556812374e-01 3.000000000000000000e+00
2.730012720637376433e-01 3.937500000000000000e+00
3.521825181113624748e-01 4.875000000000000000e+00
e
unset multiplot
unset output
</svg>


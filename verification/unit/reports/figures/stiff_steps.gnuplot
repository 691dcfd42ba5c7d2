set encoding utf8
set terminal svg enhanced size 1000,502 background rgb 'white' font 'DejaVu Sans,Helvetica,Arial,sans-serif,13' name 'livi'
set output
set label 1 "{/:Bold The largest stable step of Verlet goes as ω^{-1.0}, the mean step of an}" at screen 0.02, screen 9.641434262948207490e-01 left font ',15'
set label 2 "{/:Bold adaptive method as ω^{-1.1}, the step of Z\\&S for a given error as ω^{-0.33}}" at screen 0.02, screen 9.223107569721115118e-01 left font ',15'
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
set tmargin at screen 8.426294820717131762e-01
set bmargin at screen 2.330677290836653537e-01
set title "Steps on the penalised double pendulum" offset 0,-0.6
set xlabel "ω" offset 0,0.4
set ylabel "h [unit 2]"
set logscale x
set xtics (0.5, 1, 2)
set xrange [3.553748834094438980e-01:2.374253329062303131e+00]
set logscale y
set format y '10^{%L}'
set ytics autofreq
set yrange [1.000000000000000048e-04:2.000000000000000111e-01]
set key at graph 0.5, graph -2.026143790849673221e-01 center top horizontal maxcols 2 samplen 3
plot '-' with lines linewidth 2.000000000000000000e+00 dashtype solid linecolor rgb '#CC79A7' title "Zhang-Skeel, error 0.02 to t = 10", '-' with lines linewidth 2.000000000000000000e+00 dashtype solid linecolor rgb '#000000' title "Verlet, largest stable", '-' with lines linewidth 2.000000000000000000e+00 dashtype '--' linecolor rgb '#E69F00' title "Cash-Karp 5(4), tolerance 10^{-5}, mean"
3.750000000000000000e-01 5.000000000000000000e-01
7.500000000000000000e-01 1.062500000000000000e+00
1.125000000000000000e+00 1.625000000000000000e+00
1.500000000000000000e+00 2.000000000000000000e+00
1.875000000000000000e+00 2.562500000000000000e+00
2.250000000000000000e+00 3.125000000000000000e+00
e
3.750000000000000000e-01 6.250000000000000000e-01
7.500000000000000000e-01 1.375000000000000000e+00
1.125000000000000000e+00 2.125000000000000000e+00
1.500000000000000000e+00 2.500000000000000000e+00
1.875000000000000000e+00 3.250000000000000000e+00
2.250000000000000000e+00 4.000000000000000000e+00
e
3.750000000000000000e-01 7.500000000000000000e-01
7.500000000000000000e-01 1.687500000000000000e+00
1.125000000000000000e+00 2.625000000000000000e+00
1.500000000000000000e+00 3.000000000000000000e+00
1.875000000000000000e+00 3.937500000000000000e+00
2.250000000000000000e+00 4.875000000000000000e+00
e
unset label
unset multiplot
unset output
</svg>


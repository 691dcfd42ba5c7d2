set encoding utf8
set terminal svg enhanced size 1000,1741 background rgb 'white' font 'DejaVu Sans,Helvetica,Arial,sans-serif,13' name 'livi'
set output
set label 1 "{/:Bold For an error of 1e-3 after 100 periods with e = 0.8 from the pericentre, Verlet's}" at screen 0.02, screen 9.896611143021252222e-01 left font ',15'
set label 2 "{/:Bold constant steps take 30 times the forces of the Hamiltonian adaptive method}" at screen 0.02, screen 9.775990809879380183e-01 left font ',15'
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
set rmargin at screen 3.133333333333332971e-01
set tmargin at screen 9.546237794371050800e-01
set bmargin at screen 8.454910970706490669e-01
set title "e = 0.6: position" offset 0,-0.6
set xlabel "forces a period" offset 0,0.4
set ylabel "error"
set logscale x
set format x '%g'
set xtics autofreq
set xrange [4.000000000000000000e+01:6.000000000000000000e+04]
set logscale y
set format y '10^{%L}'
set ytics autofreq
set yrange [9.999999999999999988e-15:1.000000000000000000e+01]
unset key
plot '-' with lines linewidth 1.500000000000000000e+00 dashtype solid linecolor rgb '#777777' title "constant", '-' with lines linewidth 1.500000000000000000e+00 dashtype '--' linecolor rgb '#000000' title "h sigma(q_k)", '-' with lines linewidth 1.500000000000000000e+00 dashtype solid linecolor rgb '#009E73' title "reversible", '-' with lines linewidth 1.500000000000000000e+00 dashtype solid linecolor rgb '#D55E00' title "Hamiltonian", '-' with lines linewidth 1.500000000000000000e+00 dashtype '--' linecolor rgb '#D55E00' title "Hamiltonian, order 4", '-' with lines linewidth 1.500000000000000000e+00 dashtype '--' linecolor rgb '#0072B2' title "log. H, order 4", '-' with lines linewidth 1.500000000000000000e+00 dashtype solid linecolor rgb '#E69F00' title "Dormand-Prince", '-' with lines linewidth 1.500000000000000000e+00 dashtype solid linecolor rgb '#CC79A7' title "Fehlberg 7(8)"
e
e
e
e
e
e
e
e
unset label
unset logscale
set autoscale
set format '%g'
set xtics autofreq
unset title
unset xlabel
unset ylabel
set lmargin at screen 4.293333333333332891e-01
set rmargin at screen 6.466666666666666119e-01
set tmargin at screen 9.546237794371050800e-01
set bmargin at screen 8.454910970706490669e-01
set title "e = 0.6: phase" offset 0,-0.6
set xlabel "forces a period" offset 0,0.4
set logscale x
set format x '%g'
set xtics autofreq
set xrange [4.000000000000000000e+01:6.000000000000000000e+04]
set logscale y
set format y '10^{%L}'
set ytics autofreq
set yrange [9.999999999999999988e-15:1.000000000000000000e+01]
set format y ''
unset key
plot '-' with lines linewidth 1.500000000000000000e+00 dashtype solid linecolor rgb '#777777' title "constant", '-' with lines linewidth 1.500000000000000000e+00 dashtype '--' linecolor rgb '#000000' title "h sigma(q_k)", '-' with lines linewidth 1.500000000000000000e+00 dashtype solid linecolor rgb '#009E73' title "reversible", '-' with lines linewidth 1.500000000000000000e+00 dashtype solid linecolor rgb '#D55E00' title "Hamiltonian", '-' with lines linewidth 1.500000000000000000e+00 dashtype '--' linecolor rgb '#D55E00' title "Hamiltonian, order 4", '-' with lines linewidth 1.500000000000000000e+00 dashtype '--' linecolor rgb '#0072B2' title "log. H, order 4", '-' with lines linewidth 1.500000000000000000e+00 dashtype solid linecolor rgb '#E69F00' title "Dormand-Prince", '-' with lines linewidth 1.500000000000000000e+00 dashtype solid linecolor rgb '#CC79A7' title "Fehlberg 7(8)"
e
e
e
e
e
e
e
e
unset label
unset logscale
set autoscale
set format '%g'
set xtics autofreq
unset title
unset xlabel
unset ylabel
set lmargin at screen 7.626666666666666039e-01
set rmargin at screen 9.799999999999999822e-01
set tmargin at screen 9.546237794371050800e-01
set bmargin at screen 8.454910970706490669e-01
set title "e = 0.6: energy" offset 0,-0.6
set xlabel "forces a period" offset 0,0.4
set logscale x
set format x '%g'
set xtics autofreq
set xrange [4.000000000000000000e+01:6.000000000000000000e+04]
set logscale y
set format y '10^{%L}'
set ytics autofreq
set yrange [9.999999999999999988e-15:1.000000000000000000e+01]
set format y ''
unset key
plot '-' with lines linewidth 1.500000000000000000e+00 dashtype solid linecolor rgb '#777777' title "constant", '-' with lines linewidth 1.500000000000000000e+00 dashtype '--' linecolor rgb '#000000' title "h sigma(q_k)", '-' with lines linewidth 1.500000000000000000e+00 dashtype solid linecolor rgb '#009E73' title "reversible", '-' with lines linewidth 1.500000000000000000e+00 dashtype solid linecolor rgb '#D55E00' title "Hamiltonian", '-' with lines linewidth 1.500000000000000000e+00 dashtype '--' linecolor rgb '#D55E00' title "Hamiltonian, order 4", '-' with lines linewidth 1.500000000000000000e+00 dashtype '--' linecolor rgb '#0072B2' title "log. H, order 4", '-' with lines linewidth 1.500000000000000000e+00 dashtype solid linecolor rgb '#E69F00' title "Dormand-Prince", '-' with lines linewidth 1.500000000000000000e+00 dashtype solid linecolor rgb '#CC79A7' title "Fehlberg 7(8)"
e
e
e
e
e
e
e
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
set rmargin at screen 3.133333333333332971e-01
set tmargin at screen 7.926479035037334864e-01
set bmargin at screen 6.835152211372774733e-01
set title "e = 0.8: position" offset 0,-0.6
set xlabel "forces a period" offset 0,0.4
set ylabel "error"
set logscale x
set format x '%g'
set xtics autofreq
set xrange [4.000000000000000000e+01:6.000000000000000000e+04]
set logscale y
set format y '10^{%L}'
set ytics autofreq
set yrange [9.999999999999999988e-15:1.000000000000000000e+01]
unset key
plot '-' with lines linewidth 1.500000000000000000e+00 dashtype solid linecolor rgb '#777777' title "constant", '-' with lines linewidth 1.500000000000000000e+00 dashtype '--' linecolor rgb '#000000' title "h sigma(q_k)", '-' with lines linewidth 1.500000000000000000e+00 dashtype solid linecolor rgb '#009E73' title "reversible", '-' with lines linewidth 1.500000000000000000e+00 dashtype solid linecolor rgb '#D55E00' title "Hamiltonian", '-' with lines linewidth 1.500000000000000000e+00 dashtype '--' linecolor rgb '#D55E00' title "Hamiltonian, order 4", '-' with lines linewidth 1.500000000000000000e+00 dashtype '--' linecolor rgb '#0072B2' title "log. H, order 4", '-' with lines linewidth 1.500000000000000000e+00 dashtype solid linecolor rgb '#E69F00' title "Dormand-Prince", '-' with lines linewidth 1.500000000000000000e+00 dashtype solid linecolor rgb '#CC79A7' title "Fehlberg 7(8)"
e
e
e
e
e
e
e
e
unset label
unset logscale
set autoscale
set format '%g'
set xtics autofreq
unset title
unset xlabel
unset ylabel
set lmargin at screen 4.293333333333332891e-01
set rmargin at screen 6.466666666666666119e-01
set tmargin at screen 7.926479035037334864e-01
set bmargin at screen 6.835152211372774733e-01
set title "e = 0.8: phase" offset 0,-0.6
set xlabel "forces a period" offset 0,0.4
set logscale x
set format x '%g'
set xtics autofreq
set xrange [4.000000000000000000e+01:6.000000000000000000e+04]
set logscale y
set format y '10^{%L}'
set ytics autofreq
set yrange [9.999999999999999988e-15:1.000000000000000000e+01]
set format y ''
unset key
plot '-' with lines linewidth 1.500000000000000000e+00 dashtype solid linecolor rgb '#777777' title "constant", '-' with lines linewidth 1.500000000000000000e+00 dashtype '--' linecolor rgb '#000000' title "h sigma(q_k)", '-' with lines linewidth 1.500000000000000000e+00 dashtype solid linecolor rgb '#009E73' title "reversible", '-' with lines linewidth 1.500000000000000000e+00 dashtype solid linecolor rgb '#D55E00' title "Hamiltonian", '-' with lines linewidth 1.500000000000000000e+00 dashtype '--' linecolor rgb '#D55E00' title "Hamiltonian, order 4", '-' with lines linewidth 1.500000000000000000e+00 dashtype '--' linecolor rgb '#0072B2' title "log. H, order 4", '-' with lines linewidth 1.500000000000000000e+00 dashtype solid linecolor rgb '#E69F00' title "Dormand-Prince", '-' with lines linewidth 1.500000000000000000e+00 dashtype solid linecolor rgb '#CC79A7' title "Fehlberg 7(8)"
e
e
e
e
e
e
e
e
unset label
unset logscale
set autoscale
set format '%g'
set xtics autofreq
unset title
unset xlabel
unset ylabel
set lmargin at screen 7.626666666666666039e-01
set rmargin at screen 9.799999999999999822e-01
set tmargin at screen 7.926479035037334864e-01
set bmargin at screen 6.835152211372774733e-01
set title "e = 0.8: energy" offset 0,-0.6
set xlabel "forces a period" offset 0,0.4
set logscale x
set format x '%g'
set xtics autofreq
set xrange [4.000000000000000000e+01:6.000000000000000000e+04]
set logscale y
set format y '10^{%L}'
set ytics autofreq
set yrange [9.999999999999999988e-15:1.000000000000000000e+01]
set format y ''
unset key
plot '-' with lines linewidth 1.500000000000000000e+00 dashtype solid linecolor rgb '#777777' title "constant", '-' with lines linewidth 1.500000000000000000e+00 dashtype '--' linecolor rgb '#000000' title "h sigma(q_k)", '-' with lines linewidth 1.500000000000000000e+00 dashtype solid linecolor rgb '#009E73' title "reversible", '-' with lines linewidth 1.500000000000000000e+00 dashtype solid linecolor rgb '#D55E00' title "Hamiltonian", '-' with lines linewidth 1.500000000000000000e+00 dashtype '--' linecolor rgb '#D55E00' title "Hamiltonian, order 4", '-' with lines linewidth 1.500000000000000000e+00 dashtype '--' linecolor rgb '#0072B2' title "log. H, order 4", '-' with lines linewidth 1.500000000000000000e+00 dashtype solid linecolor rgb '#E69F00' title "Dormand-Prince", '-' with lines linewidth 1.500000000000000000e+00 dashtype solid linecolor rgb '#CC79A7' title "Fehlberg 7(8)"
e
e
e
e
e
e
e
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
set rmargin at screen 3.133333333333332971e-01
set tmargin at screen 6.306720275703618928e-01
set bmargin at screen 5.215393452039058797e-01
set title "e = 0.99: position" offset 0,-0.6
set xlabel "forces a period" offset 0,0.4
set ylabel "error"
set logscale x
set format x '%g'
set xtics autofreq
set xrange [4.000000000000000000e+01:6.000000000000000000e+04]
set logscale y
set format y '10^{%L}'
set ytics autofreq
set yrange [9.999999999999999988e-15:1.000000000000000000e+01]
unset key
plot '-' with lines linewidth 1.500000000000000000e+00 dashtype solid linecolor rgb '#777777' title "constant", '-' with lines linewidth 1.500000000000000000e+00 dashtype '--' linecolor rgb '#000000' title "h sigma(q_k)", '-' with lines linewidth 1.500000000000000000e+00 dashtype solid linecolor rgb '#009E73' title "reversible", '-' with lines linewidth 1.500000000000000000e+00 dashtype solid linecolor rgb '#D55E00' title "Hamiltonian", '-' with lines linewidth 1.500000000000000000e+00 dashtype '--' linecolor rgb '#D55E00' title "Hamiltonian, order 4", '-' with lines linewidth 1.500000000000000000e+00 dashtype '--' linecolor rgb '#0072B2' title "log. H, order 4", '-' with lines linewidth 1.500000000000000000e+00 dashtype solid linecolor rgb '#E69F00' title "Dormand-Prince", '-' with lines linewidth 1.500000000000000000e+00 dashtype solid linecolor rgb '#CC79A7' title "Fehlberg 7(8)"
e
e
e
e
e
e
e
e
unset label
unset logscale
set autoscale
set format '%g'
set xtics autofreq
unset title
unset xlabel
unset ylabel
set lmargin at screen 4.293333333333332891e-01
set rmargin at screen 6.466666666666666119e-01
set tmargin at screen 6.306720275703618928e-01
set bmargin at screen 5.215393452039058797e-01
set title "e = 0.99: phase" offset 0,-0.6
set xlabel "forces a period" offset 0,0.4
set logscale x
set format x '%g'
set xtics autofreq
set xrange [4.000000000000000000e+01:6.000000000000000000e+04]
set logscale y
set format y '10^{%L}'
set ytics autofreq
set yrange [9.999999999999999988e-15:1.000000000000000000e+01]
set format y ''
unset key
plot '-' with lines linewidth 1.500000000000000000e+00 dashtype solid linecolor rgb '#777777' title "constant", '-' with lines linewidth 1.500000000000000000e+00 dashtype '--' linecolor rgb '#000000' title "h sigma(q_k)", '-' with lines linewidth 1.500000000000000000e+00 dashtype solid linecolor rgb '#009E73' title "reversible", '-' with lines linewidth 1.500000000000000000e+00 dashtype solid linecolor rgb '#D55E00' title "Hamiltonian", '-' with lines linewidth 1.500000000000000000e+00 dashtype '--' linecolor rgb '#D55E00' title "Hamiltonian, order 4", '-' with lines linewidth 1.500000000000000000e+00 dashtype '--' linecolor rgb '#0072B2' title "log. H, order 4", '-' with lines linewidth 1.500000000000000000e+00 dashtype solid linecolor rgb '#E69F00' title "Dormand-Prince", '-' with lines linewidth 1.500000000000000000e+00 dashtype solid linecolor rgb '#CC79A7' title "Fehlberg 7(8)"
e
e
e
e
e
e
e
e
unset label
unset logscale
set autoscale
set format '%g'
set xtics autofreq
unset title
unset xlabel
unset ylabel
set lmargin at screen 7.626666666666666039e-01
set rmargin at screen 9.799999999999999822e-01
set tmargin at screen 6.306720275703618928e-01
set bmargin at screen 5.215393452039058797e-01
set title "e = 0.99: energy" offset 0,-0.6
set xlabel "forces a period" offset 0,0.4
set logscale x
set format x '%g'
set xtics autofreq
set xrange [4.000000000000000000e+01:6.000000000000000000e+04]
set logscale y
set format y '10^{%L}'
set ytics autofreq
set yrange [9.999999999999999988e-15:1.000000000000000000e+01]
set format y ''
unset key
plot '-' with lines linewidth 1.500000000000000000e+00 dashtype solid linecolor rgb '#777777' title "constant", '-' with lines linewidth 1.500000000000000000e+00 dashtype '--' linecolor rgb '#000000' title "h sigma(q_k)", '-' with lines linewidth 1.500000000000000000e+00 dashtype solid linecolor rgb '#009E73' title "reversible", '-' with lines linewidth 1.500000000000000000e+00 dashtype solid linecolor rgb '#D55E00' title "Hamiltonian", '-' with lines linewidth 1.500000000000000000e+00 dashtype '--' linecolor rgb '#D55E00' title "Hamiltonian, order 4", '-' with lines linewidth 1.500000000000000000e+00 dashtype '--' linecolor rgb '#0072B2' title "log. H, order 4", '-' with lines linewidth 1.500000000000000000e+00 dashtype solid linecolor rgb '#E69F00' title "Dormand-Prince", '-' with lines linewidth 1.500000000000000000e+00 dashtype solid linecolor rgb '#CC79A7' title "Fehlberg 7(8)"
e
e
e
e
e
e
e
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
set rmargin at screen 3.133333333333332971e-01
set tmargin at screen 4.686961516369901881e-01
set bmargin at screen 3.595634692705341751e-01
set title "Pythagorean: position" offset 0,-0.6
set xlabel "forces" offset 0,0.4
set ylabel "error"
set logscale x
set format x '10^{%L}'
set xtics autofreq
set xrange [2.000000000000000000e+03:3.000000000000000000e+06]
set logscale y
set format y '10^{%L}'
set ytics autofreq
set yrange [9.999999999999999988e-15:1.000000000000000000e+01]
unset key
plot '-' with lines linewidth 1.500000000000000000e+00 dashtype '--' linecolor rgb '#000000' title "h sigma(q_k)", '-' with lines linewidth 1.500000000000000000e+00 dashtype solid linecolor rgb '#009E73' title "reversible", '-' with lines linewidth 1.500000000000000000e+00 dashtype solid linecolor rgb '#D55E00' title "Hamiltonian", '-' with lines linewidth 1.500000000000000000e+00 dashtype '--' linecolor rgb '#D55E00' title "Hamiltonian, order 4", '-' with lines linewidth 1.500000000000000000e+00 dashtype '--' linecolor rgb '#0072B2' title "log. H, order 4", '-' with lines linewidth 1.500000000000000000e+00 dashtype solid linecolor rgb '#E69F00' title "Dormand-Prince", '-' with lines linewidth 1.500000000000000000e+00 dashtype solid linecolor rgb '#CC79A7' title "Fehlberg 7(8)"
e
e
e
e
e
e
e
unset label
unset logscale
set autoscale
set format '%g'
set xtics autofreq
unset title
unset xlabel
unset ylabel
set lmargin at screen 4.293333333333332891e-01
set rmargin at screen 6.466666666666666119e-01
set tmargin at screen 4.686961516369901881e-01
set bmargin at screen 3.595634692705341751e-01
set title "Pythagorean: phase" offset 0,-0.6
set xlabel "forces" offset 0,0.4
set logscale x
set format x '10^{%L}'
set xtics autofreq
set xrange [2.000000000000000000e+03:3.000000000000000000e+06]
set logscale y
set format y '10^{%L}'
set ytics autofreq
set yrange [9.999999999999999988e-15:1.000000000000000000e+01]
set format y ''
unset key
plot '-' with lines linewidth 1.500000000000000000e+00 dashtype '--' linecolor rgb '#000000' title "h sigma(q_k)", '-' with lines linewidth 1.500000000000000000e+00 dashtype solid linecolor rgb '#009E73' title "reversible", '-' with lines linewidth 1.500000000000000000e+00 dashtype solid linecolor rgb '#D55E00' title "Hamiltonian", '-' with lines linewidth 1.500000000000000000e+00 dashtype '--' linecolor rgb '#D55E00' title "Hamiltonian, order 4", '-' with lines linewidth 1.500000000000000000e+00 dashtype '--' linecolor rgb '#0072B2' title "log. H, order 4", '-' with lines linewidth 1.500000000000000000e+00 dashtype solid linecolor rgb '#E69F00' title "Dormand-Prince", '-' with lines linewidth 1.500000000000000000e+00 dashtype solid linecolor rgb '#CC79A7' title "Fehlberg 7(8)"
e
e
e
e
e
e
e
unset label
unset logscale
set autoscale
set format '%g'
set xtics autofreq
unset title
unset xlabel
unset ylabel
set lmargin at screen 7.626666666666666039e-01
set rmargin at screen 9.799999999999999822e-01
set tmargin at screen 4.686961516369901881e-01
set bmargin at screen 3.595634692705341751e-01
set title "Pythagorean: energy" offset 0,-0.6
set xlabel "forces" offset 0,0.4
set logscale x
set format x '10^{%L}'
set xtics autofreq
set xrange [2.000000000000000000e+03:3.000000000000000000e+06]
set logscale y
set format y '10^{%L}'
set ytics autofreq
set yrange [9.999999999999999988e-15:1.000000000000000000e+01]
set format y ''
unset key
plot '-' with lines linewidth 1.500000000000000000e+00 dashtype '--' linecolor rgb '#000000' title "h sigma(q_k)", '-' with lines linewidth 1.500000000000000000e+00 dashtype solid linecolor rgb '#009E73' title "reversible", '-' with lines linewidth 1.500000000000000000e+00 dashtype solid linecolor rgb '#D55E00' title "Hamiltonian", '-' with lines linewidth 1.500000000000000000e+00 dashtype '--' linecolor rgb '#D55E00' title "Hamiltonian, order 4", '-' with lines linewidth 1.500000000000000000e+00 dashtype '--' linecolor rgb '#0072B2' title "log. H, order 4", '-' with lines linewidth 1.500000000000000000e+00 dashtype solid linecolor rgb '#E69F00' title "Dormand-Prince", '-' with lines linewidth 1.500000000000000000e+00 dashtype solid linecolor rgb '#CC79A7' title "Fehlberg 7(8)"
e
e
e
e
e
e
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
set rmargin at screen 4.799999999999999822e-01
set tmargin at screen 3.067202757036185945e-01
set bmargin at screen 1.344055140723722230e-01
set title "e = 0.8: what the energy says of the position" offset 0,-0.6
set xlabel "position error" offset 0,0.4
set ylabel "energy error"
set logscale x
set format x '10^{%L}'
set xtics autofreq
set xrange [1.000000000000000036e-10:1.000000000000000000e+00]
set logscale y
set format y '10^{%L}'
set ytics autofreq
set yrange [9.999999999999999988e-15:1.000000000000000000e+01]
set key at graph 0.5, graph -2.066666666666666652e-01 center top horizontal maxcols 1 samplen 3
plot '-' with lines linewidth 1.500000000000000000e+00 dashtype solid linecolor rgb '#777777' title "constant", '-' with lines linewidth 1.500000000000000000e+00 dashtype '--' linecolor rgb '#000000' title "h sigma(q_k)", '-' with lines linewidth 1.500000000000000000e+00 dashtype solid linecolor rgb '#009E73' title "reversible", '-' with lines linewidth 1.500000000000000000e+00 dashtype solid linecolor rgb '#D55E00' title "Hamiltonian", '-' with lines linewidth 1.500000000000000000e+00 dashtype '--' linecolor rgb '#D55E00' title "Hamiltonian, order 4", '-' with lines linewidth 1.500000000000000000e+00 dashtype '--' linecolor rgb '#0072B2' title "log. H, order 4", '-' with lines linewidth 1.500000000000000000e+00 dashtype solid linecolor rgb '#E69F00' title "Dormand-Prince", '-' with lines linewidth 1.500000000000000000e+00 dashtype solid linecolor rgb '#CC79A7' title "Fehlberg 7(8)"
5.000000000000000000e-01 7.500000000000000000e-01
e
5.000000000000000000e-01 7.500000000000000000e-01
e
5.000000000000000000e-01 7.500000000000000000e-01
e
5.000000000000000000e-01 7.500000000000000000e-01
e
5.000000000000000000e-01 7.500000000000000000e-01
e
5.000000000000000000e-01 7.500000000000000000e-01
e
5.000000000000000000e-01 7.500000000000000000e-01
e
5.000000000000000000e-01 7.500000000000000000e-01
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
set tmargin at screen 3.067202757036185945e-01
set bmargin at screen 1.344055140723722230e-01
set title "Kepler, e = 0.6: angle" offset 0,-0.6
set xlabel "t [periods]" offset 0,0.4
set ylabel "error of the angle [rad]"
set logscale x
set xtics (0.5, 1, 2)
set xrange [3.553748834094438980e-01:2.374253329062303131e+00]
set logscale y
set format y '10^{%L}'
set ytics autofreq
unset key
plot '-' with lines linewidth 1.500000000000000000e+00 dashtype solid linecolor rgb '#777777' title "constant", '-' with lines linewidth 1.500000000000000000e+00 dashtype '--' linecolor rgb '#000000' title "h sigma(q_k)", '-' with lines linewidth 1.500000000000000000e+00 dashtype solid linecolor rgb '#009E73' title "reversible", '-' with lines linewidth 1.500000000000000000e+00 dashtype solid linecolor rgb '#D55E00' title "Hamiltonian", '-' with lines linewidth 1.500000000000000000e+00 dashtype solid linecolor rgb '#E69F00' title "Dormand-Prince", '-' with lines linewidth 1.500000000000000000e+00 dashtype solid linecolor rgb '#CC79A7' title "Fehlberg 7(8)"
3.750000000000000000e-01 5.000000000000000000e-01
7.500000000000000000e-01 1.062500000000000000e+00
1.125000000000000000e+00 1.625000000000000000e+00
1.500000000000000000e+00 2.000000000000000000e+00
1.875000000000000000e+00 2.562500000000000000e+00
2.250000000000000000e+00 3.125000000000000000e+00
e
3.750000000000000000e-01 5.000000000000000000e-01
7.500000000000000000e-01 1.062500000000000000e+00
1.125000000000000000e+00 1.625000000000000000e+00
1.500000000000000000e+00 2.000000000000000000e+00
1.875000000000000000e+00 2.562500000000000000e+00
2.250000000000000000e+00 3.125000000000000000e+00
e
3.750000000000000000e-01 5.000000000000000000e-01
7.500000000000000000e-01 1.062500000000000000e+00
1.125000000000000000e+00 1.625000000000000000e+00
1.500000000000000000e+00 2.000000000000000000e+00
1.875000000000000000e+00 2.562500000000000000e+00
2.250000000000000000e+00 3.125000000000000000e+00
e
3.750000000000000000e-01 5.000000000000000000e-01
7.500000000000000000e-01 1.062500000000000000e+00
1.125000000000000000e+00 1.625000000000000000e+00
1.500000000000000000e+00 2.000000000000000000e+00
1.875000000000000000e+00 2.562500000000000000e+00
2.250000000000000000e+00 3.125000000000000000e+00
e
3.750000000000000000e-01 5.000000000000000000e-01
7.500000000000000000e-01 1.062500000000000000e+00
1.125000000000000000e+00 1.625000000000000000e+00
1.500000000000000000e+00 2.000000000000000000e+00
1.875000000000000000e+00 2.562500000000000000e+00
2.250000000000000000e+00 3.125000000000000000e+00
e
3.750000000000000000e-01 5.000000000000000000e-01
7.500000000000000000e-01 1.062500000000000000e+00
1.125000000000000000e+00 1.625000000000000000e+00
1.500000000000000000e+00 2.000000000000000000e+00
1.875000000000000000e+00 2.562500000000000000e+00
2.250000000000000000e+00 3.125000000000000000e+00
e
unset label
unset multiplot
unset output
</svg>


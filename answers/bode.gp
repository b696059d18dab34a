# Redraw: gnuplot with this file, in its folder
if (!exists('out')) out = "./bode.svg"
if (!exists('dat')) dat = "./bode.dat"
set terminal svg size 1040,440 font 'Helvetica,14' background rgb 'white'
set output out
set encoding utf8
set termoption enhanced
set border 3 linecolor rgb '#444444'
set tics nomirror out scale 0.6 textcolor rgb '#222222'
set grid linetype 1 linecolor rgb '#E4E4E4'
set format '%g'
set key off
set title font ',15' textcolor rgb '#111111'
set multiplot layout 1,2 title "control: Mass on a spring under an external force, LuGre" noenhanced font ',16' textcolor rgb '#111111'
unset title
set xlabel "frequency, Hz" noenhanced
set xrange [4.2440050388e-08:2387.32414652]
set format x '%g'
set logscale x
set xtics autofreq
set ylabel "loop gain, dB" noenhanced
set yrange [-98.6977685528:124.171410756]
set format y '%g'
unset logscale y
set ytics 50
unset label
unset arrow
unset object
set label "sliding at 0.01 m/s" noenhanced at graph 0.3813,0.3357 left front textcolor rgb '#0072B2'
set label "stick" noenhanced at graph 0.8885,0.2988 left front textcolor rgb '#D55E00'
unset rmargin
plot dat index 0 using ($1*1):($2*1) with lines linewidth 1.6 linecolor rgb '#0072B2' dashtype 1 notitle, \
     dat index 1 using ($1*1):($2*1) with lines linewidth 1.6 linecolor rgb '#D55E00' dashtype (12,4) notitle
unset title
set xlabel "frequency, Hz" noenhanced
set xrange [4.2440050388e-08:2387.32414652]
set format x '%g'
set logscale x
set xtics autofreq
set ylabel "phase, deg" noenhanced
set yrange [-215.061219639:96.2824500835]
set format y '%g'
unset logscale y
set ytics 50
unset label
unset arrow
unset object
set label "sliding at 0.01 m/s" noenhanced at graph 0.2354,0.3340 left front textcolor rgb '#0072B2'
set label "stick" noenhanced at graph 0.8949,0.4055 left front textcolor rgb '#D55E00'
unset rmargin
plot dat index 2 using ($1*1):($2*1) with lines linewidth 1.6 linecolor rgb '#0072B2' dashtype 1 notitle, \
     dat index 3 using ($1*1):($2*1) with lines linewidth 1.6 linecolor rgb '#D55E00' dashtype (12,4) notitle
unset multiplot
unset output

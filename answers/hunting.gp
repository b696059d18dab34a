# Redraw: gnuplot with this file, in its folder
if (!exists('out')) out = "./hunting.svg"
if (!exists('dat')) dat = "./hunting.dat"
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
set xlabel "ki" noenhanced
set xrange [-1.25:12.25]
set format x '%g'
unset logscale x
set xtics 2
set ylabel "F_{s}/F_{c}" enhanced
set yrange [1:2.2]
set format y '%g'
unset logscale y
set ytics 0.2
unset label
unset arrow
unset object
set rmargin 15
set object rectangle from graph 1.04,0.0000 to graph 1.09,0.1000 noclip fillcolor rgb '#00224E' fillstyle solid border linecolor rgb '#00224E'
set object rectangle from graph 1.04,0.1000 to graph 1.09,0.2000 noclip fillcolor rgb '#123570' fillstyle solid border linecolor rgb '#123570'
set object rectangle from graph 1.04,0.2000 to graph 1.09,0.3000 noclip fillcolor rgb '#3B496C' fillstyle solid border linecolor rgb '#3B496C'
set object rectangle from graph 1.04,0.3000 to graph 1.09,0.4000 noclip fillcolor rgb '#575D6D' fillstyle solid border linecolor rgb '#575D6D'
set object rectangle from graph 1.04,0.4000 to graph 1.09,0.5000 noclip fillcolor rgb '#707173' fillstyle solid border linecolor rgb '#707173'
set object rectangle from graph 1.04,0.5000 to graph 1.09,0.6000 noclip fillcolor rgb '#8A8678' fillstyle solid border linecolor rgb '#8A8678'
set object rectangle from graph 1.04,0.6000 to graph 1.09,0.7000 noclip fillcolor rgb '#A59C74' fillstyle solid border linecolor rgb '#A59C74'
set object rectangle from graph 1.04,0.7000 to graph 1.09,0.8000 noclip fillcolor rgb '#C3B369' fillstyle solid border linecolor rgb '#C3B369'
set object rectangle from graph 1.04,0.8000 to graph 1.09,0.9000 noclip fillcolor rgb '#E1CC55' fillstyle solid border linecolor rgb '#E1CC55'
set object rectangle from graph 1.04,0.9000 to graph 1.09,1.0000 noclip fillcolor rgb '#FEE838' fillstyle solid border linecolor rgb '#FEE838'
set label '0.015' at graph 1.105,0.0000 left textcolor rgb '#222222'
set label '0.045' at graph 1.105,0.2000 left textcolor rgb '#222222'
set label '0.075' at graph 1.105,0.4000 left textcolor rgb '#222222'
set label '0.105' at graph 1.105,0.6000 left textcolor rgb '#222222'
set label '0.135' at graph 1.105,0.8000 left textcolor rgb '#222222'
set label '0.165' at graph 1.105,1.0000 left textcolor rgb '#222222'
set label "amplitude of pid, m" noenhanced at graph 1.27,0.5 center rotate by 90 textcolor rgb '#222222'
plot dat index 0 using (($1+$3)/2*1):(($2+$4)/2*1):($1*1):($3*1):($2*1):($4*1) with boxxyerror linecolor rgb '#00224E' linewidth 0.5 fillstyle solid notitle, \
     dat index 1 using (($1+$3)/2*1):(($2+$4)/2*1):($1*1):($3*1):($2*1):($4*1) with boxxyerror linecolor rgb '#707173' linewidth 0.5 fillstyle solid notitle, \
     dat index 2 using (($1+$3)/2*1):(($2+$4)/2*1):($1*1):($3*1):($2*1):($4*1) with boxxyerror linecolor rgb '#C3B369' linewidth 0.5 fillstyle solid notitle, \
     dat index 3 using (($1+$3)/2*1):(($2+$4)/2*1):($1*1):($3*1):($2*1):($4*1) with boxxyerror linecolor rgb '#E1CC55' linewidth 0.5 fillstyle solid notitle
unset title
set xlabel "ki" noenhanced
set xrange [-1.25:12.25]
set format x '%g'
unset logscale x
set xtics 2
set ylabel "F_{s}/F_{c}" enhanced
set yrange [1:2.2]
set format y '%g'
unset logscale y
set ytics 0.2
unset label
unset arrow
unset object
set label "observer settles" noenhanced at graph 0.1632,0.4950 left front textcolor rgb '#111111'
unset rmargin
plot dat index 4 using (($1+$3)/2*1):(($2+$4)/2*1):($1*1):($3*1):($2*1):($4*1) with boxxyerror linecolor rgb '#BFDDF2' linewidth 0.5 fillstyle solid notitle
unset multiplot
unset output

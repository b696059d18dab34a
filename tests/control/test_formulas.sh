# SPDX-License-Identifier: Apache-2.0
# Formula models as C: exported, compiled without a warning as C and C++, run; every force has the bits of the model's own
# functions on the host, and of 'bristle trace' along a record of held velocities.
set -uo pipefail
: "${BRISTLE:?set BRISTLE to the program}"
rm -rf formulas && mkdir formulas && cd formulas || exit 1
failures=0
fail() { echo "FAILED: $*"; failures=$((failures + 1)); }
G='g=1+0.5*exp(-abs(v/1e-3))+(v<0.2 && !(v <= -1 || v > 7) ? 0.1 : sin(v)^2)+0*max(log10(2+v^2),floor(v))'
F='f=0.4*v+c1*mod(v,0.7)*0+0.1*tanh(v)*sqrt(abs(v))+0.01*sign(v)*min(v^2,3)'
"$BRISTLE" export c --model lugre --set "$G,$F,c=0.3" --output lawful.h --quiet || fail "export of lugre with formulas"
"$BRISTLE" export c --model lugre --set "f=0.4*atan(v)" --output level.h --quiet || fail "export of f alone"
"$BRISTLE" export c --model duhem --output plain.h --quiet || fail "export of the default Duhem model"
"$BRISTLE" export c --model duhem --set 'f11=c1*(1-x/c2),f12=c1*(1+x/c2),f21=1-2*x2,f22=1+2*x2+0*u,h=x1+0.3*x2+0.1*dx1+0.2*tanh(v)+0.01*u,c=7.5,0.75' \
  --output two.h --quiet || fail "export of a Duhem model with two states"
cat >run.c <<'C'
#include <stdio.h>
#include <stdlib.h>
#include "lawful.h"
#include "level.h"
#include "plain.h"
#include "two.h"
int main(int argc, char **argv)
{
  const int bad = 1000000 * lawful_selftest() + 10000 * level_selftest() + 100 * plain_selftest() + two_selftest();
  static lawful_t e;
  static two_t d;
  if (argc > 1) {
    double u = 0, t, next;
    FILE *f = fopen(argv[1], "r");
    if (!f || fscanf(f, "t_s,u_m %lf,%lf", &t, &u) != 2) return 3;
    while (fscanf(f, "%lf,%lf", &t, &next) == 2) { /* as the program: v = (u[k+1] - u[k])/h */
      const double h = 0.25, v = (next - u) / h;
      lawful_step(&e, 1, u, v, h);
      two_step(&d, 1, u, v, h);
      printf("%.17g,%.17g\n", e.F[0], d.F[0]);
      u = next;
    }
    fclose(f);
  }
  return bad != 0;
}
C
cp run.c run.cpp
: "${CC:=cc}"
"$CC" -std=c11 -O2 -Wall -Wextra -Wpedantic -Wshadow -Werror run.c -lm -o run || fail "does not compile as C"
if command -v c++ >/dev/null; then c++ -std=c++17 -O0 -Wall -Wextra -Werror run.cpp -lm -o run_cpp || fail "does not compile as C++"; fi
if [ -n "${BR_CLANG:-}" ]; then "$BR_CLANG" -std=c11 -O3 -Wall -Wextra -Werror run.c -lm -o run_clang || fail "does not compile by clang"; fi
for p in run run_cpp run_clang; do [ ! -x $p ] || ./$p || fail "$p: the self-test finds other bits"; done
mkdir other && cp run.c level.h plain.h two.h other
sed 's/= bri_tanh(/= bri_sinh(/' lawful.h >other/lawful.h
cmp -s lawful.h other/lawful.h && fail "the header calls no tanh"
"$CC" -std=c11 -O2 other/run.c -lm -o wrong || fail "with another function it does not compile"
./wrong && fail "another function goes unnoticed"
# along a record: rows of 'trace' (dyadic numbers, so that text keeps them)
{ echo t_s,u_m; for k in $(seq 0 40); do echo "$(python3 -c "print($k*0.25)"),$(python3 -c "print((($k*37)%17-8)/64)")"; done; } >rec.csv
./run rec.csv >exported.csv
"$BRISTLE" trace --model lugre --set "$G,$F,c=0.3" --input csv:rec.csv --csv a.csv --quiet || fail "trace of lugre"
python3 - <<'P' || fail "trajectory differs from trace"
import csv, sys
rows = list(csv.reader(open("a.csv")))
mine = [float(r.split(",")[0]) for r in open("exported.csv")]
host = [float(r[rows[0].index("F [N]")]) for r in rows[2:]]
bad = [k for k, (a, b) in enumerate(zip(mine, host)) if a != b]
print(len(mine), "forces,", len(bad), "differ", [(mine[k], host[k]) for k in bad[:2]])
sys.exit(bool(bad) or len(mine) != 40 or len(host) != 40)
P
"$BRISTLE" export c --model duhem --precision f32 --output f32.h >out 2>&1 && fail "formulas in single precision"
grep -q "double precision" out || fail "message: $(cat out)"
[ -e f32.h ] && fail "a half-written header stays"
"$BRISTLE" export c --system mass_spring --model lugre --set 'm=1,ks=0,g=1+v^2' --track x --controller observer --output c.h >out 2>&1 &&
  fail "a controller over formulas"
[ $failures = 0 ] && echo "formulas as C: ok"
exit $((failures > 0))

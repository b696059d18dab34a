# SPDX-License-Identifier: Apache-2.0
# Exported elements on an emulated Cortex-M4: every model in f32 gives the bits of this machine over 100,000 steps; the
# code of LuGre stays under 1 KB.  The Arduino and CMSIS examples compile against stand-ins of their headers.
set -euo pipefail
mcu=$BR_SOURCE_DIR/targets/mcu
arm=arm-none-eabi-gcc

"$BRISTLE" export c --model lugre --precision f32 --output joint.h >/dev/null
mkdir -p stand
cat >stand/device.h <<'C'
#include <stdint.h>
static uint32_t SystemCoreClock = 16000000;
static inline void SysTick_Config(uint32_t n) { (void)n; }
static inline void __WFI(void) {}
static inline float axis_velocity(void) { return 0.1f; }
static inline void axis_torque(float x) { (void)x; }
C
cat >stand/Arduino.h <<'C'
struct port { void begin(long) {} void println(const char *) {} };
static port Serial;
enum { A0 = 14 };
static inline unsigned long micros() { return 0; }
static inline int analogRead(int) { return 512; }
static inline void analogWrite(int, int) {}
void setup();
void loop();
C
"${CC:-cc}" -std=c11 -Wall -Wextra -Werror -Wno-unused-function -fsyntax-only -I. -Istand "$mcu/cmsis/main.c"
if command -v c++ >/dev/null; then
  c++ -x c++ -std=c++17 -Wall -Werror -Wno-unused-function -fsyntax-only -I. -include stand/Arduino.h "$mcu/arduino/joint/joint.ino"
fi

if ! command -v $arm >/dev/null || ! command -v qemu-system-arm >/dev/null; then
  echo "skip: no arm-none-eabi-gcc or qemu-system-arm (installed with CI=1)"
  exit 77
fi
models=$("$BRISTLE" models --json | tr ',{' '\n\n' | sed -n 's/^ *"name": *"\([a-z_]*\)".*/\1/p' | sort -u)
flags="-O2 -mcpu=cortex-m4 -mthumb -mfpu=fpv4-sp-d16 -mfloat-abi=hard -nostdlib -fno-math-errno -I. -I$mcu"
tried=0
for model in $models; do
  "$BRISTLE" export c --model "$model" --precision f32 --name element --output element.h >/dev/null 2>&1 || continue
  grep -q 'element_step(element_t \*e, float load, const float u, const float v, float h)' element.h || continue # two axes
  # shellcheck disable=SC2086
  $arm $flags -T "$mcu/board.ld" "$mcu/measure.c" "$mcu/board_m4.c" -lgcc -o element.elf
  "${CC:-cc}" -O2 -fno-math-errno -I. -I"$mcu" "$mcu/measure.c" "$mcu/board_host.c" -o element.host
  timeout 120 qemu-system-arm -M mps2-an386 -nographic -monitor none -serial null -semihosting-config enable=on,target=native \
    -icount shift=0 -kernel element.elf >there.txt 2>&1 </dev/null || { echo "$model: qemu failed"; cat there.txt; exit 1; }
  ./element.host >here.txt
  for line in forces flags selftest; do
    a=$(sed -n "s/^$line //p" here.txt) b=$(sed -n "s/^$line //p" there.txt)
    [ -n "$a" ] && [ "$a" = "$b" ] || { echo "$model: $line $b on the Cortex-M4, $a here"; exit 1; }
  done
  [ "$(sed -n 's/^selftest //p' there.txt)" = 00000000 ] || { echo "$model: self-test failed"; exit 1; }
  printf '#include "element.h"\nfloat step(element_t *e, float v);\nfloat step(element_t *e, float v) { return element_step(e, 1, e->u[0], v, 1e-3f); }\n' >one.c
  # shellcheck disable=SC2086
  $arm ${flags/-O2/-Os} -ffunction-sections -fdata-sections -c one.c -o one.o
  size=$(arm-none-eabi-size -A one.o | awk '/^\.(text|rodata)/ {n += $2} END {print n}')
  printf '%-20s %5d bytes of code and constants, %d instructions a step\n' "$model" "$size" "0x$(sed -n 's/^instructions //p' there.txt)"
  if [ "$model" = lugre ]; then
    code=$(arm-none-eabi-size -A one.o | awk '/^\.text/ {n += $2} END {print n}')
    [ "$code" -lt 1024 ] || { echo "LuGre takes $code bytes of code"; exit 1; }
    echo "lugre: $code bytes of code"
  fi
  tried=$((tried + 1))
done
[ "$tried" -ge 10 ] || { echo "only $tried models were tried"; exit 1; }
echo "$tried models with the bits of this machine"

# A fitted element, a compensator and an observer with its model in one program: all self-tests hold there.
set=$("$BRISTLE" fit --file sample:lugre,7 --model lugre --fix delta=2 | sed -n 's/^ *--set //p')
"$BRISTLE" export c --model lugre --set "$set" --precision f32 --name joint --output joint.h --quiet
axis="--system mass_spring --model lugre --set m=1,ks=0,$set --track x --precision f32 --quiet"
# shellcheck disable=SC2086
"$BRISTLE" export c $axis --controller feedforward --name forward --output forward.h
# shellcheck disable=SC2086
"$BRISTLE" export c $axis --controller observer --integral --name observer --output observer.h
cat >axis.c <<'C'
#include "board.h"
#include "forward.h"
#include "joint.h"
#include "observer.h"
int main(void)
{
  board_print(joint_selftest() | forward_selftest() | observer_selftest() ? "bits differ\n" : "three self-tests hold\n");
  board_exit(0);
  return 0;
}
C
# shellcheck disable=SC2086
$arm $flags -Wall -Werror -Wno-unused-function -T "$mcu/board.ld" axis.c "$mcu/board_m4.c" -lgcc -o axis.elf
timeout 120 qemu-system-arm -M mps2-an386 -nographic -monitor none -serial null -semihosting-config enable=on,target=native -kernel axis.elf \
  >axis.txt 2>&1 </dev/null || { cat axis.txt; exit 1; }
grep -q 'three self-tests hold' axis.txt || { cat axis.txt; exit 1; }
echo "fitted element, compensator, observer: self-tests hold"

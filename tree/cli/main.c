#include <stdio.h>
#include "bri_config.h"
#include "bristle/version.h"
#define ROW(name, in, detail, purpose) printf("%s %d %s (%s)\n", #name, in, detail, purpose);
int bri_one(void);
int bri_pick(void);
int main(void)
{
  printf("bristle %s\n", br_version());
  BR_PARTS_LIST(ROW)
  return bri_one() == 1 && bri_pick() >= 2 ? 0 : 1; /* the program has the library's allocator */
}

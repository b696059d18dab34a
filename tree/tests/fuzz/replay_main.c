/* SPDX-License-Identifier: Apache-2.0
 * replay_main.c - main() of the fuzz targets where libFuzzer is not there: feeds every file of the given
 * corpus folders to the target, then each one truncated at every length below 256 bytes, so that the replay
 * also meets text that ends in the middle.  Exit 0 all replayed, 1 unreadable, 77 nothing to replay. */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The input is copied to a block of exactly its size: a read past its end is then visible to the sanitizer.
 * */
static int feed(const uint8_t *data, size_t size)
{
  uint8_t *copy = malloc(size ? size : 1);
  if (!copy) return -1;
  memcpy(copy, data, size);
  LLVMFuzzerTestOneInput(copy, size);
  free(copy);
  return 0;
}

static int replay_file(const char *path)
{
  static uint8_t buf[1 << 20];
  FILE *f = fopen(path, "rb");
  if (!f) {
    fprintf(stderr, "cannot open %s\n", path);
    return -1;
  }
  size_t n = fread(buf, 1, sizeof buf, f);
  int bad = ferror(f);
  fclose(f);
  if (bad) {
    fprintf(stderr, "cannot read %s\n", path);
    return -1;
  }
  for (size_t k = 0; k < n && k < 256; k++)
    if (feed(buf, k)) return -1;
  return feed(buf, n);
}

int main(int argc, char **argv)
{
  size_t files = 0;
  for (int a = 1; a < argc; a++) {
    DIR *dir = opendir(argv[a]);
    if (!dir) continue; /* no corpus: counted below */
    for (const struct dirent *e = readdir(dir); e; e = readdir(dir)) {
      char path[4096];
      if (e->d_name[0] == '.') continue;
      if (snprintf(path, sizeof path, "%s/%s", argv[a], e->d_name) >= (int)sizeof path) continue;
      if (replay_file(path)) {
        closedir(dir);
        return 1;
      }
      files++;
    }
    closedir(dir);
  }
  if (files == 0) {
    printf("skip: no corpus to replay\n");
    return 77;
  }
  printf("%zu files replayed\n", files);
  return 0;
}

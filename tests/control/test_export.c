/* SPDX-License-Identifier: Apache-2.0
 * test_export.c - the text of exported headers from C: complete, the same every time, refused with a
 * reason. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
/* cmocka needs the four headers above first */
#include <cmocka.h>

#include "kit.h"

typedef struct {
  size_t bytes, pieces, stop_at; /* stop_at: piece that is refused; 0: none */
  unsigned long long hash;
  int opened, closed; /* conditionals */
  size_t includes;    /* of files: all must have been put in place */
  char line[4096];
  size_t used;
} sink;

static void look(sink *s)
{
  s->line[s->used] = '\0';
  const char *l = s->line;
  if (strncmp(l, "#if", 3) == 0) s->opened++;
  if (strncmp(l, "#endif", 6) == 0) s->closed++;
  if (strncmp(l, "#include \"", 10) == 0 || strncmp(l, "#include BR", 11) == 0) s->includes++;
  s->used = 0;
}

static int take(void *ctx, const char *text, size_t n)
{
  sink *s = (sink *)ctx;
  s->pieces++;
  s->bytes += n;
  for (size_t i = 0; i < n; i++) {
    s->hash = (s->hash ^ (unsigned char)text[i]) * 1099511628211ull;
    if (text[i] == '\n') look(s);
    else if (s->used + 1 < sizeof s->line) s->line[s->used++] = text[i];
  }
  return s->stop_at && s->pieces >= s->stop_at;
}

static void complete(void **state)
{
  (void)state;
  for (size_t kind = 0; br_control_name(kind); kind++)
    for (int f32 = 0; f32 < 2; f32++) {
      kit k;
      sink a, b;
      memset(&a, 0, sizeof a), memset(&b, 0, sizeof b);
      kit_open(&k, "pulled_block", "lugre", KIT_PAPER, NULL, (br_control_kind)kind);
      assert_int_equal(kit_init(&k, 1), BR_OK);
      br_control_export_options o = br_control_export_default();
      o.f32 = f32, o.about = "a */ b /* c\nsecond line";
      const br_controller before = k.c;
      if (br_control_export(&k.c, &o, take, &a, &k.err)) fail_msg("%s", k.err.msg);
      if (br_control_export(&k.c, &o, take, &b, &k.err)) fail_msg("%s", k.err.msg);
      assert_true(a.hash == b.hash && a.bytes == b.bytes && a.bytes > 20000);
      assert_memory_equal(&before.mem, &k.c.mem, sizeof before.mem); /* the self-test ran on a copy */
      assert_true(a.opened == a.closed && a.opened > 5 && a.includes == 0);
      /* stopped at any piece */
      for (size_t n = 1; n < a.pieces; n += a.pieces / 7) {
        memset(&b, 0, sizeof b);
        b.stop_at = n;
        assert_int_equal(br_control_export(&k.c, &o, take, &b, &k.err), BR_INTERRUPTED);
        assert_int_equal(b.pieces, n);
      }
      kit_close(&k);
    }
}

static void models_alone(void **state)
{
  (void)state;
  size_t count = 0;
  const br_model *const *all = br_models(&count);
  for (size_t i = 0; i < count; i++)
    for (int f32 = 0; f32 < 2; f32++) {
      double *par = calloc(all[i]->slots, sizeof *par);
      sink a;
      br_err err;
      assert_non_null(par);
      memset(&a, 0, sizeof a);
      all[i]->defaults(par);
      all[i]->prepare(par);
      br_control_export_options o = br_control_export_default();
      o.f32 = f32;
      if (br_model_export(all[i], par, &o, take, &a, &err)) fail_msg("%s: %s", all[i]->name, err.msg);
      assert_true(a.opened == a.closed && a.bytes > 10000 && a.includes == 0);
      free(par);
    }
}

static void refused(void **state)
{
  (void)state;
  kit k;
  sink a;
  memset(&a, 0, sizeof a);
  kit_open(&k, "pulled_block", "lugre", KIT_PAPER, NULL, BR_CONTROL_OBSERVER);
  assert_int_equal(kit_init(&k, 1), BR_OK);
  br_control_export_options o = br_control_export_default();
  assert_int_equal(br_control_export(NULL, &o, take, &a, &k.err), BR_E_ARG);
  assert_int_equal(br_control_export(&k.c, NULL, take, &a, &k.err), BR_E_ARG);
  assert_int_equal(br_control_export(&k.c, &o, NULL, &a, &k.err), BR_E_ARG);
  assert_int_equal(br_model_export(NULL, k.job.mpar, &o, take, &a, &k.err), BR_E_ARG);
  const char *const names[] = {NULL,
                               "",
                               "1a",
                               "a-b",
                               "a b",
                               "_a",
                               "br_x",
                               "brn_x",
                               "a\"",
                               "\xc3\xa4",
                               "a2345678901234567890123456789012345678901"};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    o.name = names[i];
    assert_int_equal(br_control_export(&k.c, &o, take, &a, &k.err), BR_E_NAME);
    assert_int_equal(br_model_export(k.mod, k.job.mpar, &o, take, &a, &k.err), BR_E_NAME);
  }
  o.name = "fine";
  const double samples[] = {0, -1, NAN, INFINITY};
  for (size_t i = 0; i < 4; i++) {
    o.sample = samples[i];
    assert_int_equal(br_control_export(&k.c, &o, take, &a, &k.err), BR_E_RANGE);
  }
  o.sample = 1e-3;
  br_model own = *k.mod; /* a user's model: nobody has its text */
  k.c.mod = &own;
  assert_int_equal(br_control_export(&k.c, &o, take, &a, &k.err), BR_E_UNSUPPORTED);
  assert_non_null(strstr(k.err.msg, "lugre"));
  assert_int_equal(br_model_export(&own, k.job.mpar, &o, take, &a, &k.err), BR_E_UNSUPPORTED);
  assert_int_equal(a.pieces, 0); /* nothing was written before the refusal */
  k.c.mod = k.mod;
  /* a law without friction asks for no model's text */
  k.set = br_control_settings_default(BR_CONTROL_PI);
  assert_int_equal(kit_init(&k, 1), BR_OK);
  k.c.mod = &own;
  assert_int_equal(br_control_export(&k.c, &o, take, &a, &k.err), BR_OK);
  kit_close(&k);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(complete), cmocka_unit_test(models_alone),
                                     cmocka_unit_test(refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

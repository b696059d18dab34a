/* SPDX-License-Identifier: Apache-2.0
 * The walk along a motion gives what single steps give; its derivative is that of difference quotients. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

#include "bristle/batch.h"
#include "bristle/expr.h"
#include "sense/walk.h"

enum { N = 400 };
static double u[2 * N], v[2 * N], h[N], at[2 * N], load[N], F[2 * N], G[2 * N], A[2 * N], B[2 * N], D[2 * N];

static bri_motion motion(const br_model *m)
{
  const size_t axes = (size_t)m->axes;
  const double size = strcmp(m->name, "duhem_lugre") == 0 || strncmp(m->name, "bouc", 4) == 0 ? 2.5 : 1e-3;
  for (size_t k = 0; k < N; k++) {
    h[k] = 0.01 * (1 + 0.3 * sin((double)k)), load[k] = 1.3 + 0.2 * sin(0.05 * (double)k);
    for (size_t a = 0; a < axes; a++)
      u[axes * k + a] = size * sin(0.05 * (double)k * (1 + 0.4 * (double)a) + 0.1);
  }
  for (size_t k = 0; k < N; k++)
    for (size_t a = 0; a < axes; a++) {
      v[axes * k + a] = k + 1 < N ? (u[axes * (k + 1) + a] - u[axes * k + a]) / h[k] : 0;
      at[axes * k + a] = 0.9 * v[axes * k + a];
    }
  return (bri_motion){N, u, v, at, h, load, .pace = 1};
}

/* The stamped loop and the face of the same model. */
static void test_same_as_face(void **state)
{
  size_t n = 0;
  const br_model *const *all = br_models(&n);
  for (size_t i = 0; i < n; i++) {
    br_model other = *all[i]; /* not in the list: goes by its face */
    double par[1024];
    bri_motion path = motion(all[i]);
    all[i]->defaults(par), all[i]->prepare(par);
    for (int c = 0; c < 12; c++) { /* held or not, with and without a load, a way before it or none */
      const int side = c / 4 - 1;
      path.at = c & 1 ? NULL : at, path.load = c & 2 ? NULL : load, path.before = 0.3 * side;
      bri_walk(all[i], par, &path, NULL, F);
      bri_walk(&other, par, &path, NULL, G);
      assert_memory_equal(F, G, N * (size_t)all[i]->axes * sizeof *F);
    }
  }
}

/* A central difference with two steps says how well it is known itself. */
static void test_slope(void **state)
{
  size_t n = 0, tried = 0;
  const br_model *const *all = br_models(&n);
  for (size_t i = 0; i < n; i++) {
    const br_model *m = all[i];
    const size_t rows = N * (size_t)m->axes;
    double par[1024], q[1024], slope[1024];
    m->defaults(par);
    for (size_t j = 0; j < m->nparam; j++) /* beside values for which a kernel has a form of its own */
      if (m->params[j].max_len == 1 && !m->params[j].choices && strcmp(m->params[j].name, "n") != 0)
        par[m->params[j].slot] *= 1 + 0.01 * (double)(j + 1);
    const bri_motion path = motion(m);
    for (size_t j = 0; j < m->nparam; j++) {
      const br_param *row = &m->params[j];
      const double x = par[row->slot];
      if (row->choices || x == 0 || row->max_len > 1 || strcmp(row->name, "dv") == 0 ||
          strcmp(row->name, "n") == 0 || m->flags & BR_MODEL_JUMPS) /* a difference would see jumps */
        continue;
      memset(slope, 0, sizeof slope);
      slope[row->slot] = 1;
      assert_int_equal(bri_walk_slope(m, par, slope, &path, NULL, F, D), 1);
      const double e = 1e-6 * fabs(x);
      memcpy(q, par, sizeof q);
      q[row->slot] = x + e, m->prepare(q), bri_walk(m, q, &path, NULL, A);
      q[row->slot] = x - e, m->prepare(q), bri_walk(m, q, &path, NULL, B);
      double scale = 0, most = 0;
      for (size_t k = 0; k < rows; k++) scale = fmax(scale, fabs(D[k])), most = fmax(most, fabs(F[k]));
      size_t off = 0;
      for (size_t k = 0; k < rows; k++)
        off += fabs((A[k] - B[k]) / (2 * e) - D[k]) > 1e-5 * scale + 1e-9 * most / e;
      if (off > rows / 100) fail_msg("%s %s: %zu of %zu derivatives differ", m->name, row->name, off, rows);
      tried++;
    }
  }
  assert_true(tried > 40);
}

/* The way before the first sample is gone under the load of that sample, by every road: with its slope by
 * the way's length. */
static void test_load_before(void **state)
{
  size_t n = 0, moved = 0;
  const br_model *const *all = br_models(&n);
  (void)state;
  for (size_t i = 0; i < n; i++) {
    const br_model *m = all[i];
    const size_t rows = N * (size_t)m->axes;
    double par[1024], slope[1024] = {0};
    if (!m->step_pair || m->flags & (BR_MODEL_JUMPS | BR_MODEL_NO_LOAD)) continue;
    m->defaults(par), m->prepare(par);
    for (int back = -1; back <= 1; back += 2) {
      bri_motion path = motion(m);
      const double way = 2e-5 * back, e = 1e-9;
      path.before = way, path.before_slope = 1;
      assert_int_equal(bri_walk_slope(m, par, slope, &path, NULL, F, D), 1);
      bri_walk(m, par, &path, NULL, G);
      path.before = way + e, bri_walk(m, par, &path, NULL, A);
      path.before = way - e, bri_walk(m, par, &path, NULL, B);
      double scale = 0, most = 0;
      for (size_t k = 0; k < rows; k++) scale = fmax(scale, fabs(D[k])), most = fmax(most, fabs(G[k]));
      size_t off = 0;
      for (size_t k = 0; k < rows; k++) {
        assert_true(fabs(F[k] - G[k]) <= 1e-12 * most);
        off += fabs((A[k] - B[k]) / (2 * e) - D[k]) > 1e-4 * scale + 1e-13 * most / e;
      }
      if (off > rows / 100) fail_msg("%s: %zu of %zu derivatives differ", m->name, off, rows);
      moved += scale > 0;
    }
  }
  assert_true(moved > 10);
}

/* Elements of vectors, and the length of a direction. */
static void test_vector(void **state)
{
  const br_model *m = br_model_find("maxwell_slip");
  double par[1024], slope[1024] = {0};
  const bri_motion path = motion(m);
  m->defaults(par), m->prepare(par);
  slope[br_model_param(m, "k")->slot + 1] = 3;
  assert_int_equal(bri_walk_slope(m, par, slope, &path, NULL, NULL, D), 1);
  par[br_model_param(m, "k")->slot + 1] += 1;
  bri_walk(m, par, &path, NULL, A);
  par[br_model_param(m, "k")->slot + 1] -= 1;
  bri_walk(m, par, &path, NULL, B);
  for (size_t k = 0; k < N; k++) assert_float_equal(D[k], 3 * (A[k] - B[k]), 1e-12);
}

static void test_start(void **state)
{
  const br_model *m = br_model_find("dahl");
  double par[64], slope[64] = {0}, z0[4] = {0.3};
  const bri_motion path = motion(m);
  m->defaults(par), m->prepare(par);
  bri_walk(m, par, &path, z0, F);
  assert_float_equal(F[0], 0.3, 0);
  assert_int_equal(bri_walk_slope(m, par, slope, &path, z0, G, D), 1);
  for (size_t k = 0; k < N; k++) assert_float_equal(F[k], G[k], 1e-15), assert_float_equal(D[k], 0, 0);
}

/* A model of one's own without a complex instance says so. */
static void test_without(void **state)
{
  br_model other = *br_model_find("dahl");
  double par[64], slope[64] = {0};
  const bri_motion path = motion(&other);
  other.defaults(par);
  other.step_pair = NULL;
  assert_int_equal(bri_walk_slope(&other, par, slope, &path, NULL, NULL, D), 0);
}

/* All slopes at once are the single ones, in the same bits for every instruction set. */
static void test_at_once(void **state)
{
  static const char *const ISA[] = {"base", "avx2", "avx512"};
  static double slopes[12 * 1024], many[12 * N], first[12 * N], states[BRI_WALK_STATES * N],
      S[BRI_WALK_STATES * N];
  size_t n = 0;
  const br_model *const *all = br_models(&n);
  for (size_t i = 0; i < n; i++) {
    const br_model *m = all[i];
    double par[1024], before[12];
    size_t count = 0;
    if (m->axes != 1) continue;
    m->defaults(par);
    memset(slopes, 0, sizeof slopes);
    for (size_t p = 0; p < m->nparam && count < 11; p++)
      if (!m->params[p].choices) slopes[1024 * count + m->params[p].slot] = 1, before[count++] = 0;
    before[count++] = 1; /* the way before the start alone */
    for (int special = 0; special < 2; special++) {
      const br_param *delta = br_model_param(m, "delta");
      const br_param *damage = br_model_param(m, "inv_d0"); /* the second state moves the first */
      if (special && delta) par[delta->slot] = 1.7;
      if (special && damage) par[damage->slot] = 0.3;
      if (m->prepare) m->prepare(par);
      bri_motion path = motion(m);
      if (special) path.at = NULL;
      path.before = 2e-5 * (special ? -1 : 1);
      for (size_t a = 0, seen = 0; a < 3; a++) {
        if (br_isa_limit(ISA[a])) continue;
        memset(states, 0, sizeof states);
        bri_walk_states(m, par, &path, F, states);
        assert_int_equal(bri_walk_slopes(m, par, count, slopes, 1024, before, &path, states, many, N), 1);
        if (seen++ == 0) memcpy(first, many, sizeof many), memcpy(S, states, sizeof S);
        if (memcmp(first, many, count * N * sizeof *many) != 0 || memcmp(S, states, sizeof S) != 0)
          fail_msg("%s: other bits by %s", m->name, ISA[a]);
      }
      assert_int_equal(br_isa_limit(NULL), BR_OK);
      bri_walk(m, par, &path, NULL, G);
      for (size_t k = 0; k < N; k++) assert_true(fabs(F[k] - G[k]) <= 1e-12 * (fabs(G[k]) + fabs(G[N / 4])));
      for (size_t j = 0; j < count; j++) {
        double most = 0;
        path.before_slope = before[j];
        assert_int_equal(bri_walk_slope(m, par, slopes + 1024 * j, &path, NULL, NULL, D), 1);
        for (size_t k = 0; k < N; k++) most = fmax(most, fabs(D[k]));
        for (size_t k = 0; k < N; k++)
          if (!(fabs(D[k] - first[j * N + k]) <= 1e-9 * most))
            fail_msg("%s: slope %zu at %zu: %.17g, not %.17g", m->name, j, k, first[j * N + k], D[k]);
      }
    }
  }
}

/* A start whose way is zero still has a slope by that way. */
static void test_no_way_yet(void **state)
{
  static const char *const MODELS[] = {"lugre", "dahl", "bouc_wen"};
  for (size_t i = 0; i < 3; i++) {
    const br_model *m = br_model_find(MODELS[i]);
    double par[1024], slopes[1024] = {0}, states[BRI_WALK_STATES * N] = {0};
    const double way = 1, small = 1e-9;
    bri_motion path = motion(m);
    m->defaults(par), m->prepare(par);
    path.before = small;
    bri_walk(m, par, &path, NULL, A);
    path.before = 0;
    bri_walk(m, par, &path, NULL, B);
    path.before_slope = way;
    assert_int_equal(bri_walk_slope(m, par, slopes, &path, NULL, NULL, D), 1);
    bri_walk_states(m, par, &path, F, states);
    assert_int_equal(bri_walk_slopes(m, par, 1, slopes, 1024, &way, &path, states, G, N), 1);
    const double by_difference = (A[0] - B[0]) / small;
    assert_true(fabs(by_difference) > 0);
    assert_true(fabs(D[0] - by_difference) < 1e-3 * fabs(by_difference));
    assert_true(fabs(G[0] - by_difference) < 1e-3 * fabs(by_difference));
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_same_as_face), cmocka_unit_test(test_slope),
                                     cmocka_unit_test(test_vector),       cmocka_unit_test(test_start),
                                     cmocka_unit_test(test_without),      cmocka_unit_test(test_at_once),
                                     cmocka_unit_test(test_no_way_yet),   cmocka_unit_test(test_load_before)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

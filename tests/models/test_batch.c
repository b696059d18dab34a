/* SPDX-License-Identifier: Apache-2.0
 * test_batch.c - a batch gives the bits of the scalar code: every model, precision, instruction set, special
 * case, block filling, shared or own parameters; and it refuses what it cannot do. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
/* cmocka needs the four above first */
#include <cmocka.h>
#include <math.h>

#include "bristle/batch.h"
#include "bristle/rt.h"

#define STEPS 45 /* not a multiple of any tile */
static const char *const isas[] = {"base", "avx2", "avx512"};
static const size_t fillings[] = {1, 37, 64, 130};

static uint64_t seed = 12345;
static double uniform(double lo, double hi)
{
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return lo + (hi - lo) * ((double)(seed >> 11) * 0x1p-53);
}

/* Defaults moved a little, so that no lane equals another; `keep` leaves them for the special cases.
 * Falls back to the defaults where a rule of the model forbids the result. */
static void draw(const br_model *m, double *block, int keep)
{
  m->defaults(block);
  for (size_t r = 0; !keep && r < m->nparam; r++) {
    const br_param *q = &m->params[r];
    const size_t len = q->max_len == 1 ? 1 : (size_t)block[q->len_slot];
    if (q->choices) continue;
    for (size_t i = 0; i < len; i++) block[q->slot + i] *= uniform(0.8, 1.2);
  }
  if (!keep && (m->flags & BR_MODEL_ELEMENTS)) /* lanes of unequal length */
    for (size_t r = 0; r < m->nparam; r++)
      if (m->params[r].max_len > 1 && block[m->params[r].len_slot] > 3 && seed & (1u << 20)) {
        for (size_t s = 0; s < m->nparam; s++)
          if (m->params[s].max_len > 1) block[m->params[s].len_slot] = 3;
        break;
      }
  if (m->check(block, NULL) != BR_OK) m->defaults(block);
  m->prepare(block);
}

typedef struct {
  size_t lanes, axes, slots;
  int shared;
  double *par, *load, *v, *F, *z, *u; /* z, u: at the end, [lane][nz], [lane][axes] */
  float *vf, *Ff, *zf;
} run_case;

static void case_free(run_case *c)
{
  free(c->par), free(c->load), free(c->v), free(c->F), free(c->z), free(c->u), free(c->vf), free(c->Ff),
      free(c->zf);
}

/* Parameters and motion; the scalar answers of both precisions. */
static void case_make(run_case *c, const br_model *m, size_t lanes, int shared, int keep)
{
  const size_t sets = shared ? 1 : lanes, n = STEPS * (size_t)m->axes * lanes;
  *c = (run_case){.lanes = lanes, .axes = (size_t)m->axes, .slots = m->slots, .shared = shared};
  c->par = calloc(sets * m->slots, sizeof(double)), c->load = calloc(sets, sizeof(double));
  c->v = calloc(n, sizeof(double)), c->F = calloc(n, sizeof(double)),
  c->z = calloc(lanes * m->nz + 1, sizeof(double));
  c->u = calloc(lanes * 2, sizeof(double));
  c->vf = calloc(n, sizeof(float)), c->Ff = calloc(n, sizeof(float)),
  c->zf = calloc(lanes * m->nz + 1, sizeof(float));
  for (size_t s = 0; s < sets; s++) draw(m, c->par + s * m->slots, keep), c->load[s] = uniform(0.7, 1.4);
  for (size_t i = 0; i < n; i++) c->vf[i] = (float)uniform(-0.02, 0.02), c->v[i] = (double)c->vf[i];
  for (size_t l = 0; l < lanes; l++) c->vf[l] = 0, c->v[l] = 0; /* rest is a case of its own */
  for (size_t l = 0; l < lanes; l++) {
    const double *p = c->par + (shared ? 0 : l) * m->slots, load = c->load[shared ? 0 : l];
    double *z = c->z + l * m->nz, *u = c->u + 2 * l, dz[256] = {0};
    br_rt_f32 rt;
    float block[BR_RT_SLOTS];
    for (size_t s = 0; s < m->slots; s++) block[s] = (float)p[s];
    if (br_rt_init_f32(&rt, m->name, block, NULL) != BR_OK)
      fail_msg("%s: its f64 parameters are refused in f32", m->name);
    rt.load = (float)load;
    for (size_t t = 0; t < STEPS; t++) {
      double v[2], F[2] = {0, 0};
      float vf[2], Ff[2] = {0, 0};
      for (size_t a = 0; a < c->axes; a++)
        v[a] = c->v[(t * c->axes + a) * lanes + l], vf[a] = c->vf[(t * c->axes + a) * lanes + l];
      m->step(p, load, u, v, 1e-3, z);
      for (size_t a = 0; a < c->axes; a++) u[a] = u[a] + v[a] * 1e-3;
      m->rate(p, load, u, v, z, dz);
      m->force(p, load, u, v, z, dz, F);
      br_rt_step2_f32(&rt, rt.u, vf, 1e-3f, Ff);
      for (size_t a = 0; a < c->axes; a++)
        c->F[(t * c->axes + a) * lanes + l] = F[a], c->Ff[(t * c->axes + a) * lanes + l] = Ff[a];
    }
    assert_int_equal(rt.flags, 0);
    memcpy(c->zf + l * m->nz, rt.z, m->nz * sizeof(float));
  }
}

static void *batch_memory(const br_model *m, br_precision precision, size_t lanes, int shared, size_t *size)
{
  *size = br_batch_size(m, precision, lanes, shared);
  assert_true(*size > 0 && *size % 64 == 0);
  return aligned_alloc(64, *size);
}

static void compare(const br_model *m, const run_case *c)
{
  size_t size;
  br_batch b;
  const size_t n = STEPS * c->axes * c->lanes;
  double *F = calloc(n, sizeof *F);
  float *Ff = calloc(n, sizeof *Ff);
  void *mem = batch_memory(m, BR_F64, c->lanes, c->shared, &size);
  for (int keep_force = 0; keep_force < 2; keep_force++) {
    assert_int_equal(br_batch_init(&b, m, BR_F64, c->lanes, c->shared, c->par, c->load, mem, size), BR_OK);
    /* in two goes: the state must carry over */
    const size_t half = 19 * c->axes * c->lanes;
    assert_int_equal(br_batch_run_f64(&b, BR_STRICT, 19, 1e-3, c->v, keep_force ? F : NULL), BR_OK);
    assert_int_equal(
        br_batch_run_f64(&b, BR_STRICT, STEPS - 19, 1e-3, c->v + half, keep_force ? F + half : NULL), 0);
    if (keep_force) assert_memory_equal(F, c->F, n * sizeof *F);
    for (size_t l = 0; l < c->lanes; l++) {
      const double *p = c->par + (c->shared ? 0 : l) * m->slots;
      const size_t used = m->nstate(p) + m->nmode(p);
      for (size_t i = 0; i < used; i++) assert_true(br_batch_state(&b, l, i) == c->z[l * m->nz + i]);
      for (size_t a = 0; a < c->axes; a++) assert_true(br_batch_position(&b, l, a) == c->u[2 * l + a]);
    }
  }
  /* fast arithmetic differs by rounding only */
  assert_int_equal(br_batch_init(&b, m, BR_F64, c->lanes, c->shared, c->par, c->load, mem, size), BR_OK);
  assert_int_equal(br_batch_run_f64(&b, BR_FAST, STEPS, 1e-3, c->v, F), BR_OK);
  for (size_t i = 0; i < n; i++) assert_true(fabs(F[i] - c->F[i]) <= 1e-9 * (1 + fabs(c->F[i])));
  free(mem);
  mem = batch_memory(m, BR_F32, c->lanes, c->shared, &size);
  assert_int_equal(br_batch_init(&b, m, BR_F32, c->lanes, c->shared, c->par, c->load, mem, size), BR_OK);
  assert_int_equal(br_batch_run_f32(&b, BR_STRICT, STEPS, 1e-3f, c->vf, Ff), BR_OK);
  assert_memory_equal(Ff, c->Ff, n * sizeof *Ff);
  free(mem), free(F), free(Ff);
}

static void test_same_bits(void **state)
{
  size_t models;
  const br_model *const *all = br_models(&models);
  int sets = 0;
  for (size_t k = 0; k < models; k++)
    for (size_t f = 0; f < sizeof fillings / sizeof fillings[0]; f++)
      for (int variant = 0; variant < 4; variant++) { /* shared or own, defaults or drawn */
        run_case c;
        case_make(&c, all[k], fillings[f], variant & 1, variant >> 1);
        for (size_t i = 0; i < sizeof isas / sizeof isas[0]; i++) {
          const br_status st = br_isa_limit(isas[i]);
          if (st == BR_E_UNSUPPORTED) continue;
          assert_int_equal(st, BR_OK);
          assert_string_equal(br_isa_name(), isas[i]);
          compare(all[k], &c);
          sets++;
        }
        assert_int_equal(br_isa_limit(NULL), BR_OK);
        case_free(&c);
      }
  print_message("%d batches compared over %zu models\n", sets, models);
}

/* Every special case a model offers is met by some parameters and used. */
static void test_special_cases(void **state)
{
  const struct {
    const char *model, *param;
    double value;
    int special;
  } rows[] = {
      {"dahl", "gamma", 1, 1},
      {"dahl", "gamma", 1.5, 0},
      {"lugre", "delta", 2, 2},
      {"lugre", "delta", 1, 3},
      {"lugre", "delta", 1.3, 1},
      {"lugre", "vd", 0.01, 4},
      {"bouc_wen", "eta", 1.7, 1},
      {"bouc_wen", "eta", 0.6, 1},
      {"bouc_wen", "inv_d0", 0.1, 5},
      {"bouc_wen", "eta", 1, 6},
      {"lugre", "f_exp", 0.5, 4},
      {"semilinear_duhem", "n", 1, 1},
      {"bouc_wen", "beta", 0.9, 4},
      {"bouc_wen", "beta", 0.2, 7},
      {"bouc_wen_asymmetric", "beta", 0.7, 4},
      {"bouc_wen_asymmetric", "phi", 0.6, 2},
  };
  for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
    const br_model *m = br_model_find(rows[r].model);
    const br_param *q = br_model_param(m, rows[r].param);
    double par[2048], v[STEPS], F[STEPS];
    size_t size;
    br_batch b;
    assert_non_null(q);
    assert_true(m->slots <= 2048);
    m->defaults(par);
    par[q->slot] = rows[r].value;
    m->prepare(par);
    void *mem = batch_memory(m, BR_F64, 1, 0, &size);
    assert_int_equal(br_batch_init(&b, m, BR_F64, 1, 0, par, NULL, mem, size), BR_OK);
    assert_int_equal(b.special, rows[r].special);
    for (size_t t = 0; t < STEPS; t++) v[t] = uniform(-0.5, 0.5);
    assert_int_equal(br_batch_run_f64(&b, BR_STRICT, STEPS, 1e-2, v, F), BR_OK);
    double z[8] = {0}, dz[8], u = 0, f;
    for (size_t t = 0; t < STEPS; t++) {
      m->step(par, 1, &u, &v[t], 1e-2, z);
      u = u + v[t] * 1e-2;
      m->rate(par, 1, &u, &v[t], z, dz);
      m->force(par, 1, &u, &v[t], z, dz, &f);
      assert_memory_equal(&f, &F[t], sizeof f);
    }
    free(mem);
  }
}

/* The same for two axes: only an isotropic element without damage takes the short way. */
static void test_cases_in_the_plane(void **state)
{
  static const char *const names[] = {"kappa", "form", "inv_d0"};
  static const double values[] = {0, 1, 0.1};
  const br_model *m = br_model_find("bouc_wen_biaxial");
  (void)state;
  for (int r = 0; r < 3; r++) {
    double par[64], v[2 * STEPS], F[2 * STEPS], z[3] = {0}, dz[3], u[2] = {0, 0}, f[2];
    size_t size;
    br_batch b;
    assert_true(m->slots <= 64 && m->nz == 3);
    m->defaults(par);
    par[br_model_param(m, names[r])->slot] = values[r];
    m->prepare(par);
    void *mem = batch_memory(m, BR_F64, 1, 0, &size);
    assert_int_equal(br_batch_init(&b, m, BR_F64, 1, 0, par, NULL, mem, size), BR_OK);
    assert_int_equal(b.special, r == 0);
    for (size_t t = 0; t < 2 * STEPS; t++) v[t] = uniform(-50, 50);
    assert_int_equal(br_batch_run_f64(&b, BR_STRICT, STEPS, 1e-2, v, F), BR_OK);
    for (size_t t = 0; t < STEPS; t++) {
      m->step(par, 1, u, &v[2 * t], 1e-2, z);
      for (int a = 0; a < 2; a++) u[a] = u[a] + v[2 * t + (size_t)a] * 1e-2;
      m->rate(par, 1, u, &v[2 * t], z, dz);
      m->force(par, 1, u, &v[2 * t], z, dz, f);
      assert_memory_equal(f, &F[2 * t], sizeof f);
    }
    free(mem);
  }
}

static void test_path(void **state)
{
  enum { N = 1000 };
  const br_model *m = br_model_find("lugre");
  static double par[512], v[N], F[N], G[N];
  const double deltas[] = {2, 1, 1.4};
  for (size_t d = 0; d < 3; d++) {
    double z = 0, first = 0, dz, u = 0, f;
    m->defaults(par);
    par[br_model_param(m, "delta")->slot] = deltas[d];
    m->prepare(par);
    for (size_t t = 0; t < N; t++) v[t] = uniform(-3e-3, 3e-3);
    for (size_t i = 0, seen = 0; i < sizeof isas / sizeof isas[0]; i++) {
      if (br_isa_limit(isas[i]) != BR_OK) continue;
      z = 0;
      assert_int_equal(br_lugre_path_f64(par, 1.2, BR_STRICT, N, 1e-4, v, &z, G), BR_OK);
      if (seen++ == 0) memcpy(F, G, sizeof F), first = z;
      assert_memory_equal(F, G, sizeof F); /* same bits on every instruction set */
      assert_true(z == first);
      assert_int_equal(br_lugre_path_f64(par, 1.2, BR_FAST, N, 1e-4, v, &(double){0}, G), BR_OK);
      for (size_t t = 0; t < N; t++) assert_true(fabs(G[t] - F[t]) < 1e-10);
    }
    assert_int_equal(br_isa_limit(NULL), BR_OK);
    for (z = 0, u = 0; u == 0; u = 1)
      for (size_t t = 0; t < N; t++) { /* and the sample-by-sample loop to rounding */
        m->step(par, 1.2, &u, &v[t], 1e-4, &z);
        m->rate(par, 1.2, &u, &v[t], &z, &dz);
        m->force(par, 1.2, &u, &v[t], &z, &dz, &f);
        assert_true(fabs(F[t] - f) <= 1e-12 * (1 + fabs(f)));
      }
  }
  double z = 0;
  assert_int_equal(br_lugre_path_f64(NULL, 1, BR_STRICT, N, 1e-4, v, &z, F), BR_E_ARG);
  assert_int_equal(br_lugre_path_f64(par, 1, BR_STRICT, N, 0, v, &z, F), BR_E_RANGE);
  assert_int_equal(br_lugre_path_f64(par, 1, BR_STRICT, N, NAN, v, &z, F), BR_E_RANGE);
  assert_int_equal(br_lugre_path_f64(par, 1, BR_STRICT, N, INFINITY, v, &z, F), BR_E_RANGE);
  assert_int_equal(br_lugre_path_f64(par, 1, BR_STRICT, 0, 1e-4, NULL, &z, NULL), BR_OK);
}

static void test_errors(void **state)
{
  const br_model *m = br_model_find("dahl");
  const br_model own = *m; /* a user's model has no batch code */
  double par[64], v[3] = {0}, F[3];
  float vf[3] = {0};
  size_t size;
  br_batch b;
  m->defaults(par), m->prepare(par);
  void *mem = batch_memory(m, BR_F64, 3, 1, &size);
  assert_int_equal(br_batch_size(NULL, BR_F64, 3, 1), 0);
  assert_int_equal(br_batch_size(&own, BR_F64, 3, 1), 0);
  assert_int_equal(br_batch_size(m, BR_F64, 0, 1), 0);
  assert_int_equal(br_batch_size(m, (br_precision)7, 3, 1), 0);
  assert_int_equal(br_batch_size(m, BR_F64, SIZE_MAX, 0), 0);
  assert_int_equal(br_batch_init(&b, &own, BR_F64, 3, 1, par, NULL, mem, size), BR_E_ARG);
  assert_int_equal(br_batch_init(NULL, m, BR_F64, 3, 1, par, NULL, mem, size), BR_E_ARG);
  assert_int_equal(br_batch_init(&b, m, BR_F64, 3, 1, NULL, NULL, mem, size), BR_E_ARG);
  assert_int_equal(br_batch_init(&b, m, BR_F64, 3, 1, par, NULL, mem, size - 1), BR_E_SIZE);
  assert_int_equal(br_batch_init(&b, m, BR_F64, 3, 1, par, NULL, (char *)mem + 8, size), BR_E_SIZE);
  assert_int_equal(br_batch_init(&b, m, BR_F64, 3, 1, par, NULL, mem, size), BR_OK);
  assert_int_equal(br_batch_run_f32(&b, BR_STRICT, 1, 1e-3f, vf, NULL), BR_E_ARG);
  assert_int_equal(br_batch_run_f64(&b, BR_STRICT, 1, 1e-3, NULL, F), BR_E_ARG);
  assert_int_equal(br_batch_run_f64(NULL, BR_STRICT, 1, 1e-3, v, F), BR_E_ARG);
  assert_int_equal(br_batch_run_f64(&b, BR_STRICT, 1, -1e-3, v, F), BR_E_RANGE);
  assert_int_equal(br_batch_run_f64(&b, BR_STRICT, 1, INFINITY, v, F), BR_E_RANGE);
  assert_int_equal(br_batch_run_f64(&b, BR_STRICT, 0, 1e-3, NULL, NULL), BR_OK);
  assert_true(isnan(br_batch_state(&b, 3, 0)) && isnan(br_batch_state(&b, 0, 1)));
  assert_true(isnan(br_batch_position(&b, 0, 1)));
  v[1] = NAN; /* stays in its lane */
  assert_int_equal(br_batch_run_f64(&b, BR_STRICT, 1, 1e-3, v, F), BR_OK);
  assert_true(F[0] == 0 && isnan(F[1]) && F[2] == 0);
  assert_int_equal(br_isa_limit("sse9"), BR_E_NAME);
  free(mem);
}

static void same_number(double a, double b)
{
  if (isnan(a) || isnan(b)) assert_true(isnan(a) && isnan(b));
  else assert_memory_equal(&a, &b, sizeof a);
}

/* Elements that slip, stick and meet their limit exactly; dead bands of zero width; a NaN, an infinity and an
 * overflowing step in some lanes: all as the scalar code has them, in every instruction set. */
static void test_slipping_elements(void **state)
{
  enum { LANES = 70, LONG = 67, ELEMENTS = 7 };
  const br_model *m = br_model_find("maxwell_slip");
  double *par = calloc(LANES * m->slots, sizeof *par), *v = calloc(LONG * LANES, sizeof *v);
  double *F = calloc(LONG * LANES, sizeof *F);
  size_t size;
  br_batch b;
  void *mem = batch_memory(m, BR_F64, LANES, 0, &size);
  const br_param *k = br_model_param(m, "k"), *Delta = br_model_param(m, "Delta");
  (void)state;
  for (size_t l = 0; l < LANES; l++) {
    double *p = par + l * m->slots;
    m->defaults(p);
    p[k->len_slot] = p[Delta->len_slot] = ELEMENTS;
    for (size_t e = 0; e < ELEMENTS; e++)
      p[Delta->slot + e] = 0.25 * (double)((e + l) % 4); /* 0: always slips */
    m->prepare(p);
    for (size_t t = 0; t < LONG; t++)
      v[t * LANES + l] = 0.125 * floor(uniform(-4, 5)); /* hits limits exactly */
  }
  for (int strange = 0; strange < 2; strange++) {
    if (strange) {
      v[20 * LANES + 3] = NAN, v[33 * LANES + 5] = INFINITY, v[50 * LANES + 69] = -INFINITY;
      v[5 * LANES + 66] = 1e308; /* finite, but not its product with the step of 10 s */
    }
    const double h = strange ? 10 : 1;
    for (size_t i = 0; i < sizeof isas / sizeof *isas; i++) {
      if (br_isa_limit(isas[i]) != BR_OK) continue;
      assert_int_equal(br_batch_init(&b, m, BR_F64, LANES, 0, par, NULL, mem, size), BR_OK);
      assert_int_equal(br_batch_run_f64(&b, BR_STRICT, LONG, h, v, F), BR_OK);
      for (size_t l = 0; l < LANES; l++) {
        double u = 0, z[BR_RT_SLOTS] = {0}, dz[BR_RT_SLOTS], f;
        for (size_t t = 0; t < LONG; t++) {
          m->step(par + l * m->slots, 1, &u, &v[t * LANES + l], h, z);
          u = u + v[t * LANES + l] * h;
          m->rate(par + l * m->slots, 1, &u, &v[t * LANES + l], z, dz);
          m->force(par + l * m->slots, 1, &u, &v[t * LANES + l], z, dz, &f);
          same_number(F[t * LANES + l], f);
        }
        for (size_t e = 0; e < ELEMENTS; e++) same_number(br_batch_state(&b, l, e), z[e]);
        same_number(br_batch_position(&b, l, 0), u);
      }
    }
  }
  assert_int_equal(br_isa_limit(NULL), BR_OK);
  free(par), free(v), free(F), free(mem);
}

/* Lanes of one to five elements side by side: what a lane does not have must not move. */
static void test_unequal_members(void **state)
{
  enum { LANES = 37, LONG = 120 };
  const br_model *m = br_model_find("gms");
  double *par = calloc(LANES * m->slots, sizeof *par), *v = calloc(LONG * LANES, sizeof *v);
  double *F = calloc(LONG * LANES, sizeof *F);
  size_t size;
  br_batch b;
  void *mem = batch_memory(m, BR_F64, LANES, 0, &size);
  const br_param *k = br_model_param(m, "k"), *alpha = br_model_param(m, "alpha");
  (void)state;
  for (size_t l = 0; l < LANES; l++) {
    double *p = par + l * m->slots;
    const size_t n = 1 + l % 5;
    m->defaults(p);
    for (size_t e = 0; e < 5; e++) p[k->slot + e] = 1e4 + 3e3 * (double)e, p[alpha->slot + e] = 1 / (double)n;
    p[k->len_slot] = p[alpha->len_slot] = (double)n;
    assert_int_equal(m->check(p, NULL), BR_OK);
    m->prepare(p);
    for (size_t t = 0; t < LONG; t++) v[t * LANES + l] = uniform(-1e-2, 1.1e-2);
  }
  assert_int_equal(br_batch_init(&b, m, BR_F64, LANES, 0, par, NULL, mem, size), BR_OK);
  assert_int_equal(br_batch_run_f64(&b, BR_STRICT, LONG, 1e-2, v, F), BR_OK);
  for (size_t l = 0; l < LANES; l++) {
    double u = 0, z[BR_RT_SLOTS] = {0}, dz[BR_RT_SLOTS], f;
    for (size_t t = 0; t < LONG; t++) {
      m->step(par + l * m->slots, 1, &u, &v[t * LANES + l], 1e-2, z);
      u = u + v[t * LANES + l] * 1e-2;
      m->rate(par + l * m->slots, 1, &u, &v[t * LANES + l], z, dz);
      m->force(par + l * m->slots, 1, &u, &v[t * LANES + l], z, dz, &f);
      same_number(F[t * LANES + l], f);
    }
    for (size_t e = 0; e < 1 + l % 5; e++) same_number(br_batch_state(&b, l, e), z[e]);
  }
  free(par), free(v), free(F), free(mem);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_same_bits),
      cmocka_unit_test(test_special_cases),
      cmocka_unit_test(test_cases_in_the_plane),
      cmocka_unit_test(test_path),
      cmocka_unit_test(test_slipping_elements),
      cmocka_unit_test(test_unequal_members),
      cmocka_unit_test(test_errors),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

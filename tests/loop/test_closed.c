/* SPDX-License-Identifier: Apache-2.0
 * test_closed.c - closed-form loops of Dahl and LuGre: reference numbers, twenty decades of sigma0/g0 * path
 * against an evaluation in four times the digits, the Coulomb limit, transients. */
#include "loopkit.h"

#define EXAMPLE3 "sigma1=1,sigma2=0,Fc=1,Fs=2,vs=1,delta=1"

static element lugre(double sigma0)
{
  element e = element_open("lugre");
  element_set(&e, EXAMPLE3);
  element_put(&e, "sigma0", sigma0);
  return e;
}

/* ---- document 0's figures ---- */

static void check_figure(const char *fig, double sigma0)
{
  const double u[] = {0, 1, 0.5, 1.5};
  const element e = lugre(sigma0);
  double samples[21];
  br_loop *loop = loop_open(&e, 4, u, 0);
  const br_loop_summary *s = br_loop_get(loop);
  const br_turning *t = br_loop_turnings(loop);
  const br_minor *m = br_loop_minors(loop);
  assert_int_equal(s->method, BR_LOOP_CLOSED_FORM);
  assert_int_equal(s->n_turning, 4);
  assert_int_equal(s->n_minor, 1);
  for (size_t i = 0; i < 5; i++) meets_at(t[i % 4].y, 1e-12, "000/%s/y_deg(rho_%zu)", fig, i);
  assert_true(s->path_length == 4 && t[1].rho == 1 && t[2].rho == 1.5 && t[3].rho == 2.5);
  assert_int_equal(m->start_reversal, 1);
  assert_true(m->u_start == 1 && m->u_turn == 0.5 && m->rho_start == 1 && m->rho_end == 2 &&
              m->parent == BR_NO_PARENT);
  meets_at(m->y_end, 1e-12, "000/%s/y_deg(rho_5)", fig);
  meets_at(m->gap, 1e-12, "000/%s/minor_loop_gap_y(rho5)-y(rho1)", fig);
  meets_at(m->work, 1e-12, "000/%s/energy_minor_loop_int_y_du", fig);
  meets_at(m->dissipation, 1e-12, "000/%s/dissipation_minor_loop_int_y2_over_g0", fig);
  meets_at(s->work, 1e-12, "000/%s/energy_total_loop", fig);
  meets_at(s->work - m->work, 1e-12, "000/%s/energy_major_loop_int_y_du", fig);
  meets_at(s->dissipation, 1e-12, "000/%s/dissipation_total_loop_int_y2_over_g0", fig);
  for (int k = 0; k < 21; k++) samples[k] = br_loop_y(loop, 0.2 * k, k == 0 ? 1 : -1);
  char key[64];
  (void)snprintf(key, sizeof key, "000/%s/loop_samples", fig);
  meets_list(key, samples, 21, 1e-12);
  br_loop_destroy(loop);
}

static void check_speeds(const char *fig, double sigma0)
{
  const double u[] = {0, 1, 0.5, 1.5};
  const element e = lugre(sigma0);
  br_loop *limit = loop_open(&e, 4, u, 0);
  for (int g = 1; g <= 1000; g *= 10) {
    br_loop *loop = loop_open(&e, 4, u, 1.0 / (4.0 * g)); /* 4 m in 4 g seconds */
    const br_turning *t = br_loop_turnings(loop), *q = br_loop_turnings(limit);
    const double left[] = {t[1].y, t[2].y, t[3].y, t[0].y};
    double far = 0;
    char key[96];
    assert_int_equal(br_loop_get(loop)->method, BR_LOOP_CLOSED_FORM);
    (void)snprintf(key, sizeof key, "000/%s/LuGre_gamma=%d/left_limits_at_rho_1..4", fig, g);
    meets_list(key, left, 4, 1e-12);
    for (int i = 0; i < 4; i++) far = fmax(far, fabs(t[i].y - q[i].y));
    meets_at(far, 1e-11, "000/%s/LuGre_gamma=%d/max_corner_dev_from_limit", fig, g);
    near(work_between(loop, 0, 4, 40), br_loop_get(loop)->work, 1e-12);
    br_loop_destroy(loop);
  }
  br_loop_destroy(limit);
}

static void figure_11(void **state)
{
  (void)state;
  check_figure("fig11", 6);
  check_speeds("fig11", 6);
}

static void figure_12(void **state)
{
  (void)state;
  check_figure("fig12", 1);
  check_speeds("fig12", 1);
}

/* No entries in the reference file; the numbers are those of docs/corrections.md#000-3. */
static void figure_13(void **state)
{
  const double u[] = {0, 1, 0.2, 1.5};
  const element e = lugre(1);
  br_loop *loop = loop_open(&e, 4, u, 0);
  const br_minor *m = br_loop_minors(loop);
  near(m->gap, 0.02021767, 5e-9);
  near(m->work, 0.04997581, 5e-9);
  near(m->dissipation, 0.04253278, 5e-9);
  br_loop_destroy(loop);
}

static void figures_8_and_9(void **state)
{
  const double u[] = {0, 1};
  const element e = lugre(1);
  double y[21];
  char key[64];
  br_loop *loop = loop_open(&e, 2, u, 0);
  const br_turning *t = br_loop_turnings(loop);
  meets("000/fig8/y_deg_at_t=0", t[0].y, 1e-13);
  meets("000/fig8/y_deg_at_t=1", t[1].y, 1e-13);
  for (int i = 0; i < 21; i++) y[i] = br_loop_y(loop, 0.1 * i, 1);
  meets_list("000/fig8/y_deg/history", y, 21, 1e-13);
  for (int k = 0; k < 4; k++) {
    double far = 0;
    for (int i = 0; i < 21; i++) {
      y[i] = br_loop_transient(loop, NULL, 2 * k + 0.1 * i, 1);
      far = fmax(far, fabs(y[i] - br_loop_y(loop, 0.1 * i, 1)));
    }
    (void)snprintf(key, sizeof key, "000/fig8/y_star_k=%d/history", k);
    meets_list(key, y, 21, 1e-13);
    (void)snprintf(key, sizeof key, "000/fig8/sup_norm_y_star_k=%d_minus_y_deg", k);
    meets(key, far, 1e-12);
  }
  meets("000/fig9/loop_energy", br_loop_get(loop)->work, 1e-13);
  meets("000/fig9/loop_energy_as_int_y2_over_g0", br_loop_get(loop)->dissipation, 1e-13);
  meets("000/fig9/y_deg_at_u=0.5_rising", br_loop_y(loop, 0.5, 1), 1e-13);
  meets("000/fig9/y_deg_at_u=0.5_falling", br_loop_y(loop, 1.5, 1), 1e-13);
  br_loop_destroy(loop);
}

static void check_multimodal(const char *name, const element *e)
{
  const double u[] = {0, 1, 0.5, 1.5, 0.8, 1.2};
  double y[7];
  char key[160];
  br_loop *loop = loop_open(e, 6, u, 0);
  const br_loop_summary *s = br_loop_get(loop);
  const br_minor *m = br_loop_minors(loop);
  for (size_t i = 0; i < 7; i++) y[i] = br_loop_turnings(loop)[i % 6].y;
  (void)snprintf(key, sizeof key, "000/multimodal3/%s/corners_y", name);
  meets_list(key, y, 7, 1e-12);
  meets_at(s->work, 1e-12, "000/multimodal3/%s/energy_total", name);
  meets_at(s->dissipation, 1e-12, "000/multimodal3/%s/dissipation_total_int_y2_over_g0", name);
  assert_int_equal(s->n_minor, 2);
  for (int i = 0; i < 2; i++) {
    const int at = i ? 4 : 1;
    const double rho[] = {m[i].rho_start, m[i].rho_end}, ends[] = {m[i].y_start, m[i].y_end};
    assert_int_equal(m[i].start_reversal, at);
    (void)snprintf(key, sizeof key, "000/multimodal3/%s/minor_start_reversal_%d/rho_start_end", name, at);
    meets_list(key, rho, 2, 1e-15);
    (void)snprintf(key, sizeof key, "000/multimodal3/%s/minor_start_reversal_%d/y_start_end", name, at);
    meets_list(key, ends, 2, 1e-12);
    meets_at(m[i].gap, 1e-12, "000/multimodal3/%s/minor_start_reversal_%d/gap", name, at);
    meets_at(m[i].work, 1e-12, "000/multimodal3/%s/minor_start_reversal_%d/int_y_du", name, at);
    meets_at(m[i].dissipation, 1e-12, "000/multimodal3/%s/minor_start_reversal_%d/dissipation_int_y2_over_g0",
             name, at);
  }
  br_loop_destroy(loop);
}

static void three_maxima(void **state)
{
  element d = element_open("dahl"), stiff = element_open("lugre");
  const element l = lugre(6);
  check_multimodal("LuGre_sigma0=6_g0=2", &l);
  element_set(&d, "sigma0=7.5,Fc=0.75,gamma=1");
  check_multimodal("Dahl_sigma0=7.5_Fc=0.75", &d);
  element_set(&stiff, "sigma0=1e5,Fc=1,Fs=1.5");
  check_multimodal("stiff_sigma0=1e5_g0=1.5", &stiff);
}

/* Dahl with gamma = 1 is LuGre with one force level: bit for bit the same loop, whatever the names are. */
static void dahl_is_lugre(void **state)
{
  const double u[] = {0.1, -0.3, 0.2, -0.25, 0.4, -0.5};
  element d = element_open("dahl"), l = element_open("lugre");
  element_set(&d, "sigma0=7.5,Fc=0.75,gamma=1");
  element_set(&l, "sigma0=7.5,Fc=0.75,Fs=0.75");
  br_loop *a = loop_open(&d, 6, u, 0), *b = loop_open(&l, 6, u, 0);
  for (size_t i = 0; i < 6; i++) near(br_loop_turnings(a)[i].y, br_loop_turnings(b)[i].y, 1e-15);
  near(br_loop_get(a)->work, br_loop_get(b)->work, 1e-14);
  br_loop_destroy(a);
  br_loop_destroy(b);
}

/* ---- twenty decades ---- */

#if defined(__SIZEOF_FLOAT128__)
__extension__ typedef __float128 quad;
#else
typedef long double quad; /* binary128 where it is not an x86 */
#endif

/* e^x - 1 for x <= 0 in quad: Taylor after halving, then (1 + q)^2 - 1 = q (2 + q). */
static quad quad_expm1(quad x)
{
  int halved = 0;
  if (x < -200) return -1; /* e^-200 is 1e-87 */
  for (; x < -0.1; halved++) x /= 2;
  quad term = x, sum = x;
  for (int k = 2; k < 40; k++) {
    term *= x / k;
    sum += term;
  }
  while (halved-- > 0) sum *= 2 + sum;
  return sum;
}

typedef struct {
  quad a, g;
} quad_model;

static quad quad_move(const quad_model *q, quad Y, double s, quad L)
{
  return Y + (Y - s * q->g) * quad_expm1(-q->a * L);
}

/* integral of Y^2 / g over an arc: Gauss where the arc is short in a L, the antiderivative where it is long.
 */
static quad quad_dissipation(const quad_model *q, quad Y, double s, quad L)
{
  static const double node[] = {0.1488743389816312, 0.4333953941292472, 0.6794095682990244,
                                0.8650633666889845, 0.9739065285171717};
  static const double weight[] = {0.2955242247147529, 0.2692667193099963, 0.2190863625159820,
                                  0.1494513491505806, 0.0666713443086881};
  const quad c = Y - s * q->g, m = -quad_expm1(-q->a * L), m2 = -quad_expm1(-2 * q->a * L);
  quad sum = 0;
  if (q->a * L > 2) return (q->g * q->g * L + 2 * s * q->g * c * m / q->a + c * c * m2 / (2 * q->a)) / q->g;
  for (int k = 0; k < 5; k++)
    for (int side = -1; side <= 1; side += 2) {
      const quad y = quad_move(q, Y, s, L * (1 + side * (quad)node[k]) / 2);
      sum += (quad)weight[k] * y * y * L / 2;
    }
  return sum / q->g;
}

static void same(double got, quad want, quad size, double x, const char *what)
{
  quad off = got - want, scale = want < 0 ? -want : want;
  if (size > scale) scale = size;
  if (off < 0) off = -off;
  if (!(off <= 1e-13 * scale))
    fail_msg("%s at sigma0/g0 * path = %.3g: %.17g, expected %.17g (relative %.2g)", what, x, got,
             (double)want, (double)(off / scale));
}

/* General formula by composition of arcs, y0 = b / (1 - e^-aR), against the library. */
static void check_decade(double x, const double *u, size_t n)
{
  element e = element_open("lugre");
  double R = 0;
  quad Y[16], b = 0, exact = 0, D = 0;
  for (size_t i = 0; i < n; i++) R += fabs(u[(i + 1) % n] - u[i]);
  element_set(&e, "sigma1=0,sigma2=0,Fc=1,Fs=2,vs=1");
  element_put(&e, "sigma0", 2 * x / R);
  const double sigma0 = element_get(&e, "sigma0");
  const quad_model q = {(quad)sigma0 / 2, 2};
  br_loop *loop = loop_open(&e, n, u, 0);
  const br_loop_summary *s = br_loop_get(loop);
  assert_int_equal(s->method, BR_LOOP_CLOSED_FORM);
  assert_int_equal(s->n_turning, n);
  for (size_t i = 0; i < n; i++) {
    const quad d = (quad)u[(i + 1) % n] - u[i];
    b = quad_move(&q, b, d > 0 ? 1 : -1, d > 0 ? d : -d);
    exact += d > 0 ? d : -d;
  }
  Y[0] = b / -quad_expm1(-q.a * exact);
  for (size_t i = 0; i < n; i++) {
    const quad d = (quad)u[(i + 1) % n] - u[i], L = d > 0 ? d : -d;
    D += quad_dissipation(&q, Y[i], d > 0 ? 1 : -1, L);
    Y[i + 1] = quad_move(&q, Y[i], d > 0 ? 1 : -1, L);
    same(br_loop_turnings(loop)[i].y, Y[i], 0, x, "y");
  }
  same(s->work, D, 0, x, "work");
  same(s->dissipation, D, 0, x, "dissipation");
  for (size_t k = 0; k < s->n_minor; k++) {
    const br_minor *m = &br_loop_minors(loop)[k];
    quad y = Y[m->start_reversal], left, minor = 0, largest = y < 0 ? -y : y;
    size_t i = m->start_reversal;
    for (left = (quad)m->rho_end - m->rho_start; left > 1e-12;) {
      quad d = (quad)u[(i + 1) % n] - u[i], L = d > 0 ? d : -d;
      const double dir = d > 0 ? 1 : -1;
      if (L >= left * (1 - 1e-12)) { /* last arc: back to u_start, exactly */
        L = (quad)m->u_start - u[i];
        L = L > 0 ? L : -L;
        left = 0;
      } else {
        left -= L;
      }
      minor += quad_dissipation(&q, y, dir, L);
      y = quad_move(&q, y, dir, L);
      if ((y < 0 ? -y : y) > largest) largest = y < 0 ? -y : y;
      i = (i + 1) % n;
    }
    const quad gap = y - Y[m->start_reversal],
               stored = (y * y - Y[m->start_reversal] * Y[m->start_reversal]) / (2 * sigma0);
    /* the gap is an integral of a Y over the loop, in which a symmetric input cancels both signs of Y */
    const quad swing =
        q.a * (m->rho_end - m->rho_start) > 1 ? q.g : q.a * (m->rho_end - m->rho_start) * largest;
    same(m->gap, gap, swing, x, "gap");
    same(m->y_end, y, 0, x, "y_end");
    same(m->dissipation, minor, 0, x, "minor dissipation");
    same(m->work, minor + stored, stored < 0 ? -stored : stored, x, "minor work");
  }
  br_loop_destroy(loop);
}

static void twenty_decades(void **state)
{
  const double two[] = {0, 1}, four[] = {0, 1, 0.5, 1.5}, six[] = {0.3, -1.25, 0.8, -0.7, 0.1, -1.5};
  if (sizeof(quad) < 16) skip();
  for (int k = -12 * 4; k <= 8 * 4; k++) {
    const double x = pow(10, 0.25 * k);
    check_decade(x, two, 2);
    check_decade(x, four, 4);
    check_decade(x, six, 6);
  }
}

/* sigma0 = 1e6: every exponential between corners underflows; what is left is Coulomb with an exact
 * remainder. */
static void coulomb_limit(void **state)
{
  const double u[] = {0, 1, 0.5, 1.5};
  const element e = lugre(1e6);
  br_loop *loop = loop_open(&e, 4, u, 0);
  const br_turning *t = br_loop_turnings(loop);
  for (int i = 0; i < 4; i++) assert_true(t[i].y == (i % 2 ? 2.0 : -2.0));
  for (int i = 0; i < 4; i++)
    for (double r = 1e-8; r < 1e-4; r *= 10) {
      const double dir = i % 2 ? -1.0 : 1.0,
                   want = dir * 2 * (1 - 2 * exp(-5e5 * r)); /* from -dir g towards dir g */
      near(br_loop_y(loop, t[i].rho + r, 1), want, 4e-10);
    }
  assert_true(br_loop_minors(loop)->gap == 0);
  /* each arc of length L costs g (L - 2 / a): the elastic swing from -g to g */
  near(br_loop_get(loop)->work, 2 * (4 - 4 * 2 / 5e5), 1e-14 * 8);
  br_loop_destroy(loop);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(figure_11),       cmocka_unit_test(figure_12),     cmocka_unit_test(figure_13),
      cmocka_unit_test(figures_8_and_9), cmocka_unit_test(three_maxima),  cmocka_unit_test(dahl_is_lugre),
      cmocka_unit_test(twenty_decades),  cmocka_unit_test(coulomb_limit),
  };
  return cmocka_run_group_tests_name("loop/closed", tests, references_load, references_drop);
}

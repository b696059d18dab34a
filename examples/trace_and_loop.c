/* SPDX-License-Identifier: Apache-2.0
 * trace_and_loop.c - an element under given motion: row by row, as columns, steady loops, waveforms, classes.
 * */
#include <stdio.h>

#include "bristle/bristle.h"

enum { ROWS = 64 };

static int traced(const br_model *m, const double *par, const br_signal *in, br_err *err)
{
  br_trace_options o = br_trace_options_default();
  const br_signal *inputs[] = {in};
  const br_trace_row *row = NULL;
  br_trace *trace = NULL;
  double t[ROWS], F[ROWS], steady = 0;
  char name[32];
  const char *unit = NULL;
  size_t n = 0;
  o.t_end = 1, o.dt = 0.05;
  if (br_trace_create(m, par, inputs, &o, &trace, err) || br_trace_next(trace, &row, err) ||
      br_trace_fill(trace, ROWS, t, NULL, NULL, F, NULL, &n, err))
    return 1;
  printf("%zu rows of %g s up to %g s, %zu states (%s); %zu pieces; F(%g s) = %.6g N\n",
         br_trace_count(trace), br_trace_dt(trace), br_trace_end(trace), br_trace_states(trace),
         br_state_name(m, par, 0, sizeof name, name, &unit), br_trace_statistics(trace).pieces, t[n - 1],
         F[n - 1]);
  br_trace_destroy(trace);
  double slip = 0, z[8];
  if (br_steady_force(m, par, 1, 0.01, 1, &steady, err) || m->nstate(par) > 8 ||
      br_steady_state(m, par, 1, 0.01, 1, &slip, z, err))
    return 1;
  printf("steady sliding at 1 cm/s: %.6g N, %s = %.6g %s\n", steady, name, z[0], unit);
  return 0;
}

static int looped(const br_model *m, const double *par, br_err *err)
{
  static const double U[] = {0, 1e-3, 5e-4, 1.5e-3}, Z0[4] = {0};
  br_loop_settings set = br_loop_settings_default();
  br_loop *loop = NULL, *of_sine = NULL;
  br_loop_walk *walk = NULL;
  br_signal *in = NULL;
  if (br_loop_create(m, par, 4, U, 0, &set, &loop, err) || br_signal_parse("sine:1mm,1Hz", &in, err) ||
      br_loop_of_signal(m, par, in, &set, &of_sine, err) || br_loop_walk_create(loop, Z0, &walk, err))
    return 1;
  const br_loop_summary *s = br_loop_get(loop);
  printf("loop: work %.6g J, y(%g m) = %.6g N, first turning at y = %.6g N, gap %.3g N; transient %.6g N, "
         "walked %.6g N\n",
         s->work, br_loop_u(loop, 5e-4), br_loop_y(loop, 5e-4, 1), br_loop_turnings(loop)[0].y,
         br_loop_minors(loop)[0].gap, br_loop_transient(loop, Z0, 5e-4, 1), br_loop_walk_y(walk, 5e-4, 1));
  br_loop_walk_destroy(walk);
  br_loop_destroy(loop), br_loop_destroy(of_sine);

  /* The same motion in its own time, and how far from rate independence it is. */
  static const double SCALES[] = {1, 10};
  br_wave_settings ws = br_wave_settings_default();
  br_rate_row rows[2];
  br_wave *wave = NULL;
  ws.samples = 50;
  if (br_wave_create(m, par, in, &ws, &wave, err) || br_rate_distance(m, par, in, &ws, 2, SCALES, rows, err))
    return 1;
  printf("waveform: %zu points, work %.6g J; distance to the slowest %.3g N\n", br_wave_get(wave)->n,
         br_wave_get(wave)->work, rows[0].steady);
  br_wave_destroy(wave);
  br_signal_destroy(in);
  return 0;
}

static void told(void *ctx, const char *text)
{
  (void)ctx;
  printf("note: %s\n", text);
}

static int classified(const br_model *m, const double *par, br_err *err)
{
  const br_stop never = {NULL, NULL};
  br_class_report c;
  br_energy_report e;
  br_memory_report memory;
  double bound[4], share = 0;
  const br_table1_row *row = br_table1_printed(m, par);
  if (br_classify(m, par, &c, err) || br_classify_until(m, par, &never, &c, err) ||
      br_admissible(m, par, &e, err) || br_admissible_until(m, par, &never, &e, err) ||
      br_state_bounds(m, par, 1, bound, err))
    return 1;
  if (br_memory(m, par, br_natural_amplitude(m, par), &memory, err) ||
      br_hysteresis(m, par, &never, &share, err))
    return 1;
  printf("%s: rate dependent %d, printed in Table I as '%s'; energy: %s; |z| <= %.3g m; return points move "
         "by %.1e; its slowest loop fills %.2g of its box\n",
         m->name, c.measured.rate_dependent, row ? row->duhem : "-", br_admissibility_text(e.verdict),
         bound[0], memory.return_point, share);
  const double far[4] = {2 * bound[0], 0, 0, 0};
  br_state_notes(m, par, 1, far, told, NULL);
  return 0;
}

int main(void)
{
  const br_model *m = br_model_find("dahl");
  br_params *p = NULL;
  br_signal *in = NULL;
  br_err err = {BR_OK, -1, ""};
  if (br_params_create(m, &p, &err) || br_params_finish(p, &err) ||
      br_signal_parse("sine:1mm,1Hz", &in, &err))
    return 1;
  const double *par = br_params_block(p, "model");
  const int bad = traced(m, par, in, &err) || looped(m, par, &err) || classified(m, par, &err);
  if (bad) (void)fprintf(stderr, "%s\n", err.msg);
  br_signal_destroy(in);
  br_params_destroy(p);
  return bad;
}

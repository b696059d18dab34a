/* SPDX-License-Identifier: Apache-2.0
 * fit_a_record.c - parameters of a friction model from a record of motion and force. */
#include <math.h>
#include <stdio.h>

#include "bristle/bristle.h"

enum { N = 2000 };

int main(void)
{
  static double t[N], u[N], F[N];
  br_fit_options o = br_fit_options_default();
  br_fit *fit = NULL;
  br_err err = {BR_OK, -1, ""};
  const br_model *m = br_model_find("dahl");
  double par[64], z[1] = {0}, dz[1], position = 0;
  m->defaults(par);
  par[br_model_param(m, "sigma0")->slot] = 2e5, par[br_model_param(m, "Fc")->slot] = 30;
  m->prepare(par);
  for (int k = 0; k < N; k++) { /* what a test rig would have measured */
    const double v = 3e-3 * cos(3 * 1e-3 * k), h = 1e-3;
    m->rate(par, 1, &position, &v, z, dz);
    m->force(par, 1, &position, &v, z, dz, &F[k]);
    t[k] = h * k, u[k] = position;
    m->step(par, 1, &position, &v, h, z);
    position += v * h;
  }
  const br_fit_record record = {N, t, u, F, NULL, NULL, 1};
  o.model = "dahl";
  o.train[0] = 0, o.train[1] = N / 2, o.test[0] = N / 2, o.test[1] = N;
  o.threads = 1;
  if (br_fit_create(&record, &o, &fit, &err)) {
    (void)fprintf(stderr, "%s\n", err.msg);
    return 1;
  }
  const br_fit_model *best = br_fit_at(fit, 0);
  for (size_t i = 0; i < best->nvalues; i++)
    printf("%s = %.6g %s [%.6g, %.6g]\n", best->values[i].name, best->values[i].value, best->values[i].unit,
           best->values[i].low, best->values[i].high);
  printf("%s; error of the other half %.3g; %zu samples\n", br_fit_reason(fit), best->rel_test,
         br_fit_curves(fit).n);
  for (size_t i = 0; br_fit_note(fit, i); i++) printf("note: %s\n", br_fit_note(fit, i));
  for (size_t i = 0; br_fit_warning(fit, i); i++) printf("warning: %s\n", br_fit_warning(fit, i));
  const br_model *failed = NULL; /* of --model all, none here */
  for (size_t i = 0; br_fit_left_out(fit, i, &failed); i++)
    printf("%s was left out: %s\n", failed->name, br_fit_left_out(fit, i, &failed));
  br_fit_destroy(fit);
  return 0;
}

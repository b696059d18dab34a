/* SPDX-License-Identifier: Apache-2.0
 * space.c - coordinates of a search: which parameters of a model force data can tell, in which scale each is
 * moved, from where it starts.  Models whose rows need nothing special are read from their table. */
#include <math.h>
#include <string.h>

#include "../../core/elementary.h"
#include "bristle/param.h"
#include "bristle/unit.h"
#include "fit.h"
#include "text/fail.h"

/* What the table of a model cannot say.  factor: of the start that the unit gives. */
typedef struct {
  const char *model, *name; /* model NULL: any */
  enum { MOVE, HOLD, ABOVE, RATIO, SHARE, REST, EXPONENT, SIGNED } how;
  const char *ref, *over;
  double factor;
  const char *unit; /* in place of the row's */
} rule;
static const rule RULES[] = {
    {"karnopp", "Fs", HOLD, NULL, NULL, 0, NULL}, /* forces in motion do not show it */
    {"karnopp", "dv", HOLD, NULL, NULL, 0, NULL},
    {NULL, "Fs", ABOVE, "Fc", NULL, 0.2, NULL},
    {NULL, "sigma1", MOVE, NULL, NULL, 0.03, NULL},
    {NULL, "sigma2", MOVE, NULL, NULL, 0.05, NULL},
    {NULL, "vs", MOVE, NULL, NULL, 1, "m/s"},
    {NULL, "vd", HOLD, NULL, NULL, 0, NULL},
    {"lugre_elastoplastic", "z_ba", RATIO, "Fc", "sigma0", 0.4, NULL},
    {"bliman_sorine", "f1", MOVE, NULL, NULL, 2, NULL},
    {"bliman_sorine", "f2", RATIO, "f1", NULL, 0.4, NULL},
    {"bliman_sorine", "eps", MOVE, NULL, NULL, 3, NULL},
    {"bliman_sorine", "eta", EXPONENT, NULL, NULL, 0.3, NULL},
    {"bouc_wen", "beta", MOVE, NULL, NULL, 0.6, NULL},
    {"bouc_wen", "gamma", REST, "beta", NULL, 0, NULL},
    {"bouc_wen", "eta", EXPONENT, NULL, NULL, 1.3, NULL},
    {"bouc_wen", "kappa", MOVE, NULL, NULL, 1e-3, NULL},
    {"bouc_wen_asymmetric", "phi", SIGNED, NULL, NULL, 0, NULL},
    {"bouc_wen_biaxial", "beta", MOVE, NULL, NULL, 0.6, NULL},
    {"bouc_wen_biaxial", "gamma", REST, "beta", NULL, 0, NULL},
    {"bouc_wen_biaxial", "eta", EXPONENT, NULL, NULL, 1.3, NULL},
    {"bouc_wen_biaxial", "kappa", MOVE, NULL, NULL, 1e-3, NULL},
    {"duhem_lugre", "g0", MOVE, NULL, NULL, 1, "1/m"},
    {"duhem_lugre", "uy", HOLD, NULL, NULL, 0, NULL}, /* its power is a factor of g0 */
    {"duhem_lugre", "kappa", HOLD, NULL, NULL, 0, NULL},
    {"duhem_lugre", "inv_d0", HOLD, NULL, NULL, 0, NULL},
    {"duhem_lugre", "Ts", MOVE, NULL, NULL, 0.03, NULL},
    {"gms", "k", MOVE, NULL, NULL, 1, NULL},
    {"gms", "alpha", SHARE, NULL, NULL, 1, NULL},
    {"gms", "C", MOVE, NULL, NULL, 1, NULL},
    {"maxwell_slip", "k", MOVE, NULL, NULL, 1, NULL},
    {"maxwell_slip", "Delta", MOVE, NULL, NULL, 1, NULL},
};

static const rule *rule_of(const br_model *m, const char *name)
{
  for (size_t i = 0; i < sizeof RULES / sizeof RULES[0]; i++)
    if (strcmp(RULES[i].name, name) == 0 && (!RULES[i].model || strcmp(RULES[i].model, m->name) == 0))
      return &RULES[i];
  return NULL;
}

const char *bri_space_unusual(const br_model *m, size_t axes)
{
  if ((size_t)m->axes != axes) return m->axes == 1 ? "one axis" : "two axes";
  if (strcmp(m->name, "karnopp") == 0) return "in motion it is coulomb without a Stribeck curve";
  if (strcmp(m->name, "semilinear_duhem") == 0) return "its matrices are given (--fix), not fitted; D is";
  if (strcmp(m->name, "haessig_friedland") == 0)
    return "its bonds form at random places, which no record tells";
  if (strcmp(m->name, "tomlinson") == 0)
    return "it jumps from well to well, and slopes do not show where the wells lie: give a (--fix)";
  return NULL;
}

/* Does the force depend on it, and is it a number that may move? */
static int may_move(const br_param *row, const rule *how, const br_fit_options *o)
{
  if (row->choices) return 0;
  if (bri_fit_listed(o->free_names, row->name)) return row->max_len == 1 || how;
  if (how) return how->how != HOLD;
  return row->max_len == 1 && strcmp(row->unit, "1") != 0;
}

static size_t slot_of(const br_model *m, const char *name)
{
  const br_param *row = name ? br_model_param(m, name) : NULL;
  return row ? row->slot : SIZE_MAX;
}

/* Where a parameter of this unit starts. */
static double start_of(const char *unit, const bri_fit_scales *at)
{
  br_unit u;
  if (br_unit_parse(unit, strlen(unit), &u, NULL)) return 1;
  const double a = u.dim[BR_DIM_MASS], b = u.dim[BR_DIM_LENGTH], c = u.dim[BR_DIM_TIME];
  return bri_pow(at->level, a) * bri_pow(at->way, b - a) * bri_pow(at->way / at->speed, c + 2 * a);
}

static const char *unit_of(const bri_coord *c, const rule *how)
{
  return how && how->unit ? how->unit : c->row->unit;
}

/* Kind, scale and bounds of one coordinate. */
static void settle(const br_model *m, const rule *how, const bri_fit_scales *at, bri_coord *c)
{
  const br_param *row = c->row;
  const double usual = start_of(unit_of(c, how), at);
  const double WIDE = bri_log(1e7);
  c->scale = 1, c->ref = c->over = SIZE_MAX;
  if (how && how->ref) c->ref = slot_of(m, how->ref), c->over = slot_of(m, how->over);
  const int linked = how && how->ref && c->ref != SIZE_MAX;
  if (linked && how->how == ABOVE) {
    c->kind = BRI_COORD_ABOVE, c->scale = usual, c->lo = 0, c->hi = 20;
  } else if (linked && how->how == RATIO) {
    c->kind = BRI_COORD_RATIO, c->lo = 1e-3, c->hi = 0.999;
  } else if (linked && how->how == REST) {
    c->kind = BRI_COORD_REST;
  } else if (how && how->how == SIGNED) { /* a share of either side */
    c->kind = BRI_COORD_LIN, c->lo = -0.95, c->hi = 0.95;
  } else if (how && how->how == SHARE) {
    c->kind = BRI_COORD_SHARE, c->lo = -9, c->hi = 9;
  } else if (strcmp(row->unit, "1") == 0 && !(how && how->unit) && row->lo >= 0 && row->hi == 1 &&
             !row->lo_open) {
    c->kind = BRI_COORD_LIN, c->lo = 0, c->hi = 0.98;
  } else if (strcmp(row->unit, "1") == 0 && !(how && how->unit) && row->lo >= 0) { /* an exponent */
    c->kind = BRI_COORD_LOG, c->lo = bri_log(0.05),
    c->hi = isfinite(row->hi) ? bri_log(0.98 * row->hi) : bri_log(20);
  } else if (strcmp(row->unit, "1") == 0 && !(how && how->unit)) {
    c->kind = BRI_COORD_LIN, c->lo = 0.02, c->hi = 20;
  } else if (row->lo == 0 && !row->lo_open && row->max_len == 1) {
    c->kind = BRI_COORD_LIN, c->scale = usual, c->lo = 0, c->hi = 1e7;
  } else if (row->lo >= 0) {
    c->kind = BRI_COORD_LOG, c->lo = bri_log(usual) - WIDE, c->hi = bri_log(usual) + WIDE;
  } else {
    c->kind = BRI_COORD_LIN, c->scale = usual, c->lo = -1e7, c->hi = 1e7;
  }
}

/* Coordinates that refer to others stand behind them, those without an x last. */
static int rank(const bri_coord *c)
{
  return c->kind <= BRI_COORD_LIN ? 0 : c->kind < BRI_COORD_REST ? 1 : 2;
}

static void sort(bri_space *s)
{
  for (size_t i = 1; i < s->all; i++)
    for (size_t k = i; k > 0 && rank(&s->c[k - 1]) > rank(&s->c[k]); k--) {
      const bri_coord c = s->c[k];
      s->c[k] = s->c[k - 1], s->c[k - 1] = c;
    }
}

static br_status too_many(const br_model *m, br_err *err)
{
  return bri_fail(err, BR_E_SIZE, "%s: more than %d parameters to fit", m->name, BRI_FIT_MOST);
}

/* Values of --fix in the block; the names must be of this model (or of another that is tried). */
static br_status fixed_values(const br_model *m, const br_fit_options *o, double *base, unsigned char *held,
                              br_err *err)
{
  br_params *p = NULL;
  memset(held, 0, m->nparam);
  br_status st = br_params_create(m, &p, err);
  if (!st && o->fix) st = br_params_set_list(p, o->fix, err);
  for (size_t i = 0; i < m->nparam && !st; i++) {
    const br_param *row = &m->params[i];
    double x[BRI_FIT_SLOTS];
    size_t n = 0;
    if (!br_params_given(p, row->name)) continue;
    held[i] = 1;
    st = br_params_get(p, row->name, BRI_FIT_SLOTS, x, &n, err);
    for (size_t k = 0; k < n && !st; k++) base[row->slot + k] = x[k];
    if (row->max_len > 1) base[row->len_slot] = (double)n;
  }
  br_params_destroy(p);
  return st;
}

/* Rows that a rule links: Fs above Fc, f2 below f1, z_ba below Fc / sigma0. */
static int linked_rows(const br_model *m, size_t i, const rule **how, size_t *ref, size_t *over)
{
  *how = rule_of(m, m->params[i].name);
  *ref = *over = SIZE_MAX;
  if (!*how || ((*how)->how != ABOVE && (*how)->how != RATIO)) return 0;
  for (size_t k = 0; k < m->nparam; k++) {
    if (strcmp(m->params[k].name, (*how)->ref) == 0) *ref = k;
    if ((*how)->over && strcmp(m->params[k].name, (*how)->over) == 0) *over = k;
  }
  return *ref != SIZE_MAX;
}

/* Values of --fix that no others could make right. */
static br_status clash(const br_model *m, const double *base, const unsigned char *held, br_err *err)
{
  const rule *how = NULL;
  size_t ref = 0, over = 0;
  for (size_t i = 0; i < m->nparam; i++) {
    if (!held[i] || !linked_rows(m, i, &how, &ref, &over)) continue;
    if (!held[ref] || (over != SIZE_MAX && !held[over])) continue;
    const double x = base[m->params[i].slot], r = base[m->params[ref].slot],
                 y = over != SIZE_MAX ? base[m->params[over].slot] : 1;
    const char *const names[] = {how->name, how->ref, how->over ? " / " : "", how->over ? how->over : ""};
    if (how->how == ABOVE ? x < r : x * y >= r)
      return bri_fail(err, BR_E_RANGE, "fix: %s = %.9g is %s %s%s%s = %.9g: %s needs %s %s %s%s%s", names[0],
                      x, how->how == ABOVE ? "below" : "not below", names[1], names[2], names[3], r / y,
                      m->name, names[0], how->how == ABOVE ? ">=" : "<", names[1], names[2], names[3]);
  }
  return BR_OK;
}

br_status bri_space_clash(const br_model *m, const char *fix, br_err *err)
{
  double base[BRI_FIT_SLOTS];
  unsigned char held[64];
  br_fit_options o = br_fit_options_default();
  if (!fix || m->slots > BRI_FIT_SLOTS || m->nparam > sizeof held) return BR_OK;
  o.fix = fix;
  m->defaults(base);
  const br_status st = fixed_values(m, &o, base, held, err);
  return st ? st : clash(m, base, held, err);
}

static bri_coord *coord_of(bri_space *s, size_t slot)
{
  for (size_t j = 0; j < s->all; j++)
    if (s->c[j].slot == slot) return &s->c[j];
  return NULL;
}

/* What is fixed on one side of a rule bounds what is free on the other. */
static void bound_by_held(bri_space *s, const unsigned char *held)
{
  const br_model *m = s->m;
  const rule *how = NULL;
  size_t ref = 0, over = 0;
  for (size_t i = 0; i < m->nparam; i++) {
    if (!held[i] || !linked_rows(m, i, &how, &ref, &over)) continue;
    const double x = s->base[m->params[i].slot];
    bri_coord *r = coord_of(s, m->params[ref].slot),
              *o = over != SIZE_MAX ? coord_of(s, m->params[over].slot) : NULL;
    if (o && x > 0) { /* the divisor as a part of what it may be */
      o->kind = BRI_COORD_RATIO, o->lo = 1e-6, o->hi = 0.999;
      o->ref = m->params[ref].slot, o->over = m->params[i].slot, o->scale = 1;
      continue;
    }
    const double end = how->how == ABOVE  ? x
                       : over != SIZE_MAX ? 1.001 * x * s->base[m->params[over].slot]
                                          : 1.001 * x;
    if (!r || !(end > 0) || (r->kind != BRI_COORD_LOG && r->kind != BRI_COORD_LIN)) continue;
    const double at = r->kind == BRI_COORD_LOG ? bri_log(end) : end / r->scale;
    if (how->how == ABOVE) r->hi = at, r->lo = fmin(r->lo, at - 1);
    else r->lo = at, r->hi = fmax(r->hi, at + 1);
  }
}

br_status bri_space_make(const br_model *m, const bri_fit_data *d, const br_fit_options *o, size_t elements,
                         bri_space *s, br_err *err)
{
  unsigned char held[64];
  const bri_fit_scales at = {d->level, d->stroke / 30, d->fast, elements};
  memset(s, 0, sizeof *s);
  s->m = m, s->elements = elements;
  if (m->slots + BRI_FIT_OWN > BRI_FIT_SLOTS || m->nparam > sizeof held)
    return bri_fail(err, BR_E_SIZE, "fit: %s has too many parameters", m->name);
  m->defaults(s->base);
  br_status st = fixed_values(m, o, s->base, held, err);
  if (!st) st = clash(m, s->base, held, err);
  if (st) return st;
  for (size_t i = 0; i < m->nparam; i++) /* as many elements as a vector that is fixed has */
    if (held[i] && m->params[i].max_len > 1 && rule_of(m, m->params[i].name))
      elements = (size_t)s->base[m->params[i].len_slot];
  for (size_t i = 0; i < m->nparam; i++) {
    const br_param *row = &m->params[i];
    const rule *how = rule_of(m, row->name);
    const int rate = row->max_len == 1 && !d->timed && strpbrk(row->unit, "s") != NULL; /* needs a clock */
    if (rate && !held[i]) s->base[row->slot] = row->lo_open ? row->def : 0;
    if (held[i] || rate || !may_move(row, how, o)) continue;
    const size_t count = row->max_len > 1 ? elements : 1;
    if (row->max_len > 1) s->base[row->len_slot] = (double)count;
    for (size_t e = 0; e < count; e++) {
      if (how && how->how == SHARE && e == 0) {
        s->base[row->slot] = 1;
        continue;
      }
      if (s->all >= BRI_FIT_MOST) return too_many(m, err);
      bri_coord *c = &s->c[s->all++];
      *c = (bri_coord){.slot = row->slot + e, .row = row, .element = e};
      settle(m, how, &at, c);
    }
  }
  const br_status more = bri_terms_add(s, d, o, err);
  if (more) return more;
  /* the quasi-static limit has no Stribeck effect */
  if (!d->timed)
    for (size_t i = 0; i < s->all; i++)
      if (s->c[i].kind == BRI_COORD_ABOVE) s->c[i--] = s->c[--s->all];
  bound_by_held(s, held);
  sort(s);
  for (s->n = 0; s->n < s->all && s->c[s->n].kind != BRI_COORD_REST;) s->n++;
  if (!s->n) return bri_fail(err, BR_E_ARG, "%s: nothing is left to fit: every parameter is fixed", m->name);
  return BR_OK;
}

void bri_space_start(const bri_space *s, const bri_fit_scales *at, double *x)
{
  for (size_t j = 0; j < s->n; j++) {
    const bri_coord *c = &s->c[j];
    if (bri_terms_own(c->row)) {
      x[j] = 0;
      continue;
    }
    const rule *how = rule_of(s->m, c->row->name);
    const double factor = how && how->factor > 0 ? how->factor : 1;
    double value = factor * start_of(unit_of(c, how), at);
    if (strcmp(unit_of(c, how), "1") == 0) value = how && how->factor > 0 ? how->factor : c->row->def;
    if (c->row->max_len > 1 && c->kind == BRI_COORD_LOG) { /* elements: a row of stiffnesses and widths */
      const double n = (double)at->elements, e = (double)c->element;
      value *= strcmp(c->row->name, "Delta") == 0 ? bri_pow(3, e - (n - 1) / 2)
                                                  : 1 / n * bri_pow(2, -e + (n - 1) / 2);
    }
    switch (c->kind) {
    case BRI_COORD_LOG: x[j] = bri_log(fmax(value, 1e-300)); break;
    case BRI_COORD_ABOVE: x[j] = factor * at->level / c->scale; break;
    case BRI_COORD_RATIO: x[j] = factor; break;
    case BRI_COORD_SHARE: x[j] = 0; break;
    case BRI_COORD_LIN:
    case BRI_COORD_REST: x[j] = value / c->scale; break;
    }
    x[j] = fmin(fmax(x[j], c->lo), c->hi);
  }
}

double bri_space_coordinate(const bri_coord *c, const double *block)
{
  const double value = block[c->slot], ref = c->ref != SIZE_MAX ? block[c->ref] : 0,
               over = c->over != SIZE_MAX ? block[c->over] : 1;
  switch (c->kind) {
  case BRI_COORD_LOG: return bri_log(fmax(value, 1e-300));
  case BRI_COORD_SHARE: return bri_log(fmax(value, 1e-9) / fmax(block[c->slot - c->element], 1e-9));
  case BRI_COORD_ABOVE: return (value - ref) / c->scale;
  case BRI_COORD_RATIO: return value * over / ref;
  default: return value / c->scale;
  }
}

/* Exponents for which a kernel has a closed form of its own would hide their slope: a hair beside them. */
static double beside(double value) { return value == 1 || value == 2 ? value * (1 + 1e-7) : value; }

/* Shares: exp(x) over their sum. */
static void add_up(const bri_space *s, const br_param *row, double *block, double *G)
{
  const size_t n = (size_t)block[row->len_slot], slots = bri_space_width(s);
  double sum = 0;
  for (size_t e = 0; e < n; e++) sum += block[row->slot + e];
  for (size_t j = 0; G && j < s->n; j++) {
    double *g = G + j * slots + row->slot, down = 0;
    for (size_t e = 0; e < n; e++) down += g[e];
    for (size_t e = 0; e < n; e++) g[e] = (g[e] - block[row->slot + e] / sum * down) / sum;
  }
  for (size_t e = 0; e < n; e++) block[row->slot + e] /= sum;
}

void bri_space_block(const bri_space *s, const double *x, double *block, double *G)
{
  const size_t slots = bri_space_width(s);
  const br_param *shares = NULL;
  memcpy(block, s->base, slots * sizeof *block);
  if (G) memset(G, 0, s->n * slots * sizeof *G);
  for (size_t j = 0; j < s->all; j++) {
    const bri_coord *c = &s->c[j];
    const double at = j < s->n ? x[j] : 0;
    const double ref = c->ref != SIZE_MAX ? block[c->ref] : 1,
                 over = c->over != SIZE_MAX ? block[c->over] : 1;
    double own = 0, by_ref = 0, by_over = 0;
    switch (c->kind) {
    case BRI_COORD_SHARE: shares = c->row; /* fall through */
    case BRI_COORD_LOG: own = block[c->slot] = beside(bri_exp(at)); break;
    case BRI_COORD_LIN: block[c->slot] = c->scale * at, own = c->scale; break;
    case BRI_COORD_ABOVE: block[c->slot] = ref + c->scale * at, own = c->scale, by_ref = 1; break;
    case BRI_COORD_RATIO:
      block[c->slot] = at * ref / over, own = ref / over, by_ref = at / over,
      by_over = -at * ref / (over * over);
      break;
    case BRI_COORD_REST: block[c->slot] = 1 - ref, by_ref = -1; break;
    }
    for (size_t i = 0; G && i < s->n; i++) {
      double *g = G + i * slots;
      g[c->slot] = (i == j ? own : 0) + (c->ref != SIZE_MAX ? by_ref * g[c->ref] : 0) +
                   (c->over != SIZE_MAX ? by_over * g[c->over] : 0);
    }
  }
  if (shares) add_up(s, shares, block, G);
  s->m->prepare(block);
}

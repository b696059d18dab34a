/* SPDX-License-Identifier: Apache-2.0
 * take.c - the question of a page elsewhere: as a command, a study file, a line of Python, a C header. */
#include <string.h>

#include "base/alloc.h"
#include "control/analysis.h"
#include "lab.h"

/* "set.Fc" is Fc of the group "set"; NULL: not of the group. */
static const char *inside(const char *name, const char *group)
{
  const size_t n = strlen(group);
  return strncmp(name, group, n) == 0 && name[n] == '.' ? name + n + 1 : NULL;
}

static const char *const GROUPS[] = {"set", "input", "init"};
enum { NGROUPS = sizeof GROUPS / sizeof GROUPS[0] };

static int grouped(const char *name)
{
  for (size_t g = 0; g < NGROUPS; g++)
    if (inside(name, GROUPS[g])) return 1;
  return 0;
}

static size_t members(const lab_pairs *p, const char *group)
{
  size_t n = 0;
  for (size_t i = 0; i < p->n; i++) n += inside(p->list[i].name, group) != NULL;
  return n;
}

/* ---- a command: quotes where a shell would see something in a word ---- */

static void put_word(bri_buf *to, const char *s)
{
  static const char PLAIN[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./,:=+%@";
  const int plain = s[0] && !s[strspn(s, PLAIN)];
  bri_buf_text(to, plain ? "" : "'");
  for (; *s; s++)
    if (*s == '\'') bri_buf_text(to, "'\\''");
    else bri_buf_add(to, s, 1);
  bri_buf_text(to, plain ? "" : "'");
}

static void put_list(bri_buf *to, const lab_pairs *p, const char *group)
{
  bri_buf list = {0};
  for (size_t i = 0; i < p->n; i++) {
    const char *name = inside(p->list[i].name, group);
    if (name) bri_buf_printf(&list, "%s%s=%s", list.used ? "," : "", name, p->list[i].text);
  }
  if (list.used) bri_buf_printf(to, " --%s ", group), put_word(to, list.text);
  bri_buf_free(&list);
}

static void put_command(bri_buf *to, const lab_pairs *p, const br_analysis *a)
{
  bri_buf_printf(to, "bristle %s", a->name);
  for (size_t i = 0; i < p->n; i++) {
    const char *name = p->list[i].name, *text = p->list[i].text;
    const br_option *o = br_analysis_option(a, name);
    const int flag = o && o->kind == BR_OPTION_FLAG;
    if (name[0] == '$' || grouped(name) || (flag && strcmp(text, "yes") != 0)) continue;
    bri_buf_printf(to, " --%s", name);
    if (!flag) bri_buf_text(to, text[0] == '-' ? "=" : " "), put_word(to, text);
  }
  put_list(to, p, "set"), put_list(to, p, "init");
  for (size_t i = 0; i < p->n; i++) {
    const char *name = inside(p->list[i].name, "input");
    bri_buf spec = {0};
    if (!name) continue;
    bri_buf_printf(&spec, "%s:%s", name, p->list[i].text);
    bri_buf_text(to, " --input "), put_word(to, spec.text ? spec.text : "");
    bri_buf_free(&spec);
  }
  bri_buf_text(to, "\n");
}

/* ---- a study: texts in JSON's quotes are YAML ---- */

static void put_entry(bri_buf *to, const char *indent, const char *name, const char *text)
{
  bri_buf_printf(to, "%s%s: ", indent, name), bri_buf_json(to, text), bri_buf_text(to, "\n");
}

static void put_study(bri_buf *to, const lab_pairs *p, const br_analysis *a)
{
  size_t options = 0;
  bri_buf_printf(to, "# from the lab; run it with: bristle run THIS_FILE\ntitle: \"%s\"\n", a->summary);
  for (size_t i = 0; i < p->n; i++) {
    const char *name = p->list[i].name;
    const int own = br_analysis_option(a, name) != NULL;
    options += own;
    if (name[0] != '$' && !own && !grouped(name)) put_entry(to, "", name, p->list[i].text);
  }
  for (size_t g = 0; g < NGROUPS; g++) {
    if (!members(p, GROUPS[g])) continue;
    bri_buf_printf(to, "%s:\n", GROUPS[g]);
    for (size_t i = 0; i < p->n; i++)
      if (inside(p->list[i].name, GROUPS[g]))
        put_entry(to, "  ", inside(p->list[i].name, GROUPS[g]), p->list[i].text);
  }
  bri_buf_printf(to, "%s:%s\n", a->name, options ? "" : " {}");
  for (size_t i = 0; i < p->n; i++)
    if (br_analysis_option(a, p->list[i].name)) put_entry(to, "  ", p->list[i].name, p->list[i].text);
}

/* ---- Python: '-' in names becomes '_' ---- */

static void put_keyword(bri_buf *to, const char *name)
{
  bri_buf_text(to, ",\n    ");
  for (; *name; name++) bri_buf_add(to, *name == '-' ? "_" : name, 1);
  bri_buf_text(to, "=");
}

static void put_python(bri_buf *to, const lab_pairs *p, const br_analysis *a)
{
  bri_buf text = {0};
  for (size_t i = 0; i < p->n; i++) {
    if (p->list[i].name[0] == '$' || grouped(p->list[i].name)) continue;
    put_keyword(&text, p->list[i].name), bri_buf_json(&text, p->list[i].text);
  }
  for (size_t g = 0; g < NGROUPS; g++) {
    size_t told = 0;
    if (!members(p, GROUPS[g])) continue;
    put_keyword(&text, GROUPS[g]), bri_buf_text(&text, "{");
    for (size_t i = 0; i < p->n; i++) {
      const char *name = inside(p->list[i].name, GROUPS[g]);
      if (!name) continue;
      bri_buf_text(&text, told++ ? ", " : ""), bri_buf_json(&text, name), bri_buf_text(&text, ": ");
      bri_buf_json(&text, p->list[i].text);
    }
    bri_buf_text(&text, "}");
  }
  bri_buf_printf(to, "import bristle\n\nresult = bristle.%s(%s)\nprint(result)\n", a->name,
                 text.text ? text.text + 1 : "");
  bri_buf_free(&text);
}

/* ---- C: the controller of a closed loop, else the model ---- */

static int put(void *ctx, const char *text, size_t n)
{
  bri_buf *to = (bri_buf *)ctx;
  bri_buf_add(to, text, n);
  return to->failed;
}

static br_status put_controller(bri_buf *to, const br_job *job, const br_control_export_options *o,
                                br_err *err)
{
  static const double nothing[1] = {0};
  const br_system *s = br_job_system(job);
  const br_model *m = br_job_model(job);
  const double *spar = s->nparam || s->initial ? br_params_block(br_job_params(job), "system") : nothing;
  br_control_settings set;
  br_controller c;
  size_t tracked = 0;
  double *pair = bri_calloc(2 * m->slots + 2, sizeof *pair);
  if (!pair) return bri_fail(err, BR_E_NOMEM, "out of memory");
  br_status st = bri_control_read_settings(job, &set, err);
  if (!st) st = bri_control_read_tracked(job, &tracked, err);
  if (!st) st = br_control_init(&c, &set, s, spar, m, br_job_par(job), pair, tracked, err);
  if (!st) st = br_control_export(&c, o, put, to, err);
  bri_free(pair);
  return st;
}

static br_status put_header(bri_buf *to, const lab_pairs *p, const br_job *job, br_err *err)
{
  br_control_export_options o = br_control_export_default();
  bri_buf about = {0};
  br_status st = BR_OK;
  put_command(&about, p, br_job_analysis(job));
  o.about = about.text;
  if (!br_job_model(job)) st = bri_fail(err, BR_E_ARG, "a header needs a model");
  else if (br_analysis_option(br_job_analysis(job), "controller") && br_job_given(job, "controller"))
    st = put_controller(to, job, &o, err);
  else st = br_model_export(br_job_model(job), br_job_par(job), &o, put, to, err);
  bri_buf_free(&about);
  return st;
}

br_status lab_take(const lab_pairs *p, const br_job *job, const char *as, bri_buf *to, br_err *err)
{
  static const struct {
    const char *name;
    void (*put)(bri_buf *to, const lab_pairs *p, const br_analysis *a);
  } FORMS[] = {{"command", put_command}, {"study", put_study}, {"python", put_python}};
  if (strcmp(as, "header") == 0) return put_header(to, p, job, err);
  for (size_t i = 0; i < sizeof FORMS / sizeof FORMS[0]; i++)
    if (strcmp(as, FORMS[i].name) == 0) {
      FORMS[i].put(to, p, br_job_analysis(job));
      return to->failed ? bri_fail(err, BR_E_NOMEM, "out of memory") : BR_OK;
    }
  return bri_fail(err, BR_E_NAME, "take: '%.20s' is unknown: command, study, python, header", as);
}

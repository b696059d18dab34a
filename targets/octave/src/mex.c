/* SPDX-License-Identifier: Apache-2.0
 * mex.c - bristle(VERB, ...): every analysis of the catalogue for Octave and MATLAB.
 *   r = bristle('loop', 'model', 'lugre', 'sigma0', 6, 'input', 'bimodal:0,1,0.5,1.5')
 *   r = bristle('loop', s)                     s: a struct of the same names
 *   bristle('models'), bristle('systems'), bristle('analyses'): what there is
 *   bristle('help', 'loop')                    options and results of one
 * No list and no equation stands here. */
#define _GNU_SOURCE /* RTLD_DEFAULT */
#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "verbs.h"

enum { MOST = 160 };

/* ---- Ctrl-C ends a computation ---- */

/* Octave hears signals on a thread of its own and leaves a mark; elsewhere the signal is ours for the time of
 * a run. */
static volatile sig_atomic_t stop;
static volatile sig_atomic_t *mark;
static void on_signal(int number)
{
  (void)number;
  stop = 1;
}
static int asked(void *unused)
{
  (void)unused;
  return stop != 0 || (mark && *mark);
}

static char notes[1024]; /* told when nothing is open: a warning may leave by a jump */
static void note(void *ctx, const char *text)
{
  const size_t used = strlen(notes);
  (void)ctx;
  (void)snprintf(notes + used, sizeof notes - used, "%s%s", used ? "\n" : "", text);
}

/* ---- what there is ---- */

static mxArray *catalogue(br_catalogue_part part, const char *only, br_err *err)
{
  char *text = NULL;
  if (br_catalogue_json(part, only, &text, NULL, err)) return NULL;
  mxArray *json = mxCreateString(text), *out = NULL;
  br_catalogue_free(text);
  if (mexCallMATLAB(1, &out, 1, &json, "jsondecode")) out = NULL;
  mxDestroyArray(json);
  return out;
}

static void print_help(const br_analysis *a)
{
  mexPrintf("bristle('%s', NAME, VALUE, ...): %s\n\n%s\n\nOptions:\n", a->name, a->summary,
            a->text ? a->text : "");
  for (size_t i = 0; i < a->noptions; i++)
    mexPrintf("  %-12s %-7s %-5s %s\n", a->options[i].name, br_option_kind_text(a->options[i].kind),
              a->options[i].unit ? a->options[i].unit : "", a->options[i].doc);
  mexPrintf("  model, system, set, input, init and the parameters of both by name; tables: true for all "
            "tables\n\nResults:\n");
  for (size_t i = 0; i < a->nresults; i++)
    mexPrintf("  %-28s %-5s %s\n", a->results[i].name, a->results[i].unit, a->results[i].doc);
}

/* ---- a question ---- */

/* Names and values, from a list or a struct; -1: something is no name. */
static int collect(int n, const mxArray *const *args, given *list, char **names, int *tables)
{
  int count = 0;
  if (n == 1 && mxIsStruct(args[0])) {
    for (int i = 0; i < mxGetNumberOfFields(args[0]) && count < MOST; i++) {
      const mxArray *v = mxGetFieldByNumber(args[0], 0, i);
      list[count] = (given){mxGetFieldNameByNumber(args[0], i), v};
      if (v && strcmp(list[count].name, "tables") == 0)
        *tables = mxIsLogicalScalarTrue(v) || mxGetScalar(v) != 0;
      else if (v && !mxIsEmpty(v)) count++;
    }
    return count;
  }
  if (n % 2) return -1;
  for (int i = 0; i + 1 < n && count < MOST; i += 2) {
    names[count] = mxIsChar(args[i]) ? mxArrayToString(args[i]) : NULL;
    if (!names[count]) return -1;
    list[count] = (given){names[count], args[i + 1]};
    if (strcmp(names[count], "tables") == 0) *tables = mxGetScalar(args[i + 1]) != 0;
    else if (!mxIsEmpty(args[i + 1])) count++;
  }
  return count;
}

static br_status answer(const br_analysis *a, br_job *job, int tables, br_result **r, br_err *err)
{
  struct sigaction ours, before;
  br_status st = br_job_check(job, err);
  if (!st) st = br_result_create(BR_TABLE_MAIN | BR_TABLE_FILE | BR_TABLE_LIST | BR_TABLE_ARRAYS, r, err);
  if (st) return st;
  for (const char *s = tables && a->tables ? a->tables : ""; *s; s += strcspn(s, "|"), s += *s == '|')
    br_result_want(*r, s);
  for (size_t i = 0; i < a->nresults; i++)
    if (a->results[i].kind == BR_RESULT_DETAIL) br_result_want(*r, a->results[i].name);
  for (size_t i = 0; i < a->npictures; i++)
    if (a->pictures[i].option && br_job_flag(job, a->pictures[i].option))
      br_picture_want(&a->pictures[i], *r);
  br_sink out = br_result_sink(*r);
  out.stop.asked = asked;
  out.note = note;
  memset(&ours, 0, sizeof ours);
  ours.sa_handler = on_signal;
  stop = 0;
  *(void **)&mark = dlsym(RTLD_DEFAULT, "octave_signal_caught");
  if (!mark) (void)sigaction(SIGINT, &ours, &before);
  st = br_job_run(job, &out, err);
  if (!mark) (void)sigaction(SIGINT, &before, NULL);
  return st;
}

static mxArray *ask(const br_analysis *a, int n, const mxArray *const *args, br_err *err)
{
  static given list[MOST];
  char *names[MOST] = {NULL};
  int tables = 0;
  br_job *job = NULL;
  br_result *r = NULL;
  mxArray *out = NULL;
  const int count = collect(n, args, list, names, &tables);
  br_status st = BR_OK;
  if (count < 0) {
    st = BR_E_ARG;
    *err = (br_err){st, -1, ""};
    (void)snprintf(err->msg, sizeof err->msg, "%s: expected names and values in turn, or one struct",
                   a->name);
  }
  if (!st) st = br_job_create(a, &job, err);
  if (!st) br_job_dashes(job, "--");
  if (!st) st = settings_apply(job, a, list, (size_t)count, err);
  if (!st) st = answer(a, job, tables, &r, err);
  if (!st) out = answer_struct(r, tables);
  else err->code = st;
  for (int i = 0; i < MOST; i++)
    if (names[i]) mxFree(names[i]);
  br_result_destroy(r);
  br_job_destroy(job);
  return out;
}

static mxArray *dispatch(const char *verb, int n, const mxArray *const *args, br_err *err)
{
  const char *names[80];
  size_t count = 0;
  const br_analysis *a = NULL;
  if (strcmp(verb, "analyses") == 0) return catalogue(BR_CATALOGUE_WHOLE, NULL, err);
  if (strcmp(verb, "models") == 0) return catalogue(BR_CATALOGUE_MODELS, NULL, err);
  if (strcmp(verb, "systems") == 0) return catalogue(BR_CATALOGUE_SYSTEMS, NULL, err);
  if (strcmp(verb, "version") == 0) return mxCreateString(br_version());
  for (size_t i = 0; count < 76 && (a = br_catalogue(i)) != NULL; i++)
    if (!a->alias_of) names[count++] = a->name;
  names[count++] = "models", names[count++] = "systems", names[count++] = "analyses", names[count++] = "help";
  const int help = strcmp(verb, "help") == 0;
  char *of = help && n == 1 && mxIsChar(args[0]) ? mxArrayToString(args[0]) : NULL;
  a = br_analysis_find(help ? of ? of : "" : verb);
  if (a && a->alias_of) a = NULL;
  if (help && a) print_help(a);
  if (of) mxFree(of);
  if (help && a) return mxCreateString(a->name);
  if (a) return ask(a, n, args, err);
  const char *near = br_nearest_name(verb, names, count);
  *err = (br_err){BR_E_NAME, -1, ""};
  (void)snprintf(err->msg, sizeof err->msg, "unknown analysis '%.60s'%s%s%s", verb,
                 near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
  return NULL;
}

#if defined(__GNUC__)
__attribute__((visibility("default")))
#endif
void mexFunction(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[])
{
  static br_err err; /* an error leaves by a jump */
  (void)nlhs;
  err = (br_err){BR_OK, -1, ""};
  notes[0] = '\0';
  char *verb = nrhs && mxIsChar(prhs[0]) ? mxArrayToString(prhs[0]) : NULL;
  if (!verb)
    mexErrMsgIdAndTxt("bristle:input", "bristle(VERB, ...): the first argument is the name of an analysis");
  mxArray *out = dispatch(verb, nrhs - 1, (const mxArray *const *)(prhs + 1), &err);
  mxFree(verb);
  if (out) {
    plhs[0] = out;
    if (notes[0]) mexWarnMsgIdAndTxt("bristle:note", "%s", notes);
    return;
  }
  if (err.code == BR_INTERRUPTED) mexErrMsgIdAndTxt("bristle:interrupted", "interrupted");
  mexErrMsgIdAndTxt(err.code == BR_E_CONVERGE || err.code == BR_E_IO || err.code == BR_E_NOMEM
                        ? "bristle:failed"
                        : "bristle:input",
                    "%s", err.msg[0] ? err.msg : br_status_text(err.code));
}

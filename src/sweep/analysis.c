/* SPDX-License-Identifier: Apache-2.0
 * analysis.c - analysis 'sweep': a mechanism with friction for many values of its numbers. */
#include <stdio.h>
#include <string.h>

#include "analysis/rows.h"
#include "answer.h"
#include "base/alloc.h"
#include "bristle/ensemble.h"
#include "solve/varied.h"

static const double MOST_IN_MEMORY = 12.5e6; /* numbers, 100 MB */
enum { WORTH_A_CARD = 20000 };               /* members; starting one takes a second */

static const br_option OPTIONS[] = {
    BRI_PAIRS("grid", "NAME=A:B:N,...",
              "N values from A to B, ':log' behind it for equal ratios; several: every combination"),
    BRI_PAIRS("list", "NAME=V,V,...", "these values"),
    BRI_PAIRS("random", "NAME=LAW,...",
              "drawn: uniform:A:B, normal:MEAN:DEVIATION, lognormal:MEDIAN:DEVIATION of the logarithm",
              .needs = "members", .why = "draws as many members as are wanted"),
    BRI_TEXT("file", "TABLE", "a table with one column for each swept number, one member a row",
             .file = BR_FILE_READ),
    BRI_COUNT("members", "N", 1, 1e15, "draws; with grids, lists or a file at every point of them",
              .needs = "random", .why = "is for what is drawn"),
    BRI_ROW_SEED("of the draws"),
    BRI_CHOICE("design", "random|latin|sobol", "random",
               "how draws are spread: independent (default), Latin hypercube, Sobol points"),
    BRI_TEXT("measure", "NAME,...",
             "what is kept of a member: words below, paths of simulate (final.v), formulas "
             "amp=(v_max-v_min)/2; default v_max,period,stick_fraction"),
    BRI_TEXT("measured", "[NAME:]auto|COLUMN|SPEC",
             "a record beside every member, as in simulate: x:csv:FILE; the measure cost is the rms of the "
             "difference, measured.* other numbers of the comparison"),
    BRI_ABOVE_0("t-end", "T", "s", "end time; default 100 s", .def = "100"),
    BRI_FROM_0("transient", "T", "s", "time before which nothing is measured; default half of it all"),
    BRI_ABOVE_0("threshold", "V", "m/s", "speed below which it sticks; default 0.01 vp, without vp vs/10"),
    BRI_COUNT("points", "N", 1, 1e5,
              "keep the last N states on the section: a row each, a bifurcation diagram"),
    BRI_ABOVE_0(
        "strobe", "T", "s",
        "points at multiples of T, a period of the drive; default where v rises through vp, or the threshold",
        .needs = "points", .why = "is where the points are taken"),
    BRI_ABOVE_0("rtol", "X", "1", "relative tolerance; default 1e-6, with --precision f32 1e-5",
                .def = "1e-6"),
    BRI_FROM_0("atol", "X", "1", "absolute tolerance of every state, in its unit; default 1e-20",
               .def = "1e-20"),
    BRI_CHOICE("solver", "native|fixed", "native",
               "native (default): chosen steps; fixed: constant exponential steps of --dt in vector lanes, "
               "first order, as in simulate"),
    BRI_ABOVE_0("dt", "H", "s", "step of --solver fixed; default 1 ms", .def = "1e-3", .needs = "solver",
                .why = "is the step of --solver fixed"),
    BRI_CHOICE("device", "auto|cpu|gpu", "auto",
               "where it is computed; default auto: on a GPU where libbristle_cuda.so finds one, lanes can "
               "do it and there are 20,000 members; same bits"),
    BRI_CHOICE("precision", "f64|f32", "f64",
               "number type of vector lanes; f32 is faster, above all on a GPU, and takes tolerances from "
               "1e-5; default f64"),
    BRI_CHOICE("engine", "auto|lanes|solver", "auto",
               "what computes: vector lanes where they can (default), or the ordinary solver"),
    BRI_ROW_THREADS,
    BRI_TEXT("out", "FILE.h5|csv",
             "all rows; what is finished is kept in FILE.journal until it is complete, so that the same "
             "command goes on where it was broken off",
             .file = BR_FILE_WRITTEN),
    BRI_TEXT("shard", "I/N", "only part I of N, for job arrays; 'bristle merge' joins them", .needs = "out",
             .why = "makes a part of a file"),
    BRI_COUNT("block", "N", 1, 1e6, "members that are finished together; default by their number"),
    BRI_ROW_SWITCH,
    BRI_ROW_DECIMAL,
};

static const br_result_row RESULTS[] = {
    {"members", "1", "of the whole ensemble"},
    {"done", "1", "computed, here or before: all, or those of the shard"},
    {"by_status.*", "1",
     "of these, how many ended so: ok, range (values that are refused), converge, nan, unsupported"},
    {"failures.*.member", "1", "the first that did not end well"},
    {"failures.*.status", "", "how it ended"},
    {"failures.*.why", "", "what the solver said"},
    {"engine", "", "solver: the ordinary one; lanes, gpu"},
    {"device", "", "cpu or the name of the card"},
    {"precision", "", "number type of the engine: f64 or f32"},
    {"threads", "1", "of this process (not in studies)"},
    {"seconds", "s", "it took (not in studies)"},
    {"rate", "1/s", "members per second, of those computed now (not in studies)"},
    {"out", "", "the file"},
    {"sweep", "", "member, swept numbers, measures, status; with points a row for each", BR_RESULT_TABLE},
    {"map*", "", "a measure over two grids", BR_RESULT_USUAL},
    {"kinds*", "", "the regime over two grids", BR_RESULT_USUAL},
    {"line*", "", "a measure over one grid", BR_RESULT_USUAL},
    {"fan*", "", "quantiles of a measure over one grid", BR_RESULT_USUAL},
    {"histogram*", "", "how often a measure has which value", BR_RESULT_USUAL},
    {"points", "", "states on the section over the first swept number", BR_RESULT_USUAL},
};

#define BLOCK \
  "--system pulled_block --model lugre --set m=1,k=2,sigma0=2900,sigma2=0,Fc=2.94,Fs=5.88,vs=0.1,delta=1"
static const br_example EXAMPLES[] = {
    {"bristle sweep " BLOCK ",sigma1=107 --grid vp=0.5:4:8 --t-end 20 --json",
     "where a pulled block sticks and slips"},
    {"bristle sweep " BLOCK " --grid sigma1=50:150:4,vp=1:3:4 --t-end 10 --measure v_max,regime --csv -",
     "every combination of two grids, as a table on standard output"},
    {"bristle sweep " BLOCK
     ",vp=2 --random sigma1=normal:107:10 --design latin --members 20 --t-end 10 --measure "
     "'v_max,v_min,swing=v_max-v_min'",
     "Monte Carlo: a drawn parameter, and a formula of measures"},
    {NULL, NULL},
};
#undef BLOCK

/* ---- the question ---- */

static br_status prepare(br_job *job, br_err *err)
{
  bri_design d;
  br_status st = bri_design_read(job, &d, err);
  if (st) return st;
  bri_sweep_sort(job, &d);
  st = bri_sweep_stand_in(job, &d, err);
  bri_design_free(&d);
  return st;
}

/* Of a number of a driven input: sines and triangles say amplitude, frequency, phase, offset. */
static const char *unit_of_wave(const bri_sweep *s, const bri_axis *a)
{
  const br_system *sys = br_job_system(s->job);
  for (size_t k = 0; k < br_job_inputs(s->job); k++) {
    const char *spec = br_job_spec(s->job, k);
    if (!spec || (a->target[0] && strcmp(sys->inputs[k].name, a->target) != 0)) continue;
    const size_t n = strcspn(spec, ":");
    if (strncmp(spec, "sine:", n + 1) != 0 && strncmp(spec, "triangle:", n + 1) != 0) return "1";
    const int at = bri_sweep_place(spec, n, a->number);
    return at == 1 ? "Hz" : at == 2 ? "rad" : sys->inputs[k].unit;
  }
  return "1";
}

/* Units of the swept numbers, now that there are tables. */
static br_status check_units(bri_sweep *s, br_err *err)
{
  const br_plant *plant = br_job_plant(s->job);
  for (size_t k = 0; k < s->design.naxis; k++) {
    bri_axis *a = &s->design.axis[k];
    br_unit wanted;
    char dim[64];
    const br_param *row = a->of == BRI_SWEPT_SET ? br_params_row(br_job_params(s->job), a->target) : NULL;
    const int state = a->of == BRI_SWEPT_INIT ? br_plant_index(plant, a->target) : -1;
    const char *unit = row ? row->unit : state >= 0 ? br_plant_unit(plant, (size_t)state) : NULL;
    if (a->of == BRI_SWEPT_INPUT) unit = unit_of_wave(s, a);
    if (!unit) continue;
    a->unit = unit;
    if (a->has_unit && !br_unit_parse(unit, strlen(unit), &wanted, NULL) &&
        !br_unit_fits(&wanted, &a->written, (br_job_system(s->job)->flags & BR_SYSTEM_ROTARY) != 0))
      return bri_fail(err, BR_E_PARSE, "'%s' is swept over numbers of dimension %s, but is in %s", a->name,
                      br_unit_text(&a->written, sizeof dim, dim), unit);
  }
  return BR_OK;
}

static br_status read_shard(const br_job *job, bri_answer_sweep *b, br_err *err)
{
  const char *text = br_job_text(job, "shard");
  unsigned long long i = 0, n = 0;
  int used = 0;
  b->shards = 1;
  if (!text) return BR_OK;
  if (strspn(text, "0123456789/") != strlen(text) || strlen(text) > 30 ||
      sscanf(text, "%llu/%llu%n", &i, &n, &used) != 2 || text[used] || i < 1 || i > n || n > 10000000)
    return bri_fail(err, BR_E_PARSE, "%sshard %.40s: expected I/N, part I = 1..N of N", br_job_dash(job),
                    text);
  b->shard = i - 1, b->shards = n;
  return BR_OK;
}

/* Members that are finished together: few enough that little is lost, so many that there are not millions of
 * blocks. */
static uint64_t block_of(const br_job *job, uint64_t members, int lanes, int gpu)
{
  const uint64_t usual = gpu ? 32768 : lanes ? 4096 : 64;
  uint64_t n = members / (lanes ? 16 : 256), most = members >> 20;
  if (br_job_given(job, "block")) return (uint64_t)br_job_number(job, "block");
  most = most > usual ? most : usual;
  return n < 1 ? 1 : n > most ? most : n;
}

void bri_sweep_release(bri_answer_sweep *b)
{
  bri_measures_free(&b->s);
  bri_design_free(&b->s.design);
  bri_free(b->columns);
  bri_free(b->names);
  bri_buf_free(&b->plan);
}

static br_status check_times(const bri_sweep *s, br_err *err)
{
  if (!(s->t_from < s->t_end))
    return bri_fail(err, BR_E_RANGE, "%stransient = %.9g s must end before %st-end = %.9g s",
                    br_job_dash(s->job), s->t_from, br_job_dash(s->job), s->t_end);
  if (s->points && s->v < 0 && !s->driven && !(s->strobe > 0))
    return bri_fail(err, BR_E_ARG, "%spoints: no contact velocity is a state of %s: give %sstrobe T",
                    br_job_dash(s->job), br_job_system(s->job)->name, br_job_dash(s->job));
  return BR_OK;
}

/* A card where one is wanted: asked for by name, or there and worth its start. */
static br_status choose_device(bri_sweep *s, const char *why_not, br_err *err)
{
  const char *device = br_job_text(s->job, "device"), *dash = br_job_dash(s->job);
  const int asked = strcmp(device, "gpu") == 0;
  char name[120] = "";
  (void)snprintf(s->device, sizeof s->device, "cpu");
  if (asked && s->dt > 0)
    return bri_fail(err, BR_E_UNSUPPORTED, "%sdevice gpu: constant steps run on the CPU", dash);
  if (strcmp(device, "cpu") == 0 || s->dt > 0 || (!asked && (!s->lanes || s->design.members < WORTH_A_CARD)))
    return BR_OK;
  const int cards = br_ensemble_gpus(sizeof name, name);
  if (cards == 0)
    return asked ? bri_fail(err, BR_E_UNSUPPORTED, "%sdevice gpu: there is none to use: %.160s", dash, name)
                 : BR_OK;
  if (!s->lanes) {
    (void)snprintf(s->word, sizeof s->word, "the CPU computes this, not the GPU: %.160s", why_not);
    return BR_OK;
  }
  s->gpu = cards;
  if (cards == 1) (void)snprintf(s->device, sizeof s->device, "%s", name);
  else (void)snprintf(s->device, sizeof s->device, "%d x %s", cards, name);
  return BR_OK;
}

/* Lanes where they can do it. */
static br_status choose(bri_sweep *s, br_err *err)
{
  const char *engine = br_job_text(s->job, "engine");
  br_err why = {BR_OK, -1, "the ordinary solver was asked for"};
  const br_status st = strcmp(engine, "solver") == 0 ? BR_E_UNSUPPORTED : bri_lanes_check(s, &why);
  s->lanes = st == BR_OK;
  if (st && s->single) return bri_fail(err, st, "%sprecision f32: %.200s", br_job_dash(s->job), why.msg);
  if (st && s->dt > 0)
    return bri_fail(err, st, "%ssolver fixed needs vector lanes: %.200s", br_job_dash(s->job), why.msg);
  if (st == BR_E_NOMEM || (st && strcmp(engine, "lanes") == 0))
    return bri_fail(err, st, "%sengine lanes: %.200s", br_job_dash(s->job), why.msg);
  return choose_device(s, why.msg, err);
}

br_status bri_sweep_set_up(const br_job *job, bri_answer_sweep *b, br_err *err)
{
  bri_sweep *s = &b->s;
  memset(b, 0, sizeof *b);
  s->job = job;
  br_status st = bri_design_read(job, &s->design, err);
  if (st) return st;
  bri_sweep_sort(job, &s->design);
  s->nstate = br_plant_nstate(br_job_plant(job));
  s->nforce = br_plant_ncontact(br_job_plant(job));
  s->v = br_plant_velocity(br_job_plant(job), 0);
  s->t_end = br_job_number(job, "t-end");
  s->t_from = br_job_given(job, "transient") ? br_job_number(job, "transient") : s->t_end / 2;
  s->single = strcmp(br_job_text(job, "precision"), "f32") == 0;
  s->rtol = s->single && !br_job_given(job, "rtol") ? BR_ENSEMBLE_F32_RTOL : br_job_number(job, "rtol");
  s->atol = br_job_number(job, "atol");
  s->dt = strcmp(br_job_text(job, "solver"), "fixed") == 0 ? br_job_number(job, "dt") : 0;
  s->points = br_job_count(job, "points");
  s->strobe = br_job_number(job, "strobe");
  for (size_t k = 0; k < br_job_inputs(job); k++)
    s->driven |= br_job_input(job, k) && br_signal_period(br_job_input(job, k)) > 0;
  st = check_units(s, err);
  if (!st) st = bri_measures_read(s, err);
  if (!st) st = check_times(s, err);
  if (!st) st = read_shard(job, b, err);
  if (!st) st = choose(s, err);
  s->width = s->nmeasure + s->points * (1 + s->nstate) + 1;
  b->out = br_job_text(job, "out");
  b->how.block = block_of(job, s->design.members, s->lanes, s->gpu);
  const uint64_t blocks = (s->design.members + b->how.block - 1) / b->how.block;
  b->how.first = (uint64_t)((double)blocks * (double)b->shard / (double)b->shards);
  b->how.count = (uint64_t)((double)blocks * (double)(b->shard + 1) / (double)b->shards) - b->how.first;
  b->first = b->how.first * b->how.block;
  const uint64_t end = (b->how.first + b->how.count) * b->how.block;
  b->count = (end < s->design.members ? end : s->design.members) - b->first;
  b->rank = bri_rank_here();
  b->part = br_job_given(job, "shard");
  if (b->part) b->rank.rank = 0, b->rank.size = 1; /* a part of its own, for itself */
  return st;
}

static br_status check(const br_job *job, br_err *err)
{
  bri_answer_sweep *b = bri_calloc(1, sizeof *b);
  if (!b) return bri_no_memory(err, "sweep");
  br_status st = bri_sweep_set_up(job, b, err);
  const char *out = st ? NULL : b->out, *dash = br_job_dash(job);
  if (out) st = bri_output_check(out, err);
  if (!st && !out && (double)b->count * (double)b->s.width > MOST_IN_MEMORY)
    st = bri_fail(err, BR_E_SIZE, "%.3g members with %zu numbers each are kept in a file: add %sout FILE.h5",
                  (double)b->count, b->s.width, dash);
  if (!st && b->count == 0)
    st =
        bri_fail(err, BR_E_RANGE,
                 "%sshard: there are fewer blocks of members than parts: nothing is left for this one", dash);
  if (!st && !out && b->rank.size > 1)
    st = bri_fail(err, BR_E_ARG, "%zu processes share the work through a file: add %sout FILE.h5",
                  b->rank.size, dash);
  bri_sweep_release(b);
  bri_free(b);
  return st;
}

static const char TEXT[] =
    "Runs a mechanism with friction once for every member of an ensemble and keeps some numbers of each. "
    "Swept is any parameter of model or mechanism, an input that is held (vp), a state at the start (init.v, "
    "or v), or a number of a driven input (input.2, input.f, input.Fe.A). Members are all combinations of "
    "grids, lists, rows of a file and draws; the last runs fastest.\n\n"
    "Measures, all from the end of the transient on: NAME_min, NAME_max and NAME_end of every state and of "
    "the contact force F; period (mean time between returns to the section, where v rises through vp or the "
    "threshold), stick_fraction, returns, events, reversals, sticks, slips, elements, work_in, "
    "friction_work, dissipated, steps, regime (0 rest, 1 steady, 2 periodic, 3 irregular: a label of "
    "basins), lyapunov (largest exponent), cost (rms of the difference to what --measured names). A path is "
    "a number of 'bristle simulate': final.z, cycle.period, energy.residual. A member that fails has the "
    "reason in the column status (0 ok, 1 range, 2 converge, 3 nan, 4 unsupported) and no numbers; its "
    "neighbours are not touched.\n\n"
    "With --out nothing is lost: kill it, run the same command again, and the file is the same to the last "
    "bit, whatever the number of threads. Under mpirun or srun all processes share the work; --shard and "
    "'bristle merge' do it for job arrays.\n\n"
    "JSON: {members, done, by_status: {ok, ...}, failures: [{member, status, why}], engine, device, "
    "precision, threads, seconds, rate, out}.";

const br_analysis bri_analysis_sweep = {
    .name = "sweep",
    .summary = "an ensemble: a mechanism with friction for many values of its numbers",
    .method = "every member by itself; events located",
    .text = TEXT,
    .needs =
        BR_NEEDS_MODEL | BR_NEEDS_SYSTEM | BR_NEEDS_INPUT | BR_TAKES_INIT | BR_TAKES_TWO_AXES | BR_TAKES_LOAD,
    .input_doc = "drive an input; --set NAME=VALUE holds it instead",
    .tables = "sweep",
    BRI_ROWS(OPTIONS, RESULTS),
    .picture = {bri_sweep_panels, BRI_SWEEP_PANELS, .title = "Ensemble"},
    .examples = EXAMPLES,
    .prepare = prepare,
    .check = check,
    .run = bri_sweep_answer,
};

/* SPDX-License-Identifier: Apache-2.0
 * fmi3.c - the functions of FMI 3.0, model exchange and co-simulation, over an instance. */
#include "fmi3.h"

#include "../../src/base/alloc.h"
#include "instance.h"

typedef struct {
  bri_fmi *f;
  fmi3InstanceEnvironment environment;
  fmi3LogMessageCallback log;
  fmi3Boolean event_mode; /* of co-simulation: the importer wants to go through it, though it has nothing to
                             do there */
  br_err err;
} fmu;

static fmu *of(fmi3Instance c) { return (fmu *)c; }

static fmi3Status answer(fmu *m, br_status st)
{
  if (st == BR_OK) return fmi3OK;
  if (st == BR_E_NAN) return fmi3Discard; /* a trial of the importer's solver that went too far */
  if (m->log)
    m->log(m->environment, fmi3Error, "logStatusError", m->err.msg[0] ? m->err.msg : br_status_text(st));
  return fmi3Error;
}

/* Without an instance, or where the standard does not allow the call: an error, and nothing happens. */
static int may(fmi3Instance c, int phases, const char *function)
{
  return c && answer(of(c), bri_fmi_may(of(c)->f, phases, function, &of(c)->err)) == fmi3OK;
}
#define MAY(c, phases) \
  if (!may(c, phases, __func__)) return fmi3Error

/* What this FMU has not got: fine as long as nobody asks for any. */
static fmi3Status without(fmi3Instance c, size_t n, const char *what)
{
  if (n == 0 && c) return fmi3OK;
  if (!c) return fmi3Error;
  if (of(c)->log) of(c)->log(of(c)->environment, fmi3Error, "logStatusError", what);
  return fmi3Error;
}

FMI3_API const char *fmi3GetVersion(void) { return "3.0"; }

FMI3_API fmi3Status fmi3SetDebugLogging(fmi3Instance c, fmi3Boolean on, size_t n,
                                        const fmi3String *categories)
{
  (void)c, (void)on, (void)n, (void)categories; /* only errors are told, and those always */
  return fmi3OK;
}

FMI3_API void fmi3FreeInstance(fmi3Instance c)
{
  if (!c) return;
  bri_fmi_close(of(c)->f);
  bri_free(c);
}

static fmi3Instance instantiate(int exchange, fmi3String token, fmi3String resources,
                                fmi3InstanceEnvironment environment, fmi3LogMessageCallback log)
{
  fmu *m = bri_calloc(1, sizeof *m);
  if (!m) return NULL;
  m->environment = environment;
  m->log = log;
  const br_status st = bri_fmi_open_at(resources, token, &m->f, &m->err);
  if (answer(m, st) == fmi3OK) {
    m->f->exchange = exchange;
    return m;
  }
  fmi3FreeInstance(m);
  return NULL;
}

FMI3_API fmi3Instance fmi3InstantiateModelExchange(fmi3String name, fmi3String token, fmi3String resources,
                                                   fmi3Boolean visible, fmi3Boolean logging,
                                                   fmi3InstanceEnvironment environment,
                                                   fmi3LogMessageCallback log)
{
  (void)name, (void)visible, (void)logging;
  return instantiate(1, token, resources, environment, log);
}

FMI3_API fmi3Instance fmi3InstantiateCoSimulation(
    fmi3String name, fmi3String token, fmi3String resources, fmi3Boolean visible, fmi3Boolean logging,
    fmi3Boolean event_mode, fmi3Boolean early_return, const fmi3ValueReference *intermediate, size_t n,
    fmi3InstanceEnvironment environment, fmi3LogMessageCallback log, fmi3IntermediateUpdateCallback update)
{
  (void)name, (void)visible, (void)logging, (void)early_return, (void)intermediate, (void)n, (void)update;
  fmi3Instance c = instantiate(0, token, resources, environment, log);
  if (c) of(c)->event_mode = event_mode;
  return c;
}

FMI3_API fmi3Instance fmi3InstantiateScheduledExecution(
    fmi3String name, fmi3String token, fmi3String resources, fmi3Boolean visible, fmi3Boolean logging,
    fmi3InstanceEnvironment environment, fmi3LogMessageCallback log, fmi3ClockUpdateCallback clock,
    fmi3LockPreemptionCallback lock, fmi3UnlockPreemptionCallback unlock)
{
  (void)name, (void)token, (void)resources, (void)visible, (void)logging, (void)clock, (void)lock,
      (void)unlock;
  if (log) log(environment, fmi3Error, "logStatusError", "this FMU has no scheduled execution");
  return NULL;
}

FMI3_API fmi3Status fmi3EnterInitializationMode(fmi3Instance c, fmi3Boolean has_tolerance,
                                                fmi3Float64 tolerance, fmi3Float64 start, fmi3Boolean has_end,
                                                fmi3Float64 end)
{
  MAY(c, BRI_FMI_MADE);
  (void)has_tolerance, (void)tolerance, (void)has_end, (void)end;
  const br_status st = bri_fmi_set_time(of(c)->f, start, &of(c)->err);
  if (!st) of(c)->f->phase = BRI_FMI_INITIALIZING;
  return answer(of(c), st);
}

FMI3_API fmi3Status fmi3ExitInitializationMode(fmi3Instance c)
{
  MAY(c, BRI_FMI_INITIALIZING);
  const br_status st = bri_fmi_start(of(c)->f, &of(c)->err);
  if (!st) of(c)->f->phase = of(c)->f->exchange || of(c)->event_mode ? BRI_FMI_EVENTS : BRI_FMI_STEPS;
  return answer(of(c), st);
}

/* From one phase to another. */
#define PHASE(name, from, to)              \
  FMI3_API fmi3Status name(fmi3Instance c) \
  {                                        \
    MAY(c, from);                          \
    of(c)->f->phase = to;                  \
    return fmi3OK;                         \
  }
PHASE(fmi3EnterEventMode, BRI_FMI_RUNNING, BRI_FMI_EVENTS)
PHASE(fmi3Terminate, BRI_FMI_RUNNING, BRI_FMI_ENDED)
PHASE(fmi3EnterConfigurationMode, BRI_FMI_ANY, of(c)->f->phase) /* there is nothing to configure */
PHASE(fmi3ExitConfigurationMode, BRI_FMI_ANY, of(c)->f->phase)
PHASE(fmi3EnterContinuousTimeMode, c &&of(c)->f->exchange ? BRI_FMI_EVENTS : 0, BRI_FMI_CONTINUOUS)
PHASE(fmi3EnterStepMode, c &&of(c)->f->exchange ? 0 : BRI_FMI_EVENTS | BRI_FMI_STEPS, BRI_FMI_STEPS)

FMI3_API fmi3Status fmi3Reset(fmi3Instance c)
{
  MAY(c, BRI_FMI_ANY);
  return answer(of(c), bri_fmi_reset(of(c)->f, &of(c)->err));
}

/* ---- variables ---- */

FMI3_API fmi3Status fmi3GetFloat64(fmi3Instance c, const fmi3ValueReference *vr, size_t n, fmi3Float64 *value,
                                   size_t nvalue)
{
  MAY(c, BRI_FMI_ANY);
  return answer(of(c), bri_fmi_get_list(of(c)->f, vr, n, value, nvalue, &of(c)->err));
}

FMI3_API fmi3Status fmi3SetFloat64(fmi3Instance c, const fmi3ValueReference *vr, size_t n,
                                   const fmi3Float64 *value, size_t nvalue)
{
  MAY(c, BRI_FMI_ANY & ~BRI_FMI_ENDED);
  return answer(of(c), bri_fmi_set_list(of(c)->f, vr, n, value, nvalue, &of(c)->err));
}

#define FLOATS_ONLY "this FMU has variables of type Float64 only"
#define NONE_OF(Type)                                                                       \
  FMI3_API fmi3Status fmi3Get##Type(fmi3Instance c, const fmi3ValueReference *vr, size_t n, \
                                    fmi3##Type *value, size_t nvalue)                       \
  {                                                                                         \
    (void)vr, (void)value, (void)nvalue;                                                    \
    return without(c, n, FLOATS_ONLY);                                                      \
  }                                                                                         \
  FMI3_API fmi3Status fmi3Set##Type(fmi3Instance c, const fmi3ValueReference *vr, size_t n, \
                                    const fmi3##Type *value, size_t nvalue)                 \
  {                                                                                         \
    (void)vr, (void)value, (void)nvalue;                                                    \
    return without(c, n, FLOATS_ONLY);                                                      \
  }
NONE_OF(Float32)
NONE_OF(Int8)
NONE_OF(UInt8)
NONE_OF(Int16)
NONE_OF(UInt16)
NONE_OF(Int32)
NONE_OF(UInt32)
NONE_OF(Int64)
NONE_OF(UInt64)
NONE_OF(Boolean)
NONE_OF(String)

FMI3_API fmi3Status fmi3GetBinary(fmi3Instance c, const fmi3ValueReference *vr, size_t n, size_t *sizes,
                                  fmi3Binary *value, size_t nvalue)
{
  (void)vr, (void)sizes, (void)value, (void)nvalue;
  return without(c, n, FLOATS_ONLY);
}

FMI3_API fmi3Status fmi3SetBinary(fmi3Instance c, const fmi3ValueReference *vr, size_t n, const size_t *sizes,
                                  const fmi3Binary *value, size_t nvalue)
{
  (void)vr, (void)sizes, (void)value, (void)nvalue;
  return without(c, n, FLOATS_ONLY);
}

/* ---- clocks: none ---- */

#define NO_CLOCKS "this FMU has no clocks"
#define NO_CLOCK1(name, A)                                                               \
  FMI3_API fmi3Status name(fmi3Instance c, const fmi3ValueReference *vr, size_t n, A *a) \
  {                                                                                      \
    (void)vr, (void)a;                                                                   \
    return without(c, n, NO_CLOCKS);                                                     \
  }
#define NO_CLOCK2(name, A, B)                                                                  \
  FMI3_API fmi3Status name(fmi3Instance c, const fmi3ValueReference *vr, size_t n, A *a, B *b) \
  {                                                                                            \
    (void)vr, (void)a, (void)b;                                                                \
    return without(c, n, NO_CLOCKS);                                                           \
  }
#define NO_CLOCK3(name, A, B, C)                                                                     \
  FMI3_API fmi3Status name(fmi3Instance c, const fmi3ValueReference *vr, size_t n, A *a, B *b, C *d) \
  {                                                                                                  \
    (void)vr, (void)a, (void)b, (void)d;                                                             \
    return without(c, n, NO_CLOCKS);                                                                 \
  }
NO_CLOCK1(fmi3GetClock, fmi3Clock)
NO_CLOCK1(fmi3SetClock, const fmi3Clock)
NO_CLOCK2(fmi3GetIntervalDecimal, fmi3Float64, fmi3IntervalQualifier)
NO_CLOCK3(fmi3GetIntervalFraction, fmi3UInt64, fmi3UInt64, fmi3IntervalQualifier)
NO_CLOCK1(fmi3GetShiftDecimal, fmi3Float64)
NO_CLOCK2(fmi3GetShiftFraction, fmi3UInt64, fmi3UInt64)
NO_CLOCK1(fmi3SetIntervalDecimal, const fmi3Float64)
NO_CLOCK2(fmi3SetIntervalFraction, const fmi3UInt64, const fmi3UInt64)
NO_CLOCK1(fmi3SetShiftDecimal, const fmi3Float64)
NO_CLOCK2(fmi3SetShiftFraction, const fmi3UInt64, const fmi3UInt64)

FMI3_API fmi3Status fmi3ActivateModelPartition(fmi3Instance c, fmi3ValueReference clock, fmi3Float64 t)
{
  (void)clock, (void)t;
  return without(c, 1, NO_CLOCKS);
}

/* ---- structure: every answer may depend on everything ---- */

FMI3_API fmi3Status fmi3GetNumberOfVariableDependencies(fmi3Instance c, fmi3ValueReference vr, size_t *n)
{
  (void)vr;
  *n = 0;
  return without(c, 1, "dependencies of single elements are not told");
}

FMI3_API fmi3Status fmi3GetVariableDependencies(fmi3Instance c, fmi3ValueReference dependent, size_t *element,
                                                fmi3ValueReference *independent, size_t *other,
                                                fmi3DependencyKind *kind, size_t n)
{
  (void)dependent, (void)element, (void)independent, (void)other, (void)kind, (void)n;
  return without(c, 1, "dependencies of single elements are not told");
}

/* ---- states kept by the importer ---- */

FMI3_API fmi3Status fmi3GetFMUState(fmi3Instance c, fmi3FMUState *state)
{
  MAY(c, BRI_FMI_ANY);
  return answer(of(c), bri_fmi_keep(of(c)->f, state, &of(c)->err));
}

FMI3_API fmi3Status fmi3SetFMUState(fmi3Instance c, fmi3FMUState state)
{
  MAY(c, BRI_FMI_ANY);
  return answer(of(c), bri_fmi_return(of(c)->f, state, &of(c)->err));
}

FMI3_API fmi3Status fmi3FreeFMUState(fmi3Instance c, fmi3FMUState *state)
{
  (void)c;
  bri_fmi_forget(state);
  return fmi3OK;
}

FMI3_API fmi3Status fmi3SerializedFMUStateSize(fmi3Instance c, fmi3FMUState state, size_t *size)
{
  MAY(c, BRI_FMI_ANY);
  (void)state;
  return answer(of(c), bri_fmi_packed(of(c)->f, size, &of(c)->err));
}

FMI3_API fmi3Status fmi3SerializeFMUState(fmi3Instance c, fmi3FMUState state, fmi3Byte *bytes, size_t size)
{
  MAY(c, BRI_FMI_ANY);
  return answer(of(c), bri_fmi_pack(of(c)->f, state, bytes, size, &of(c)->err));
}

FMI3_API fmi3Status fmi3DeserializeFMUState(fmi3Instance c, const fmi3Byte *bytes, size_t size,
                                            fmi3FMUState *state)
{
  MAY(c, BRI_FMI_ANY);
  return answer(of(c), bri_fmi_unpack(of(c)->f, bytes, size, state, &of(c)->err));
}

FMI3_API fmi3Status fmi3GetDirectionalDerivative(fmi3Instance c, const fmi3ValueReference *unknown, size_t nu,
                                                 const fmi3ValueReference *known, size_t nk,
                                                 const fmi3Float64 *direction, size_t ndirection,
                                                 fmi3Float64 *out, size_t nout)
{
  MAY(c, BRI_FMI_INITIALIZING | BRI_FMI_RUNNING | BRI_FMI_ENDED);
  if (ndirection != nk || nout != nu) return without(c, 1, "every variable here is one number");
  return answer(of(c), bri_fmi_directional(of(c)->f, unknown, nu, known, nk, direction, out, &of(c)->err));
}

FMI3_API fmi3Status fmi3GetAdjointDerivative(fmi3Instance c, const fmi3ValueReference *unknown, size_t nu,
                                             const fmi3ValueReference *known, size_t nk,
                                             const fmi3Float64 *seed, size_t nseed, fmi3Float64 *out,
                                             size_t nout)
{
  (void)unknown, (void)nu, (void)known, (void)nk, (void)seed, (void)nseed, (void)out, (void)nout;
  return without(c, 1, "there are directional derivatives, no adjoint ones");
}

/* ---- model exchange ---- */

#define FIELD (BRI_FMI_INITIALIZING | BRI_FMI_EVENTS | BRI_FMI_CONTINUOUS | BRI_FMI_ENDED)

FMI3_API fmi3Status fmi3EvaluateDiscreteStates(fmi3Instance c) { return c ? fmi3OK : fmi3Error; }

FMI3_API fmi3Status fmi3UpdateDiscreteStates(fmi3Instance c, fmi3Boolean *again, fmi3Boolean *terminate,
                                             fmi3Boolean *nominals, fmi3Boolean *states, fmi3Boolean *timed,
                                             fmi3Float64 *next)
{
  MAY(c, BRI_FMI_EVENTS);
  int changed = 0;
  const br_status st = bri_fmi_event(of(c)->f, &changed, &of(c)->err);
  *again = *terminate = *nominals = *timed = false;
  *next = 0;
  *states = changed && of(c)->f->plant->ny > 0;
  return answer(of(c), st);
}

FMI3_API fmi3Status fmi3CompletedIntegratorStep(fmi3Instance c, fmi3Boolean no_return,
                                                fmi3Boolean *enter_event, fmi3Boolean *terminate)
{
  MAY(c, BRI_FMI_CONTINUOUS);
  int event = 0;
  (void)no_return;
  const br_status st = bri_fmi_step_done(of(c)->f, &event, &of(c)->err);
  *terminate = false;
  *enter_event = event != 0;
  return answer(of(c), st);
}

FMI3_API fmi3Status fmi3SetTime(fmi3Instance c, fmi3Float64 t)
{
  MAY(c, BRI_FMI_EVENTS | BRI_FMI_CONTINUOUS);
  return answer(of(c), bri_fmi_set_time(of(c)->f, t, &of(c)->err));
}

FMI3_API fmi3Status fmi3SetContinuousStates(fmi3Instance c, const fmi3Float64 *x, size_t n)
{
  MAY(c, BRI_FMI_EVENTS | BRI_FMI_CONTINUOUS);
  return answer(of(c), bri_fmi_take_states(of(c)->f, x, n, &of(c)->err));
}

FMI3_API fmi3Status fmi3GetContinuousStateDerivatives(fmi3Instance c, fmi3Float64 *dx, size_t n)
{
  MAY(c, FIELD);
  return answer(of(c), bri_fmi_give_rates(of(c)->f, dx, n, &of(c)->err));
}

FMI3_API fmi3Status fmi3GetEventIndicators(fmi3Instance c, fmi3Float64 *g, size_t n)
{
  MAY(c, FIELD);
  return answer(of(c), bri_fmi_give_indicators(of(c)->f, g, n, &of(c)->err));
}

FMI3_API fmi3Status fmi3GetContinuousStates(fmi3Instance c, fmi3Float64 *x, size_t n)
{
  MAY(c, FIELD);
  return answer(of(c), bri_fmi_give_states(of(c)->f, x, n, &of(c)->err));
}

FMI3_API fmi3Status fmi3GetNominalsOfContinuousStates(fmi3Instance c, fmi3Float64 *x, size_t n)
{
  MAY(c, BRI_FMI_ANY);
  return answer(of(c), bri_fmi_give_nominals(of(c)->f, x, n, &of(c)->err));
}

FMI3_API fmi3Status fmi3GetNumberOfEventIndicators(fmi3Instance c, size_t *n)
{
  MAY(c, BRI_FMI_ANY);
  *n = of(c)->f->layout.nevent;
  return fmi3OK;
}

FMI3_API fmi3Status fmi3GetNumberOfContinuousStates(fmi3Instance c, size_t *n)
{
  MAY(c, BRI_FMI_ANY);
  *n = of(c)->f->plant->ny;
  return fmi3OK;
}

/* ---- co-simulation ---- */

FMI3_API fmi3Status fmi3GetOutputDerivatives(fmi3Instance c, const fmi3ValueReference *vr, size_t n,
                                             const fmi3Int32 *order, fmi3Float64 *value, size_t nvalue)
{
  (void)vr, (void)order, (void)value, (void)nvalue;
  return without(c, n, "outputs have no derivatives here");
}

FMI3_API fmi3Status fmi3DoStep(fmi3Instance c, fmi3Float64 t, fmi3Float64 h, fmi3Boolean no_return,
                               fmi3Boolean *event, fmi3Boolean *terminate, fmi3Boolean *early,
                               fmi3Float64 *reached)
{
  MAY(c, BRI_FMI_STEPS);
  (void)no_return;
  *event = *terminate = *early = false;
  const fmi3Status s = answer(of(c), bri_fmi_advance(of(c)->f, t, h, &of(c)->err));
  *reached = s == fmi3OK ? t + h : t;
  return s;
}

/* SPDX-License-Identifier: Apache-2.0
 * fmi2.c - the functions of FMI 2.0, model exchange and co-simulation, over an instance. */
#include "fmi2.h"

#include <string.h>

#include "../../src/base/alloc.h"
#include "../../src/text/fail.h"
#include "instance.h"

typedef struct {
  bri_fmi *f;
  fmi2CallbackFunctions call;
  char *name;
  double reached; /* end of the last step that succeeded, s */
  br_err err;
} fmu;

static fmu *of(fmi2Component c) { return (fmu *)c; }

static void tell(const fmu *m, fmi2Status status, const char *message)
{
  if (m->call.logger)
    m->call.logger(m->call.componentEnvironment, m->name, status, "logStatusError", "%s", message);
}

static fmi2Status answer(fmu *m, br_status st)
{
  if (st == BR_OK) return fmi2OK;
  if (st == BR_E_NAN) return fmi2Discard; /* a trial of the importer's solver that went too far */
  tell(m, fmi2Error, m->err.msg[0] ? m->err.msg : br_status_text(st));
  return fmi2Error;
}

/* Without an instance, or where the standard does not allow the call: an error, and nothing happens. */
static int may(fmi2Component c, int phases, const char *function)
{
  return c && answer(of(c), bri_fmi_may(of(c)->f, phases, function, &of(c)->err)) == fmi2OK;
}
#define MAY(c, phases) \
  if (!may(c, phases, __func__)) return fmi2Error

/* What this FMU has not got: fine as long as nobody asks for any. */
static fmi2Status without(fmi2Component c, size_t n, const char *what)
{
  if (n == 0 && c) return fmi2OK;
  if (!c) return fmi2Error;
  tell(of(c), fmi2Error, what);
  return fmi2Error;
}

FMI2_API const char *fmi2GetTypesPlatform(void) { return "default"; }
FMI2_API const char *fmi2GetVersion(void) { return "2.0"; }

FMI2_API fmi2Status fmi2SetDebugLogging(fmi2Component c, fmi2Boolean on, size_t n,
                                        const fmi2String *categories)
{
  (void)c, (void)on, (void)n, (void)categories; /* only errors are told, and those always */
  return fmi2OK;
}

FMI2_API void fmi2FreeInstance(fmi2Component c)
{
  fmu *m = of(c);
  if (!m) return;
  bri_fmi_close(m->f);
  bri_free(m->name);
  bri_free(m);
}

FMI2_API fmi2Component fmi2Instantiate(fmi2String name, fmi2Type type, fmi2String guid, fmi2String resources,
                                       const fmi2CallbackFunctions *functions, fmi2Boolean visible,
                                       fmi2Boolean logging)
{
  (void)visible, (void)logging;
  fmu *m = bri_calloc(1, sizeof *m);
  if (!m) return NULL;
  if (functions) memcpy(&m->call, functions, sizeof m->call);
  const char *called = name ? name : "";
  const size_t size = strlen(called) + 1;
  m->name = bri_malloc(size);
  if (m->name) memcpy(m->name, called, size);
  const br_status st = m->name ? bri_fmi_open_at(resources, guid, &m->f, &m->err)
                               : bri_fail(&m->err, BR_E_NOMEM, "out of memory");
  if (st == BR_OK) {
    m->f->exchange = type == fmi2ModelExchange;
    return m;
  }
  tell(m, fmi2Error, m->err.msg);
  fmi2FreeInstance(m);
  return NULL;
}

FMI2_API fmi2Status fmi2SetupExperiment(fmi2Component c, fmi2Boolean has_tolerance, fmi2Real tolerance,
                                        fmi2Real start, fmi2Boolean has_end, fmi2Real end)
{
  MAY(c, BRI_FMI_MADE);
  (void)has_tolerance, (void)tolerance, (void)has_end, (void)end;
  return answer(of(c), bri_fmi_set_time(of(c)->f, start, &of(c)->err));
}

FMI2_API fmi2Status fmi2EnterInitializationMode(fmi2Component c)
{
  MAY(c, BRI_FMI_MADE);
  of(c)->f->phase = BRI_FMI_INITIALIZING;
  return fmi2OK;
}

FMI2_API fmi2Status fmi2ExitInitializationMode(fmi2Component c)
{
  MAY(c, BRI_FMI_INITIALIZING);
  const br_status st = bri_fmi_start(of(c)->f, &of(c)->err);
  if (!st) of(c)->f->phase = of(c)->f->exchange ? BRI_FMI_EVENTS : BRI_FMI_STEPS;
  return answer(of(c), st);
}

FMI2_API fmi2Status fmi2Terminate(fmi2Component c)
{
  MAY(c, BRI_FMI_RUNNING);
  of(c)->f->phase = BRI_FMI_ENDED;
  return fmi2OK;
}

FMI2_API fmi2Status fmi2Reset(fmi2Component c)
{
  MAY(c, BRI_FMI_ANY);
  return answer(of(c), bri_fmi_reset(of(c)->f, &of(c)->err));
}

FMI2_API fmi2Status fmi2GetReal(fmi2Component c, const fmi2ValueReference *vr, size_t n, fmi2Real *value)
{
  MAY(c, BRI_FMI_ANY);
  return answer(of(c), bri_fmi_get_list(of(c)->f, vr, n, value, n, &of(c)->err));
}

FMI2_API fmi2Status fmi2SetReal(fmi2Component c, const fmi2ValueReference *vr, size_t n,
                                const fmi2Real *value)
{
  MAY(c, BRI_FMI_ANY & ~BRI_FMI_ENDED);
  return answer(of(c), bri_fmi_set_list(of(c)->f, vr, n, value, n, &of(c)->err));
}

#define NONE_OF(Type)                                                                        \
  FMI2_API fmi2Status fmi2Get##Type(fmi2Component c, const fmi2ValueReference *vr, size_t n, \
                                    fmi2##Type *value)                                       \
  {                                                                                          \
    (void)vr, (void)value;                                                                   \
    return without(c, n, "this FMU has variables of type Real only");                        \
  }                                                                                          \
  FMI2_API fmi2Status fmi2Set##Type(fmi2Component c, const fmi2ValueReference *vr, size_t n, \
                                    const fmi2##Type *value)                                 \
  {                                                                                          \
    (void)vr, (void)value;                                                                   \
    return without(c, n, "this FMU has variables of type Real only");                        \
  }
NONE_OF(Integer)
NONE_OF(Boolean)
NONE_OF(String)

/* ---- states kept by the importer ---- */

FMI2_API fmi2Status fmi2GetFMUstate(fmi2Component c, fmi2FMUstate *state)
{
  MAY(c, BRI_FMI_ANY);
  return answer(of(c), bri_fmi_keep(of(c)->f, state, &of(c)->err));
}

FMI2_API fmi2Status fmi2SetFMUstate(fmi2Component c, fmi2FMUstate state)
{
  MAY(c, BRI_FMI_ANY);
  return answer(of(c), bri_fmi_return(of(c)->f, state, &of(c)->err));
}

FMI2_API fmi2Status fmi2FreeFMUstate(fmi2Component c, fmi2FMUstate *state)
{
  (void)c;
  bri_fmi_forget(state);
  return fmi2OK;
}

FMI2_API fmi2Status fmi2SerializedFMUstateSize(fmi2Component c, fmi2FMUstate state, size_t *size)
{
  MAY(c, BRI_FMI_ANY);
  (void)state;
  return answer(of(c), bri_fmi_packed(of(c)->f, size, &of(c)->err));
}

FMI2_API fmi2Status fmi2SerializeFMUstate(fmi2Component c, fmi2FMUstate state, fmi2Byte *bytes, size_t size)
{
  MAY(c, BRI_FMI_ANY);
  return answer(of(c), bri_fmi_pack(of(c)->f, state, bytes, size, &of(c)->err));
}

FMI2_API fmi2Status fmi2DeSerializeFMUstate(fmi2Component c, const fmi2Byte *bytes, size_t size,
                                            fmi2FMUstate *state)
{
  MAY(c, BRI_FMI_ANY);
  return answer(of(c), bri_fmi_unpack(of(c)->f, bytes, size, state, &of(c)->err));
}

FMI2_API fmi2Status fmi2GetDirectionalDerivative(fmi2Component c, const fmi2ValueReference *unknown,
                                                 size_t nu, const fmi2ValueReference *known, size_t nk,
                                                 const fmi2Real *direction, fmi2Real *out)
{
  MAY(c, BRI_FMI_INITIALIZING | BRI_FMI_RUNNING | BRI_FMI_ENDED);
  return answer(of(c), bri_fmi_directional(of(c)->f, unknown, nu, known, nk, direction, out, &of(c)->err));
}

/* ---- model exchange ---- */

#define FIELD (BRI_FMI_INITIALIZING | BRI_FMI_EVENTS | BRI_FMI_CONTINUOUS | BRI_FMI_ENDED)

FMI2_API fmi2Status fmi2EnterEventMode(fmi2Component c)
{
  MAY(c, BRI_FMI_EVENTS | BRI_FMI_CONTINUOUS);
  of(c)->f->phase = BRI_FMI_EVENTS;
  return fmi2OK;
}

FMI2_API fmi2Status fmi2EnterContinuousTimeMode(fmi2Component c)
{
  MAY(c, BRI_FMI_EVENTS);
  of(c)->f->phase = BRI_FMI_CONTINUOUS;
  return fmi2OK;
}

FMI2_API fmi2Status fmi2NewDiscreteStates(fmi2Component c, fmi2EventInfo *info)
{
  MAY(c, BRI_FMI_EVENTS);
  int changed = 0;
  memset(info, 0, sizeof *info);
  const br_status st = bri_fmi_event(of(c)->f, &changed, &of(c)->err);
  info->valuesOfContinuousStatesChanged = changed && of(c)->f->plant->ny > 0;
  return answer(of(c), st);
}

FMI2_API fmi2Status fmi2CompletedIntegratorStep(fmi2Component c, fmi2Boolean no_return,
                                                fmi2Boolean *enter_event, fmi2Boolean *terminate)
{
  MAY(c, BRI_FMI_CONTINUOUS);
  (void)no_return;
  *terminate = fmi2False;
  return answer(of(c), bri_fmi_step_done(of(c)->f, enter_event, &of(c)->err));
}

FMI2_API fmi2Status fmi2SetTime(fmi2Component c, fmi2Real t)
{
  /* before the initialization, too: checkers have set it there besides the start time, which it is */
  MAY(c, BRI_FMI_MADE | BRI_FMI_INITIALIZING | BRI_FMI_EVENTS | BRI_FMI_CONTINUOUS);
  return answer(of(c), bri_fmi_set_time(of(c)->f, t, &of(c)->err));
}

FMI2_API fmi2Status fmi2SetContinuousStates(fmi2Component c, const fmi2Real *x, size_t n)
{
  MAY(c, BRI_FMI_EVENTS | BRI_FMI_CONTINUOUS);
  return answer(of(c), bri_fmi_take_states(of(c)->f, x, n, &of(c)->err));
}

FMI2_API fmi2Status fmi2GetDerivatives(fmi2Component c, fmi2Real *dx, size_t n)
{
  MAY(c, FIELD);
  return answer(of(c), bri_fmi_give_rates(of(c)->f, dx, n, &of(c)->err));
}

FMI2_API fmi2Status fmi2GetEventIndicators(fmi2Component c, fmi2Real *g, size_t n)
{
  MAY(c, FIELD);
  return answer(of(c), bri_fmi_give_indicators(of(c)->f, g, n, &of(c)->err));
}

FMI2_API fmi2Status fmi2GetContinuousStates(fmi2Component c, fmi2Real *x, size_t n)
{
  MAY(c, FIELD);
  return answer(of(c), bri_fmi_give_states(of(c)->f, x, n, &of(c)->err));
}

FMI2_API fmi2Status fmi2GetNominalsOfContinuousStates(fmi2Component c, fmi2Real *x, size_t n)
{
  MAY(c, BRI_FMI_ANY);
  return answer(of(c), bri_fmi_give_nominals(of(c)->f, x, n, &of(c)->err));
}

/* ---- co-simulation ---- */

FMI2_API fmi2Status fmi2SetRealInputDerivatives(fmi2Component c, const fmi2ValueReference *vr, size_t n,
                                                const fmi2Integer *order, const fmi2Real *value)
{
  MAY(c, BRI_FMI_MADE | BRI_FMI_INITIALIZING | BRI_FMI_STEPS);
  br_status st = BR_OK;
  for (size_t i = 0; i < n && !st; i++) {
    if (order[i] != 1) return without(c, 1, "inputs take a first derivative only");
    st = bri_fmi_set_slope(of(c)->f, vr[i], value[i], &of(c)->err);
  }
  return answer(of(c), st);
}

FMI2_API fmi2Status fmi2GetRealOutputDerivatives(fmi2Component c, const fmi2ValueReference *vr, size_t n,
                                                 const fmi2Integer *order, fmi2Real *value)
{
  (void)vr, (void)order, (void)value;
  return without(c, n, "outputs have no derivatives here");
}

FMI2_API fmi2Status fmi2DoStep(fmi2Component c, fmi2Real t, fmi2Real h, fmi2Boolean no_return)
{
  MAY(c, BRI_FMI_STEPS);
  fmu *m = of(c);
  (void)no_return;
  const fmi2Status s = answer(m, bri_fmi_advance(m->f, t, h, &m->err));
  if (s == fmi2OK) m->reached = t + h;
  return s;
}

FMI2_API fmi2Status fmi2CancelStep(fmi2Component c) { return without(c, 1, "no step is pending"); }

FMI2_API fmi2Status fmi2GetStatus(fmi2Component c, const fmi2StatusKind kind, fmi2Status *value)
{
  if (kind != fmi2DoStepStatus) return fmi2Discard;
  (void)c;
  *value = fmi2OK;
  return fmi2OK;
}

FMI2_API fmi2Status fmi2GetRealStatus(fmi2Component c, const fmi2StatusKind kind, fmi2Real *value)
{
  if (!c || kind != fmi2LastSuccessfulTime) return fmi2Discard;
  *value = of(c)->reached;
  return fmi2OK;
}

FMI2_API fmi2Status fmi2GetIntegerStatus(fmi2Component c, const fmi2StatusKind kind, fmi2Integer *value)
{
  (void)c, (void)kind, (void)value;
  return fmi2Discard;
}

FMI2_API fmi2Status fmi2GetBooleanStatus(fmi2Component c, const fmi2StatusKind kind, fmi2Boolean *value)
{
  if (kind != fmi2Terminated) return fmi2Discard;
  (void)c;
  *value = fmi2False;
  return fmi2OK;
}

FMI2_API fmi2Status fmi2GetStringStatus(fmi2Component c, const fmi2StatusKind kind, fmi2String *value)
{
  (void)c, (void)kind;
  *value = "";
  return fmi2Discard;
}

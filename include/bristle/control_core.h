/* SPDX-License-Identifier: Apache-2.0
 * control_core.h - a controller as plain data: settings, plan, memory, what it is given.
 *
 * The plan holds numbers that br_control_init() fits once to a mechanism and a model; the memory is what
 * changes from call to call.  Both are plain structs of one number type, so that the same laws
 * (core/control.inc) run over them in the library and, in f64 or f32, in exported firmware headers.
 * Lists are written once, as rows: structs, checks, options and exports are made from them.
 *
 * Units: SI; "y" is the tracked state's, "u" the input's. */
#ifndef BR_CONTROL_CORE_H
#define BR_CONTROL_CORE_H
#include <stddef.h>
#ifdef __cplusplus
extern "C" {
#endif

enum {
  BR_CONTROL_MAX_Q = 4,                   /* mechanism states */
  BR_CONTROL_MAX_Z = 16,                  /* bristle states */
  BR_CONTROL_MAX_X = BR_CONTROL_MAX_Z + 4 /* controller states */
};

/* What a law does; control.inc asks for these instead of names. */
enum {
  BR_DOES_POLES = 1,       /* places the poles of e, and takes `integral` */
  BR_DOES_MODEL = 2,       /* needs a friction model */
  BR_DOES_SLIDES = 4,      /* has a sliding surface and uses an accelerometer */
  BR_DOES_PUSHES = 8,      /* its bristles take a push from e */
  BR_DOES_LEARNS = 16,     /* learns the level of friction */
  BR_DOES_FOLLOWS = 32,    /* its friction model moves along the reference */
  BR_DOES_SAMPLED = 64,    /* is defined by its samples: no continuous loop */
  BR_DOES_CASCADE = 128,   /* PI around an inner loop */
  BR_DOES_DERIVATIVE = 256 /* has a derivative of y, filtered */
};
/* Laws: K(ID, name, what it does, gains that count besides the poles, meaning).  The one list: a law is a row
 * here and its branch in core/control.inc. */
#define BR_CONTROL_KINDS(K)                                                                                 \
  K(FEEDBACK_LINEARIZATION, "feedback_linearization", BR_DOES_POLES | BR_DOES_MODEL, "",                    \
    "cancels mechanism and friction, places the poles of e")                                                \
  K(SLIDING_MODE, "sliding_mode", BR_DOES_MODEL | BR_DOES_SLIDES, "lambda|eta|phi",                         \
    "the same with a bounded switching term and an accelerometer")                                          \
  K(OBSERVER, "observer", BR_DOES_POLES | BR_DOES_MODEL | BR_DOES_PUSHES, "",                               \
    "friction observer driven by e (Canudas de Wit et al. 1995)")                                           \
  K(PI, "pi", 0, "kp|ki", "plain")                                                                          \
  K(PID, "pid", BR_DOES_DERIVATIVE, "kp|ki|kd", "plain, filtered derivative")                               \
  K(CASCADE_PI, "cascade_pi", BR_DOES_CASCADE, "kp|ki|inner", "PI around an inner loop, no friction model") \
  K(SLIDING_MODE_IMPLICIT, "sliding_mode_implicit", BR_DOES_MODEL | BR_DOES_SLIDES | BR_DOES_SAMPLED,       \
    "lambda|eta", "switching term by the implicit Euler rule: sampled only, no chatter")                    \
  K(ADAPTIVE, "adaptive", BR_DOES_POLES | BR_DOES_MODEL | BR_DOES_PUSHES | BR_DOES_LEARNS, "adapt",         \
    "cancels friction and learns its level")                                                                \
  K(FEEDFORWARD, "feedforward", BR_DOES_POLES | BR_DOES_MODEL | BR_DOES_FOLLOWS, "",                        \
    "friction of the model driven by the reference")
#define BR_CONTROL_KIND_ID(id, name, does, gains, doc) BR_CONTROL_##id,
typedef enum { BR_CONTROL_KINDS(BR_CONTROL_KIND_ID) } br_control_kind;

typedef enum {
  BR_LAW_CORRECTED,
  BR_LAW_PUBLISHED /* LuGre only: the printed simplification of dA/dt, which acts as a damping of its own */
} br_control_law;

/* What the integral does while |u| would exceed its limit. */
typedef enum {
  BR_ANTIWINDUP_CONDITIONAL,     /* leaves e out and unwinds, as long as e would drive u further out */
  BR_ANTIWINDUP_BACK_CALCULATION /* is pulled back by the excess of u, at a rate of its own loop */
} br_control_antiwindup;

/* Sticky flags of the memory. */
enum {
  BR_CONTROL_NAN = 1,     /* an update produced no number and returned 0 */
  BR_CONTROL_BAD_STEP = 2 /* h was not finite or not > 0: nothing moved, the last u was returned */
};

/* Gains: G(name, 1 if it must be > 0, else >= 0, unit, meaning). */
#define BR_CONTROL_GAINS(G)                                                                 \
  G(kp, 0, "u/y", "proportional gain of pi and pid; outer loop of cascade_pi (1/s)")        \
  G(ki, 0, "u/(y s)", "integral gain of pi and pid; outer loop of cascade_pi (1/s^2)")      \
  G(kd, 0, "u s/y", "derivative gain of pid")                                               \
  G(inner, 1, "1/s", "inner loop of cascade_pi")                                            \
  G(tf, 0, "s", "filter of the derivative of pid; 0: none, where y' is measured")           \
  G(lambda, 1, "1/s", "slope of the sliding surface s = e' + lambda e")                     \
  G(eta, 0, "y/s^degree", "switching gain of sliding modes")                                \
  G(phi, 0, "unit of s", "boundary layer of sliding_mode; 0 switches by the bare sign")     \
  G(injection, 0, "state/(y s)", "bristle rate per unit of e in the friction observer")     \
  G(adapt, 0, "1/s", "adaptive: rate at which the friction level is learned while sliding") \
  G(span, 1, "1", "adaptive: the level stays between 1/(1 + span) and 1 + span times the model's")

/* Plan: XN(name, meaning) counts and places, XI small numbers and switches, XR real numbers,
 * XA(name, size, meaning) arrays of them. */
#define BR_CONTROL_PLAN(XN, XI, XR, XA)                                                    \
  XN(nq, "states of the mechanism")                                                        \
  XN(nz, "states of the friction model")                                                   \
  XN(iv, "place of the contact's velocity among the states")                               \
  XN(iy, "place of the tracked state")                                                     \
  XI(degree, "relative degree: which derivative of y follows u")                           \
  XI(through_force, "1: y'' contains dF/dt")                                               \
  XI(adrift, "1: friction depends on a position that no state is: the law integrates v")   \
  XR(load, "normal-load factor")                                                           \
  XA(A, BR_CONTROL_MAX_Q *BR_CONTROL_MAX_Q, "q' = r0 + A q + B F + E u, row after row")    \
  XA(B, BR_CONTROL_MAX_Q, "")                                                              \
  XA(E, BR_CONTROL_MAX_Q, "")                                                              \
  XA(r0, BR_CONTROL_MAX_Q, "")                                                             \
  XA(P, BR_CONTROL_MAX_Q, "position of the contact p0 + P q")                              \
  XR(p0, "")                                                                               \
  XR(b, "d y^(degree) / d u")                                                              \
  XR(k1, "error equation e'' + k2 e' + k1 e + ki integral(e) = 0, 1/s^2")                  \
  XR(k2, "1/s")                                                                            \
  XR(ki, "1/s^3")                                                                          \
  XR(unwind, "rate of the integral per unit of u beyond the limit; 0: no integral action") \
  XR(band, "half width of the strip around v = 0 where one side's derivatives count, m/s") \
  XR(z_bound, "the observer keeps |z| of its first state within this")                     \
  XR(learn, "adaptive: rate of the level per (y N) of error output times friction")        \
  XR(mix, "adaptive: weight of e in the error output e' + mix e; degree 2 only, 1/s")      \
  XR(vs, "Stribeck velocity and exponent of the published law")                            \
  XR(delta, "")

/* The structs of one number type; BR_CONTROL_STRUCTS(double, br_control) makes br_control_settings etc. */
#define BR_CONTROL_STRUCTS(real, prefix)                                                                 \
  typedef struct {                                                                                       \
    br_control_kind kind;                                                                                \
    br_control_law law;                                                                                  \
    int true_bristle; /* 1: bristle states are handed in (the ideal); 0: a copy of the model has them */ \
    int integral;     /* 1: integral action on e */                                                      \
    br_control_antiwindup antiwindup;                                                                    \
    real poles[3]; /* 1/s, negative: of e; the third one is used with `integral` */                      \
    real limit;    /* |u| <= limit; infinite: none */                                                    \
    BR_CONTROL_GAINS(BR_CONTROL_GAIN_##real)                                                             \
  } prefix##_settings;                                                                                   \
  typedef struct {                                                                                       \
    real r, dr, ddr; /* reference and its derivatives */                                                 \
  } prefix##_ref;                                                                                        \
  typedef struct {                                                                                       \
    const real *q; /* measured mechanism states */                                                       \
    const real *z; /* bristle states where the settings ask for true ones, otherwise ignored */          \
    real accel;    /* measured acceleration of the contact; NaN: not measured */                         \
    int side;      /* direction of motion for one-sided derivatives at v = 0; 0: by the sign of v */     \
  } prefix##_meas;                                                                                       \
  typedef struct {                                                                                       \
    prefix##_settings set;                                                                               \
    BR_CONTROL_PLAN(BR_CONTROL_N, BR_CONTROL_I, BR_CONTROL_R_##real, BR_CONTROL_A_##real)                \
  } prefix##_plan;                                                                                       \
  typedef struct {                                                                                       \
    /* [nz] bristles, integral of e, filtered y, learned level - 1, way of the contact (plan: adrift) */ \
    real x[BR_CONTROL_MAX_X];                                                                            \
    real v_last, u_last; /* velocity that moved the bristles, and output, of the last call */            \
    int started;                                                                                         \
    unsigned flags; /* BR_CONTROL_NAN, BR_CONTROL_BAD_STEP */                                            \
  } prefix##_memory;
#define BR_CONTROL_GAIN_double(name, positive, unit, doc) double name;
#define BR_CONTROL_GAIN_float(name, positive, unit, doc) float name;
#define BR_CONTROL_N(name, doc) size_t name;
#define BR_CONTROL_I(name, doc) int name;
#define BR_CONTROL_R_double(name, doc) double name;
#define BR_CONTROL_R_float(name, doc) float name;
#define BR_CONTROL_A_double(name, size, doc) double name[size];
#define BR_CONTROL_A_float(name, size, doc) float name[size];

BR_CONTROL_STRUCTS(double, br_control)
BR_CONTROL_STRUCTS(float, br_control_f32)

#ifdef __cplusplus
}
#endif
#endif

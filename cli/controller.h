/* SPDX-License-Identifier: Apache-2.0
 * controller.h - from option texts to the settings of a controller; shared by control and export. */
#ifndef BRI_CLI_CONTROLLER_H
#define BRI_CLI_CONTROLLER_H
#include "bristle/control.h"
#include "cli.h"

/* Help lists what there is, from the library's own rows. */
#define CONTROLLER_NAME(id, name, poles, model, continuous, doc) " " name
#define CONTROLLER_GAIN(name, positive, unit, doc) " " #name
#define OPT_ROW_CONTROLLER                                                           \
  {                                                                                  \
    "controller", "NAME", OPT_TEXT, NULL, "one of" BR_CONTROL_KINDS(CONTROLLER_NAME) \
  }
#define OPT_ROW_LAW                                                                                          \
  {                                                                                                          \
    "law", "corrected|published", OPT_TEXT, NULL, "of feedback_linearization; published is wrong, see below" \
  }
#define OPT_ROW_POLES                                                                                       \
  {                                                                                                         \
    "poles", "P1,P2[,P3]", OPT_TEXT, NULL,                                                                  \
        "poles of the error in 1/s, all < 0; default -35,-30,-25, observer -100; P3 counts with --integral" \
  }
#define OPT_ROW_GAINS                                                                 \
  {                                                                                   \
    "gains", "NAME=VALUE,...", OPT_LIST, NULL, "of" BR_CONTROL_GAINS(CONTROLLER_GAIN) \
  }
#define OPT_ROW_BRISTLE                                                                         \
  {                                                                                             \
    "bristle", "estimated|true", OPT_TEXT, NULL,                                                \
        "bristle state from a copy of the model (default), or handed in as if it were measured" \
  }
#define OPT_ROW_INTEGRAL                                                               \
  {                                                                                    \
    "integral", NULL, OPT_FLAG, NULL, "add integral action to a law that places poles" \
  }
#define OPT_ROW_ANTIWINDUP                                                                                \
  {                                                                                                       \
    "antiwindup", "conditional|back_calculation", OPT_TEXT, NULL,                                         \
        "what the integral does at the limit of u: unwinds while e drives out, or always; default by law" \
  }
#define OPT_ROW_LIMIT                                      \
  {                                                        \
    "limit", "u=X", OPT_LIST, NULL, "bound of the control" \
  }
#define OPT_ROW_TRACK                                                                                  \
  {                                                                                                    \
    "track", "STATE", OPT_TEXT, NULL, "tracked state of the mechanism; default the contact's velocity" \
  }

typedef struct {
  const opt_value *controller, *law, *poles, *gains, *bristle, *integral, *antiwindup, *limit;
} controller_options;

/* Returns CLI_OK, or an exit code after a message. */
int controller_read(const cli_command *c, const controller_options *o, br_control_settings *set);
/* Index of the tracked state of s; `velocity`: what it is where the option is not given. */
int controller_tracked(const cli_command *c, const opt_value *track, const br_system *s, int velocity,
                       size_t *tracked);

#endif

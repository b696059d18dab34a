/* SPDX-License-Identifier: Apache-2.0
 * analysis_rows.c - the tables of the analysis 'fit': options, results, pictures, examples, help. */
#include "analysis_parts.h"
#include "analysis/rows.h"

#define COLUMN(option, text) BRI_TEXT(option, "COL", text)
#define OF_MOTION .needs = "system", .why = "is about a motion that is predicted"
#define OF_DESIGN .needs = "design", .why = "is about a design"
#define APART(others) .excludes = others, .clash = "each is a question of its own: give one of them"
static const br_option OPTIONS[] = {
    BRI_TEXT("file", "FILE",
             "the record, with steps behind bars: run.csv|window:1s:9s; sample:MODEL[,SEED] is one made by a "
             "model",
             .file = BR_FILE_RECORD),
    BRI_TEXT("model", "NAME|all",
             "friction model to fit, see 'bristle models'; default all, of which the best is told",
             .def = "all"),
    COLUMN("time", "column of the time, by name or number; default the one with a unit of time; - for none"),
    COLUMN("position",
           "column of the position; default the one with a unit of length or angle; X,Y: two axes"),
    COLUMN("force", "column of the force; default the one with a unit of force or torque; X,Y: two axes"),
    COLUMN("velocity", "column of a measured velocity; default: derived from the position"),
    COLUMN("load", "column of the normal load or pressure; default none"),
    BRI_TEXT("train", "A:B",
             "part to fit: parts of the record (0.15:0.55) or times (2s:9s); default 0:0.6, or up to the "
             "test part"),
    BRI_TEXT("test", "A:B", "part to judge by, unseen in the fit; default the rest behind the train part"),
    BRI_PAIRS("fix", "NAME=VALUE,...", "parameters that are known and stay as they are"),
    BRI_PAIRS(
        "guess", "NAME=VALUE,...",
        "where the search starts, of a model that is roughly known; default: several starts from the data"),
    BRI_OPTION("loss", CHOICE, "NAME",
               "what is made least: squares of the residual, or huber or cauchy, in which outliers count "
               "less; default squares",
               .choices = "squares|huber|cauchy", .def = "squares"),
    BRI_OPTION(
        "intervals", CHOICE, "NAME",
        "95 % intervals from the curvature at the best place, or profile: each value is held and the others "
        "fitted anew until the sum of squares has risen by what chance allows; default covariance",
        .choices = "covariance|profile", .def = "covariance"),
    BRI_TEXT("free", "NAME,...",
             "parameters to fit as well that stay at their defaults otherwise: delta, gamma, inv_d0, ..."),
    BRI_TEXT("extras", "LIST",
             "terms beside the model: offset,viscous,stiffness,mass,load,backlash,start,asymmetry,drift or "
             "none; default offset, viscous where the model has none (stiffness and start for a record "
             "without time), load where there is a column"),
    BRI_COUNT("elements", "N", 1, 8,
              "elements of maxwell_slip and gms; default as many as BIC asks for, 3 for gms"),
    BRI_ABOVE_0("bandwidth", "F", "Hz",
                "of the velocity that is derived from the position; default: what Dahl's model likes best, "
                "none for clean data"),
    BRI_TEXT("system", "NAME",
             "mechanism around the model, see 'bristle systems': its input is in the record, its motion is "
             "predicted"),
    BRI_TEXT("drive", "[NAME=]COL,...", "columns of the mechanism's inputs; default the one whose unit fits",
             OF_MOTION),
    BRI_TEXT("measured", "STATE=COL,...",
             "states that were measured, beside --position and --velocity of the first contact", OF_MOTION),
    BRI_PAIRS("start", "NAME=VALUE,...",
              "values to start from, rough ones of a design; default: from the record, the model's defaults",
              .needs = "system|design", .why = "is about a motion that is predicted, or a design"),
    BRI_FLAG("hold",
             "the input is held between samples, as a sampled controller does; default: straight lines",
             OF_MOTION),
    BRI_FROM_0("window", "T", "s",
               "length of the pieces that are started freely, 0: one run; default: pieces, joined where one "
               "run does not drift",
               OF_MOTION),
    BRI_TEXT("shared", "NAME,...",
             "of several files: parameters that are the same in all, in one fit; the rest is each file's own",
             APART("system|design|study")),
    BRI_TEXT("per-file", "NAME,...",
             "the other way round: these are each file's own, the rest is the same in all",
             APART("system|design|study")),
    BRI_TEXT("resume", "FILE.journal",
             "keep what is found in FILE and go on from there when the same command is given again; it goes "
             "away at the end",
             APART("design|shared|per-file"), .file = BR_FILE_WRITTEN),
    BRI_TEXT("study", "FILE.yaml",
             "write a study with the fitted parameters: 'bristle run FILE.yaml' shows the data against them",
             APART("design"), .file = BR_FILE_WRITTEN),
    BRI_TEXT("header", "FILE.h", "write the fitted element as a C header, as 'bristle export c' does",
             APART("design"), .file = BR_FILE_WRITTEN),
    BRI_FLAG("design",
             "propose an experiment for the model: the motion that tells most about its parameters (--start)",
             .excludes = "system",
             .clash = "a motion is designed for a force that is measured, not for a mechanism"),
    BRI_ABOVE_0("stroke", "L", "m", "of a design: most between the ends of the motion", OF_DESIGN),
    BRI_ABOVE_0("speed", "V", "m/s", "of a design: fastest motion", OF_DESIGN),
    BRI_ABOVE_0("t-end", "T", "s", "of a design: how long it may take; 1500 samples in it", OF_DESIGN),
    BRI_FROM_0(
        "noise", "F", "N",
        "of a design: standard deviation of the measured force; default a hundredth of its largest value",
        OF_DESIGN),
    BRI_ROW_SEED("of the starts that are drawn"),
    BRI_ROW_THREADS,
};

static const br_result_row RESULTS[] = {
    {"model", "", "the model asked for, or the recommended one"},
    {"reason", "", "why it is recommended"},
    {"parameters", "",
     "by name: value, low and high end of the 95 % interval, unit; lists for vectors; extras too"},
    {"set", "", "the parameters of the model as a list for --set"},
    {"rmse_train", "N", "root mean square of what is left, on the part that was fitted"},
    {"rmse_test", "N", "the same on the test part"},
    {"rmse_free", "", "with a mechanism: on the test part, of one run from the start of the train part"},
    {"system", "", "with a mechanism: its name"},
    {"shooting", "",
     "with a mechanism: pieces that are started freely, their length (window), what errors are of"},
    {"rel_test", "1", "rmse_test over the standard deviation of the measured force on the test part"},
    {"effective_samples", "1",
     "independent samples of the train part, by the autocorrelation of the residual"},
    {"condition", "1", "of the scaled sensitivities: large where parameters cannot be told apart"},
    {"seconds", "s", "of the fit of this model"},
    {"evaluations", "1", "walks along the record, with and without derivative"},
    {"ranking", "", "every model tried, best on unseen data first"},
    {"ranking.*.model", "", "its name"},
    {"ranking.*.left_out", "", "why a model has no numbers; those that have some have none of this"},
    {"ranking.*.rmse_test", "N", "error on the test part"},
    {"ranking.*.rel_test", "1", "the same, relative"},
    {"ranking.*.aic", "1", "Akaike's criterion with the effective samples"},
    {"ranking.*.bic", "1", "Schwarz's criterion with the effective samples"},
    {"ranking.*.seconds", "s", "time of its fit"},
    {"data", "", "what was chosen of the record and done to it"},
    {"warnings", "", "what should be known before the numbers are used"},
    {"design", "",
     "an experiment: input (for --input), kind, log_det of the information and log_det_sine of a plain sine, "
     "gain (their standard deviations, on average), stroke, speed, noise, samples; parameters then has the "
     "intervals to be expected"},
    {"files", "",
     "of several files each: file, model, rmse_train, rmse_test, rel_test, values, with --shared also low "
     "and high; the rest is the first one's, or what is shared"},
    {"fit", "", "t, u, v, F, fitted, residual at every sample; of two axes also u_y to residual_y",
     BR_RESULT_TABLE},
    {"fit_path", "", "the same of a record without time: row, u, v, F, fitted, residual", BR_RESULT_TABLE},
    {"design", "", "of a design: t, u, v, F", BR_RESULT_TABLE},
    {"motion", "", "with a mechanism: t, input w, measured, fitted, residual of each thing measured",
     BR_RESULT_TABLE},
};

static const br_picture_line FORCE[] = {{"fit", "muted", "measured", 0, 0, 0, NULL, "F"},
                                        {"fit", "bold", "fitted", 0, 0, 0, NULL, "fitted"}};
static const br_picture_line REST[] = {{"fit", "line", ""}};
static const br_picture_line PATH[] = {{"fit_path", "muted", "measured", 0, 0, 0, NULL, "F"},
                                       {"fit_path", "bold", "fitted", 0, 0, 0, NULL, "fitted"}};
static const br_picture_line PATH_REST[] = {{"fit_path", "line", ""}};
static const br_picture_line MOTION[] = {{"motion", "muted", "measured", 0, 0, 0, NULL, "measured"},
                                         {"motion", "bold", "fitted", 0, 0, 0, NULL, "fitted"}};
static const br_picture_line MOTION_REST[] = {{"motion", "line", ""}};
static const br_picture_line DESIGN[] = {{"design", "bold", ""}};
static const br_picture_panel PANELS[] = {
    {"t", "F", "time t", "force F", "fit", FORCE, 2},
    {"t", "residual", "time t", "residual", "fit", REST, 1, .under = 1},
    {"u", "F", "position u", "force F", "fit", FORCE, 2},
    {"u", "residual", "position u", "residual", "fit", REST, 1, .under = 1},
    {"row", "F", "row of the record", "force F", "fit_path", PATH, 2},
    {"row", "residual", "row of the record", "residual", "fit_path", PATH_REST, 1, .under = 1},
    {"u", "F", "position u", "force F", "fit_path", PATH, 2},
    {"u", "residual", "position u", "residual", "fit_path", PATH_REST, 1, .under = 1},
    {"t", "measured", "time t", "motion", "motion", MOTION, 2},
    {"t", "residual", "time t", "residual", "motion", MOTION_REST, 1, .under = 1},
    {"t", "w", "time t", "input", "motion", MOTION_REST, 1},
    {"t", "u", "time t", "position u", "design", DESIGN, 1},
    {"t", "v", "time t", "velocity v", "design", DESIGN, 1, .under = 1},
    {"u", "F", "position u", "force F", "design", DESIGN, 1},
};

static const br_example EXAMPLES[] = {
    {"bristle fit --file sample:dahl --model dahl",
     "parameters of a record made by Dahl's model, with noise"},
    {"bristle fit --file sample:lugre,7 --model lugre --train 0:0.5 --test 0.5:1 --fix delta=2 --json",
     "fitted on one half, judged on the other"},
    {"bristle fit --file sample:dahl --system mass_spring --model dahl",
     "force given, motion predicted: parameters of the model and of the mechanism"},
    {"bristle fit --design --model dahl --start sigma0=4e5,Fc=12 --stroke 2mm --speed 20mm/s --t-end 5",
     "the motion that tells most about the parameters, and how well they will be known"},
    {NULL, NULL},
};

static const char TEXT[] =
    "Takes the motion of a record as given, predicts the force with a friction model and seeks the "
    "parameters by nonlinear least squares on the train part; the test part, which the fit does not see, "
    "judges. Derivatives are exact (complex step of the model's own kernel), additive terms (offset, "
    "viscous, stiffness, mass, load) are solved inside. Intervals of 95 % count the autocorrelation of the "
    "residual; parameters that the data cannot separate are named.\n\n"
    "Without --model every model is tried, and the one with the least error on unseen data is recommended; "
    "among those within 2 % of it the one with the least BIC.\n\n"
    "With --system a column of the record drives the mechanism (force, current, voltage) and its motion is "
    "predicted by the solver; parameters of the mechanism are fitted along with the model's, and a bias of "
    "the input. Where one run would drift the record is cut in pieces with start values of their own; the "
    "answer says so (shooting).\n\n"
    "JSON: {model, reason, parameters: {NAME: {value, low, high, unit}}, set, rmse_train, rmse_test, "
    "rel_test, seconds, evaluations, ranking: [{model, rmse_test, rel_test, aic, bic, seconds}], data, "
    "warnings}.";

const br_analysis bri_analysis_fit = {
    .name = "fit",
    .summary = "parameters of a friction model from measured motion and force",
    .text = TEXT,
    .operand = "file",
    .tables = "fit|motion|design",
    BRI_ROWS(OPTIONS, RESULTS),
    .picture = {PANELS, BRI_LENGTH(PANELS), .title = "Fit of a friction model"},
    .examples = EXAMPLES,
    .check = bri_fit_check,
    .run = bri_fit_run,
};

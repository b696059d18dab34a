/* SPDX-License-Identifier: Apache-2.0
 * bristle.h - everything of the host library: models, mechanisms, inputs, and the questions that can be asked of them.
 * Firmware takes rt.h or what 'bristle export c' writes; neither needs the rest. */
#ifndef BR_BRISTLE_H
#define BR_BRISTLE_H
#include "bristle/analysis.h"
#include "bristle/batch.h"
#include "bristle/catalogue.h"
#include "bristle/classify.h"
#include "bristle/control.h"
#include "bristle/duhem.h"
#include "bristle/ensemble.h"
#include "bristle/expr.h"
#include "bristle/fit.h"
#include "bristle/fmu.h"
#include "bristle/loop.h"
#include "bristle/model.h"
#include "bristle/param.h"
#include "bristle/phase.h"
#include "bristle/preset.h"
#include "bristle/record.h"
#include "bristle/report.h"
#include "bristle/signal.h"
#include "bristle/solve.h"
#include "bristle/status.h"
#include "bristle/study.h"
#include "bristle/system.h"
#include "bristle/table.h"
#include "bristle/text.h"
#include "bristle/trace.h"
#include "bristle/unit.h"
#include "bristle/version.h"
#include "bristle/wave.h"
#endif

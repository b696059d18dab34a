/* SPDX-License-Identifier: Apache-2.0
 * fmi2.h - the types of FMI 2.0's C interface, as the public standard states them (fmi-standard.org). */
#ifndef BRI_FMI2_H
#define BRI_FMI2_H
#include <stddef.h>

typedef void *fmi2Component, *fmi2ComponentEnvironment, *fmi2FMUstate;
typedef unsigned int fmi2ValueReference;
typedef double fmi2Real;
typedef int fmi2Integer, fmi2Boolean;
typedef char fmi2Char, fmi2Byte;
typedef const fmi2Char *fmi2String;
enum { fmi2False = 0, fmi2True = 1 };

typedef enum { fmi2OK, fmi2Warning, fmi2Discard, fmi2Error, fmi2Fatal, fmi2Pending } fmi2Status;
typedef enum { fmi2ModelExchange, fmi2CoSimulation } fmi2Type;
typedef enum { fmi2DoStepStatus, fmi2PendingStatus, fmi2LastSuccessfulTime, fmi2Terminated } fmi2StatusKind;

typedef void (*fmi2CallbackLogger)(fmi2ComponentEnvironment, fmi2String instance, fmi2Status,
                                   fmi2String category, fmi2String message, ...);
typedef struct {
  const fmi2CallbackLogger logger;
  void *(*const allocateMemory)(size_t, size_t);
  void (*const freeMemory)(void *);
  void (*const stepFinished)(fmi2ComponentEnvironment, fmi2Status);
  const fmi2ComponentEnvironment componentEnvironment;
} fmi2CallbackFunctions;

typedef struct {
  fmi2Boolean newDiscreteStatesNeeded, terminateSimulation, nominalsOfContinuousStatesChanged,
      valuesOfContinuousStatesChanged, nextEventTimeDefined;
  fmi2Real nextEventTime;
} fmi2EventInfo;

#if defined(_WIN32)
#define FMI2_API __declspec(dllexport)
#elif defined(__GNUC__)
#define FMI2_API __attribute__((visibility("default")))
#else
#define FMI2_API
#endif
#endif

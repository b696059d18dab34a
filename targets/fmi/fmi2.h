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

/* Sources that are linked statically: names of functions begin with FMI2_FUNCTION_PREFIX (or, first, with
 * FMI2_OVERRIDE_FUNCTION_PREFIX), as in the standard's own header. */
#if defined(FMI2_OVERRIDE_FUNCTION_PREFIX)
#define FMI2_PREFIX FMI2_OVERRIDE_FUNCTION_PREFIX
#elif defined(FMI2_FUNCTION_PREFIX)
#define FMI2_PREFIX FMI2_FUNCTION_PREFIX
#endif
#if defined(FMI2_PREFIX)
#define FMI2_PASTE(a, b) a##b
#define FMI2_JOIN(a, b) FMI2_PASTE(a, b)
#define FMI2_NAME(name) FMI2_JOIN(FMI2_PREFIX, name)
#define fmi2CancelStep FMI2_NAME(fmi2CancelStep)
#define fmi2CompletedIntegratorStep FMI2_NAME(fmi2CompletedIntegratorStep)
#define fmi2DeSerializeFMUstate FMI2_NAME(fmi2DeSerializeFMUstate)
#define fmi2DoStep FMI2_NAME(fmi2DoStep)
#define fmi2EnterContinuousTimeMode FMI2_NAME(fmi2EnterContinuousTimeMode)
#define fmi2EnterEventMode FMI2_NAME(fmi2EnterEventMode)
#define fmi2EnterInitializationMode FMI2_NAME(fmi2EnterInitializationMode)
#define fmi2ExitInitializationMode FMI2_NAME(fmi2ExitInitializationMode)
#define fmi2FreeFMUstate FMI2_NAME(fmi2FreeFMUstate)
#define fmi2FreeInstance FMI2_NAME(fmi2FreeInstance)
#define fmi2GetBoolean FMI2_NAME(fmi2GetBoolean)
#define fmi2GetBooleanStatus FMI2_NAME(fmi2GetBooleanStatus)
#define fmi2GetContinuousStates FMI2_NAME(fmi2GetContinuousStates)
#define fmi2GetDerivatives FMI2_NAME(fmi2GetDerivatives)
#define fmi2GetDirectionalDerivative FMI2_NAME(fmi2GetDirectionalDerivative)
#define fmi2GetEventIndicators FMI2_NAME(fmi2GetEventIndicators)
#define fmi2GetFMUstate FMI2_NAME(fmi2GetFMUstate)
#define fmi2GetInteger FMI2_NAME(fmi2GetInteger)
#define fmi2GetIntegerStatus FMI2_NAME(fmi2GetIntegerStatus)
#define fmi2GetNominalsOfContinuousStates FMI2_NAME(fmi2GetNominalsOfContinuousStates)
#define fmi2GetReal FMI2_NAME(fmi2GetReal)
#define fmi2GetRealOutputDerivatives FMI2_NAME(fmi2GetRealOutputDerivatives)
#define fmi2GetRealStatus FMI2_NAME(fmi2GetRealStatus)
#define fmi2GetStatus FMI2_NAME(fmi2GetStatus)
#define fmi2GetString FMI2_NAME(fmi2GetString)
#define fmi2GetStringStatus FMI2_NAME(fmi2GetStringStatus)
#define fmi2GetTypesPlatform FMI2_NAME(fmi2GetTypesPlatform)
#define fmi2GetVersion FMI2_NAME(fmi2GetVersion)
#define fmi2Instantiate FMI2_NAME(fmi2Instantiate)
#define fmi2NewDiscreteStates FMI2_NAME(fmi2NewDiscreteStates)
#define fmi2Reset FMI2_NAME(fmi2Reset)
#define fmi2SerializeFMUstate FMI2_NAME(fmi2SerializeFMUstate)
#define fmi2SerializedFMUstateSize FMI2_NAME(fmi2SerializedFMUstateSize)
#define fmi2SetBoolean FMI2_NAME(fmi2SetBoolean)
#define fmi2SetContinuousStates FMI2_NAME(fmi2SetContinuousStates)
#define fmi2SetDebugLogging FMI2_NAME(fmi2SetDebugLogging)
#define fmi2SetFMUstate FMI2_NAME(fmi2SetFMUstate)
#define fmi2SetInteger FMI2_NAME(fmi2SetInteger)
#define fmi2SetReal FMI2_NAME(fmi2SetReal)
#define fmi2SetRealInputDerivatives FMI2_NAME(fmi2SetRealInputDerivatives)
#define fmi2SetString FMI2_NAME(fmi2SetString)
#define fmi2SetTime FMI2_NAME(fmi2SetTime)
#define fmi2SetupExperiment FMI2_NAME(fmi2SetupExperiment)
#define fmi2Terminate FMI2_NAME(fmi2Terminate)
#endif
#endif

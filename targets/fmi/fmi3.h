/* SPDX-License-Identifier: Apache-2.0
 * fmi3.h - the types of FMI 3.0's C interface, as the public standard states them (fmi-standard.org). */
#ifndef BRI_FMI3_H
#define BRI_FMI3_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef void *fmi3Instance, *fmi3InstanceEnvironment, *fmi3FMUState;
typedef uint32_t fmi3ValueReference;
typedef float fmi3Float32;
typedef double fmi3Float64;
typedef int8_t fmi3Int8;
typedef uint8_t fmi3UInt8;
typedef int16_t fmi3Int16;
typedef uint16_t fmi3UInt16;
typedef int32_t fmi3Int32;
typedef uint32_t fmi3UInt32;
typedef int64_t fmi3Int64;
typedef uint64_t fmi3UInt64;
typedef bool fmi3Boolean;
typedef char fmi3Char;
typedef const fmi3Char *fmi3String;
typedef uint8_t fmi3Byte;
typedef const fmi3Byte *fmi3Binary;
typedef bool fmi3Clock;

typedef enum { fmi3OK, fmi3Warning, fmi3Discard, fmi3Error, fmi3Fatal } fmi3Status;
typedef enum {
  fmi3Independent,
  fmi3Constant,
  fmi3Fixed,
  fmi3Tunable,
  fmi3Discrete,
  fmi3Dependent
} fmi3DependencyKind;
typedef enum { fmi3IntervalNotYetKnown, fmi3IntervalUnchanged, fmi3IntervalChanged } fmi3IntervalQualifier;

typedef void (*fmi3LogMessageCallback)(fmi3InstanceEnvironment, fmi3Status, fmi3String category,
                                       fmi3String message);
typedef void (*fmi3ClockUpdateCallback)(fmi3InstanceEnvironment);
typedef void (*fmi3IntermediateUpdateCallback)(fmi3InstanceEnvironment, fmi3Float64, fmi3Boolean, fmi3Boolean,
                                               fmi3Boolean, fmi3Boolean, fmi3Boolean *, fmi3Float64 *);
typedef void (*fmi3LockPreemptionCallback)(void);
typedef void (*fmi3UnlockPreemptionCallback)(void);

#if defined(_WIN32)
#define FMI3_API __declspec(dllexport)
#elif defined(__GNUC__)
#define FMI3_API __attribute__((visibility("default")))
#else
#define FMI3_API
#endif

/* Sources that are linked statically: names of functions begin with FMI3_FUNCTION_PREFIX (or, first, with
 * FMI3_OVERRIDE_FUNCTION_PREFIX), as in the standard's own header. */
#if defined(FMI3_OVERRIDE_FUNCTION_PREFIX)
#define FMI3_PREFIX FMI3_OVERRIDE_FUNCTION_PREFIX
#elif defined(FMI3_FUNCTION_PREFIX)
#define FMI3_PREFIX FMI3_FUNCTION_PREFIX
#endif
#if defined(FMI3_PREFIX)
#define FMI3_PASTE(a, b) a##b
#define FMI3_JOIN(a, b) FMI3_PASTE(a, b)
#define FMI3_NAME(name) FMI3_JOIN(FMI3_PREFIX, name)
#define fmi3ActivateModelPartition FMI3_NAME(fmi3ActivateModelPartition)
#define fmi3CompletedIntegratorStep FMI3_NAME(fmi3CompletedIntegratorStep)
#define fmi3DeserializeFMUState FMI3_NAME(fmi3DeserializeFMUState)
#define fmi3DoStep FMI3_NAME(fmi3DoStep)
#define fmi3EnterConfigurationMode FMI3_NAME(fmi3EnterConfigurationMode)
#define fmi3EnterContinuousTimeMode FMI3_NAME(fmi3EnterContinuousTimeMode)
#define fmi3EnterEventMode FMI3_NAME(fmi3EnterEventMode)
#define fmi3EnterInitializationMode FMI3_NAME(fmi3EnterInitializationMode)
#define fmi3EnterStepMode FMI3_NAME(fmi3EnterStepMode)
#define fmi3EvaluateDiscreteStates FMI3_NAME(fmi3EvaluateDiscreteStates)
#define fmi3ExitConfigurationMode FMI3_NAME(fmi3ExitConfigurationMode)
#define fmi3ExitInitializationMode FMI3_NAME(fmi3ExitInitializationMode)
#define fmi3FreeFMUState FMI3_NAME(fmi3FreeFMUState)
#define fmi3FreeInstance FMI3_NAME(fmi3FreeInstance)
#define fmi3GetAdjointDerivative FMI3_NAME(fmi3GetAdjointDerivative)
#define fmi3GetBinary FMI3_NAME(fmi3GetBinary)
#define fmi3GetBoolean FMI3_NAME(fmi3GetBoolean)
#define fmi3GetClock FMI3_NAME(fmi3GetClock)
#define fmi3GetContinuousStateDerivatives FMI3_NAME(fmi3GetContinuousStateDerivatives)
#define fmi3GetContinuousStates FMI3_NAME(fmi3GetContinuousStates)
#define fmi3GetDirectionalDerivative FMI3_NAME(fmi3GetDirectionalDerivative)
#define fmi3GetEventIndicators FMI3_NAME(fmi3GetEventIndicators)
#define fmi3GetFMUState FMI3_NAME(fmi3GetFMUState)
#define fmi3GetFloat32 FMI3_NAME(fmi3GetFloat32)
#define fmi3GetFloat64 FMI3_NAME(fmi3GetFloat64)
#define fmi3GetInt16 FMI3_NAME(fmi3GetInt16)
#define fmi3GetInt32 FMI3_NAME(fmi3GetInt32)
#define fmi3GetInt64 FMI3_NAME(fmi3GetInt64)
#define fmi3GetInt8 FMI3_NAME(fmi3GetInt8)
#define fmi3GetIntervalDecimal FMI3_NAME(fmi3GetIntervalDecimal)
#define fmi3GetIntervalFraction FMI3_NAME(fmi3GetIntervalFraction)
#define fmi3GetNominalsOfContinuousStates FMI3_NAME(fmi3GetNominalsOfContinuousStates)
#define fmi3GetNumberOfContinuousStates FMI3_NAME(fmi3GetNumberOfContinuousStates)
#define fmi3GetNumberOfEventIndicators FMI3_NAME(fmi3GetNumberOfEventIndicators)
#define fmi3GetNumberOfVariableDependencies FMI3_NAME(fmi3GetNumberOfVariableDependencies)
#define fmi3GetOutputDerivatives FMI3_NAME(fmi3GetOutputDerivatives)
#define fmi3GetShiftDecimal FMI3_NAME(fmi3GetShiftDecimal)
#define fmi3GetShiftFraction FMI3_NAME(fmi3GetShiftFraction)
#define fmi3GetString FMI3_NAME(fmi3GetString)
#define fmi3GetUInt16 FMI3_NAME(fmi3GetUInt16)
#define fmi3GetUInt32 FMI3_NAME(fmi3GetUInt32)
#define fmi3GetUInt64 FMI3_NAME(fmi3GetUInt64)
#define fmi3GetUInt8 FMI3_NAME(fmi3GetUInt8)
#define fmi3GetVariableDependencies FMI3_NAME(fmi3GetVariableDependencies)
#define fmi3GetVersion FMI3_NAME(fmi3GetVersion)
#define fmi3InstantiateCoSimulation FMI3_NAME(fmi3InstantiateCoSimulation)
#define fmi3InstantiateModelExchange FMI3_NAME(fmi3InstantiateModelExchange)
#define fmi3InstantiateScheduledExecution FMI3_NAME(fmi3InstantiateScheduledExecution)
#define fmi3Reset FMI3_NAME(fmi3Reset)
#define fmi3SerializeFMUState FMI3_NAME(fmi3SerializeFMUState)
#define fmi3SerializedFMUStateSize FMI3_NAME(fmi3SerializedFMUStateSize)
#define fmi3SetBinary FMI3_NAME(fmi3SetBinary)
#define fmi3SetBoolean FMI3_NAME(fmi3SetBoolean)
#define fmi3SetClock FMI3_NAME(fmi3SetClock)
#define fmi3SetContinuousStates FMI3_NAME(fmi3SetContinuousStates)
#define fmi3SetDebugLogging FMI3_NAME(fmi3SetDebugLogging)
#define fmi3SetFMUState FMI3_NAME(fmi3SetFMUState)
#define fmi3SetFloat32 FMI3_NAME(fmi3SetFloat32)
#define fmi3SetFloat64 FMI3_NAME(fmi3SetFloat64)
#define fmi3SetInt16 FMI3_NAME(fmi3SetInt16)
#define fmi3SetInt32 FMI3_NAME(fmi3SetInt32)
#define fmi3SetInt64 FMI3_NAME(fmi3SetInt64)
#define fmi3SetInt8 FMI3_NAME(fmi3SetInt8)
#define fmi3SetIntervalDecimal FMI3_NAME(fmi3SetIntervalDecimal)
#define fmi3SetIntervalFraction FMI3_NAME(fmi3SetIntervalFraction)
#define fmi3SetShiftDecimal FMI3_NAME(fmi3SetShiftDecimal)
#define fmi3SetShiftFraction FMI3_NAME(fmi3SetShiftFraction)
#define fmi3SetString FMI3_NAME(fmi3SetString)
#define fmi3SetTime FMI3_NAME(fmi3SetTime)
#define fmi3SetUInt16 FMI3_NAME(fmi3SetUInt16)
#define fmi3SetUInt32 FMI3_NAME(fmi3SetUInt32)
#define fmi3SetUInt64 FMI3_NAME(fmi3SetUInt64)
#define fmi3SetUInt8 FMI3_NAME(fmi3SetUInt8)
#define fmi3Terminate FMI3_NAME(fmi3Terminate)
#define fmi3UpdateDiscreteStates FMI3_NAME(fmi3UpdateDiscreteStates)
#endif
#endif

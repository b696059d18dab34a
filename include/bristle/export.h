/* SPDX-License-Identifier: Apache-2.0
 * export.h - BR_API marks what the shared library shows; everything else is hidden.  BR_TRY marks those of
 * them that may fail: the compiler names a caller that does not look at the status. */
#ifndef BR_EXPORT_H
#define BR_EXPORT_H

#if defined(_WIN32) && defined(BR_SHARED)
#ifdef BR_BUILDING
#define BR_API __declspec(dllexport)
#else
#define BR_API __declspec(dllimport)
#endif
#elif defined(__GNUC__)
#define BR_API __attribute__((visibility("default")))
#else
#define BR_API
#endif

#if defined(__GNUC__)
#define BR_CHECKED __attribute__((warn_unused_result))
#else
#define BR_CHECKED
#endif
#define BR_TRY BR_API BR_CHECKED

/* Around the declarations of a header: names as C has them. */
#ifdef __cplusplus
#define BR_C_BEGIN extern "C" {
#define BR_C_END }
#else
#define BR_C_BEGIN
#define BR_C_END
#endif

#endif

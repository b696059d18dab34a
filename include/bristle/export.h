/* SPDX-License-Identifier: Apache-2.0
 * export.h - BR_API marks what the shared library shows; everything else is hidden. */
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

#endif

// SPDX-License-Identifier: Apache-2.0
/*
 * Distinct types for the numbers that name things, so that a CPU is never passed for a vCPU.
 * One-field structs cost nothing in C and make the compiler check what a comment cannot.
 */
#ifndef CONVOY_BASE_IDS_H
#define CONVOY_BASE_IDS_H

#include <stdint.h>

typedef struct cpu_id { uint32_t n; } cpu_id;    /* a physical CPU, 0 … host.cpus-1 */
typedef struct vcpu_id { uint32_t n; } vcpu_id;  /* a virtual CPU, 0 … workload.vcpus-1 */
typedef struct intid { uint32_t n; } intid;      /* a GIC interrupt number: SGI 0–15, PPI 16–31, … */
typedef struct line_id { uint32_t n; } line_id;  /* a coherent cache line of the modelled machine */

/* Simulated time and durations: picoseconds. Never floating point, never host time. */
typedef uint64_t ps_t;

#define PS_PER_NS 1000ull
#define PS_PER_US 1000000ull
#define PS_PER_MS 1000000000ull
#define PS_PER_S  1000000000000ull

#endif

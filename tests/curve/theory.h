// SPDX-License-Identifier: Apache-2.0
/*
 * Closed forms that the simulator is compared with. See docs/theory.md for what each one assumes.
 *
 * Throughout: `n` customers (vCPUs, at least 1), mean think time `z` (private work, > 0), mean service time `s` (time inside
 * the lock, > 0). Times may be in any unit; throughputs are per that unit. Pure functions of their arguments.
 * Sums run over logarithms, so that n may be several hundred without overflow.
 *
 * Sources: Takacs, "Introduction to the Theory of Queues", 1962 (machine repairman with general service); Reiser and
 * Lavenberg, JACM 27(2), 1980 (mean value analysis); Boyd-Wickizer, Kaashoek, Morris, Zeldovich, "Non-scalable locks
 * are dangerous", OLS 2012 (ticket lock); Gunther, "Guerrilla Capacity Planning", 2007 (USL).
 */
#ifndef CONVOY_TESTS_CURVE_THEORY_H
#define CONVOY_TESTS_CURVE_THEORY_H

#include <stddef.h>

struct theory_answer {
	double throughput;  /* completed rounds of all customers per unit of time */
	double busy;        /* share of time in which at least one customer is at the station */
	double residence;   /* mean time at the station in one round, waiting and service */
};

/* D/D/1//N: everything constant, after the transient. */
struct theory_answer theory_constant_constant(unsigned int n, double z, double s);

/* M/M/1//N: exponential think and service, as a birth-death chain. */
struct theory_answer theory_exponential_exponential(unsigned int n, double z, double s);

/* M/D/1//N: exponential think, constant service. */
struct theory_answer theory_exponential_constant(unsigned int n, double z, double s);

/*
 * Minus the logarithm of the Laplace transform of a service time of mean `mean` at `t`: -ln E[exp(-t*service)]. The
 * logarithm, because the formula needs 1/transform - 1, which cancels for small t.
 */
typedef double theory_service(double t, double mean);
theory_service theory_service_constant, theory_service_exponential, theory_service_erlang2;

/* M/G/1//N: exponential think, any service. */
struct theory_answer theory_exponential_general(unsigned int n, double z, double s, theory_service *service);

/* One station whose mean service is service[k-1] with k customers there, k = 1..n; all times exponential. */
struct theory_answer theory_load_dependent(unsigned int n, double z, const double *service);

/*
 * The ticket lock's chain: think time `a`, critical section `s`, `c` for one waiter's refetch of the lock line at its
 * home node: with k cores at the lock the service is s + c*k/2. c = 0 is also the chain of a queued lock.
 */
struct theory_answer theory_ticket_lock(unsigned int n, double a, double s, double c);

/*
 * Mean value analysis: delay z and `stations` FIFO stations with exponential service of mean demand[i], visited once a
 * round. Returns the throughput; residence[i], when not NULL, receives the mean time at each station.
 */
double theory_mva(unsigned int n, double z, const double *demand, size_t stations, double *residence);

/* No closed network has more than this, whatever the distributions. */
double theory_upper_bound(unsigned int n, double z, const double *demand, size_t stations);

/* Nor less than this: everybody else is always ahead in every queue. */
double theory_lower_bound(unsigned int n, double z, const double *demand, size_t stations);

/* The n at which the two upper bounds cross. Not rounded. */
double theory_knee(double z, const double *demand, size_t stations);

/* The universal scalability law, and the n of its peak (infinite when kappa is 0). */
double theory_usl(double n, double lambda, double sigma, double kappa);
double theory_usl_peak(double sigma, double kappa);

#endif

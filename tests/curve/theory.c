// SPDX-License-Identifier: Apache-2.0
/* The closed forms of theory.h. Floating point is fine here: nothing of this enters a simulation. */
#include "tests/curve/theory.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* Throughput determines the rest: N = X (Z + R) holds for any distribution, U = X S where S is constant in k. */
static struct theory_answer answer(unsigned int n, double z, double busy, double throughput)
{
	return (struct theory_answer){
		.throughput = throughput, .busy = busy, .residence = n / throughput - z,
	};
}

/* ln(e^a + e^b) */
static double log_add(double a, double b)
{
	double high = a > b ? a : b;
	double low = a > b ? b : a;

	return low == -INFINITY ? high : high + log1p(exp(low - high));
}

struct theory_answer theory_constant_constant(unsigned int n, double z, double s)
{
	double throughput = fmin(n / (z + s), 1 / s);

	assert(n >= 1);
	return answer(n, z, throughput * s, throughput);
}

double theory_service_constant(double t, double mean)
{
	return t * mean;
}

double theory_service_exponential(double t, double mean)
{
	return log1p(t * mean);
}

double theory_service_erlang2(double t, double mean)
{
	return 2 * log1p(t * mean / 2);
}

/*
 * P(idle) = 1 / (1 + (N S/Z) sum_{r=0..N-1} C(N-1, r) B_r),  B_r = prod_{i=1..r} (1/b*(i/Z) - 1).
 * Every term is positive, so nothing cancels; only the range of the terms needs the logarithm.
 */
struct theory_answer theory_exponential_general(unsigned int n, double z, double s, theory_service *service)
{
	double log_term = 0;   /* ln(C(n-1, r) B_r) */
	double log_sum = 0;    /* ln of the sum of the terms so far */
	double log_odds;       /* ln(P(busy) / P(idle)) */
	double busy;

	assert(n >= 1 && z > 0 && s > 0);
	for (unsigned int r = 1; r < n; r++) {
		log_term += log((double)(n - r) / r) + log(expm1(service(r / z, s)));
		log_sum = log_add(log_sum, log_term);
	}
	log_odds = log(n * s / z) + log_sum;
	busy = 1 / (1 + exp(-log_odds));
	return answer(n, z, busy, busy / s);
}

struct theory_answer theory_exponential_constant(unsigned int n, double z, double s)
{
	return theory_exponential_general(n, z, s, theory_service_constant);
}

/*
 * p_k proportional to prod_{j=1..k} (N-j+1)/Z S(j). Throughput is counted where customers leave thinking, (N - E[k])/Z,
 * which equals sum p_k/S(k) and needs no division by S.
 */
struct theory_answer theory_load_dependent(unsigned int n, double z, const double *service)
{
	double log_weight = 0, log_sum = 0, log_weighted_thinkers = log(n);
	double throughput;

	assert(n >= 1 && z > 0);
	for (unsigned int k = 1; k <= n; k++) {
		log_weight += log((n - k + 1) / z * service[k - 1]);
		log_sum = log_add(log_sum, log_weight);
		if (k < n)
			log_weighted_thinkers = log_add(log_weighted_thinkers, log_weight + log(n - k));
	}
	throughput = exp(log_weighted_thinkers - log_sum) / z;
	return answer(n, z, -expm1(-log_sum), throughput);
}

struct theory_answer theory_ticket_lock(unsigned int n, double a, double s, double c)
{
	double service[n];

	for (unsigned int k = 1; k <= n; k++)
		service[k - 1] = s + c * k / 2;
	return theory_load_dependent(n, a, service);
}

/*
 * 1/P(idle) = sum_k N!/(N-k)! (S/Z)^k, computed as written: it checks the two forms above and must not share their code.
 * A sum that overflows is infinite, and P(idle) then 0, which is what it is.
 */
struct theory_answer theory_exponential_exponential(unsigned int n, double z, double s)
{
	double term = 1, sum = 1, busy;

	assert(n >= 1 && z > 0 && s > 0);
	for (unsigned int k = 1; k <= n; k++) {
		term *= (n - k + 1) * (s / z);
		sum += term;
	}
	busy = 1 - 1 / sum;
	return answer(n, z, busy, busy / s);
}

double theory_mva(unsigned int n, double z, const double *demand, size_t stations, double *residence)
{
	double queue[stations], time[stations], throughput = 0;

	for (size_t i = 0; i < stations; i++)
		queue[i] = 0;
	for (unsigned int customers = 1; customers <= n; customers++) {
		double round = z;

		for (size_t i = 0; i < stations; i++) {
			time[i] = demand[i] * (1 + queue[i]);   /* sees the network with one customer fewer */
			round += time[i];
		}
		throughput = customers / round;
		for (size_t i = 0; i < stations; i++)
			queue[i] = throughput * time[i];
	}
	if (residence)
		memcpy(residence, time, sizeof(time));
	return throughput;
}

static double demand_sum(const double *demand, size_t stations)
{
	double sum = 0;

	for (size_t i = 0; i < stations; i++)
		sum += demand[i];
	return sum;
}

static double demand_largest(const double *demand, size_t stations)
{
	double largest = 0;

	for (size_t i = 0; i < stations; i++)
		largest = fmax(largest, demand[i]);
	return largest;
}

double theory_upper_bound(unsigned int n, double z, const double *demand, size_t stations)
{
	return fmin(n / (z + demand_sum(demand, stations)), 1 / demand_largest(demand, stations));
}

double theory_lower_bound(unsigned int n, double z, const double *demand, size_t stations)
{
	return n / (z + n * demand_sum(demand, stations));
}

double theory_knee(double z, const double *demand, size_t stations)
{
	return (z + demand_sum(demand, stations)) / demand_largest(demand, stations);
}

double theory_usl(double n, double lambda, double sigma, double kappa)
{
	return lambda * n / (1 + sigma * (n - 1) + kappa * n * (n - 1));
}

double theory_usl_peak(double sigma, double kappa)
{
	return sqrt((1 - sigma) / kappa);
}

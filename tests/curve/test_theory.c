// SPDX-License-Identifier: Apache-2.0
/*
 * Are the closed forms right? Against printed check values, against each other, and against second routes that share no
 * code with them (an embedded chain for constant service, a phase chain for Erlang service).
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/curve/theory.h"

#define PER_SECOND 1e9   /* all times below are in ns */

static void expect_near(double got, double want, double relative, const char *what)
{
	if (!(fabs(got - want) <= relative * fabs(want)))
		fail_msg("%s: %.15g, expected %.15g within %g", what, got, want, relative);
}

/* Equal after rounding to a whole number, as the tables print it. */
static void expect_printed(double got, long want, const char *what)
{
	if (lround(got) != want)
		fail_msg("%s: %.3f rounds to %ld, the table says %ld", what, got, lround(got), want);
}

static void one_station_check_values(void **state)
{
	static const struct { unsigned int n; double s; long mm, md, dd; } row[] = {
		{ 8, 100, 2557937, 2568825, 2580645 },
		{ 31, 100, 8863780, 9157944, 10000000 },
		{ 8, 250, 2309380, 2370372, 2461538 },
		{ 16, 250, 3758350, 3891978, 4000000 },
		{ 4, 500, 1060870, 1092524, 1142857 },
		{ 8, 500, 1756248, 1847137, 2000000 },
		{ 16, 500, 1999331, 1999999, 2000000 },
	};
	char what[64];

	(void)state;
	for (size_t i = 0; i < sizeof(row) / sizeof(*row); i++) {
		snprintf(what, sizeof(what), "N=%u S=%g M/M", row[i].n, row[i].s);
		expect_printed(PER_SECOND * theory_exponential_exponential(row[i].n, 3000, row[i].s).throughput,
			       row[i].mm, what);
		snprintf(what, sizeof(what), "N=%u S=%g M/D", row[i].n, row[i].s);
		expect_printed(PER_SECOND * theory_exponential_constant(row[i].n, 3000, row[i].s).throughput,
			       row[i].md, what);
		snprintf(what, sizeof(what), "N=%u S=%g D/D", row[i].n, row[i].s);
		expect_printed(PER_SECOND * theory_constant_constant(row[i].n, 3000, row[i].s).throughput,
			       row[i].dd, what);
	}
}

static void two_station_check_values(void **state)
{
	const double demand[] = { 250, 250 };

	(void)state;
	expect_printed(PER_SECOND * theory_mva(8, 3000, demand, 2, NULL), 2069369, "N=8");
	expect_printed(PER_SECOND * theory_mva(31, 3000, demand, 2, NULL), 3800000, "N=31");
}

static void ticket_check_values(void **state)
{
	static const double c[] = { 0, 20, 60, 120 };
	static const struct { unsigned int n; long x[4]; } row[] = {
		{ 1, { 312500, 311526, 309598, 306748 } },   /* 1e9/3210 = 311526.48 and 1e9/3260 = 306748.47 */
		{ 8, { 2403722, 2364214, 2263086, 2044315 } },
		{ 16, { 4276989, 3683067, 2100280, 1049212 } },
		{ 31, { 4999465, 2273367, 960909, 508811 } },
	};
	char what[64];

	(void)state;
	for (size_t i = 0; i < sizeof(row) / sizeof(*row); i++) {
		for (size_t j = 0; j < 4; j++) {
			snprintf(what, sizeof(what), "N=%u c=%g", row[i].n, c[j]);
			expect_printed(PER_SECOND * theory_ticket_lock(row[i].n, 3000, 200, c[j]).throughput,
				       row[i].x[j], what);
		}
	}
}

/* Exponential service has five routes to one number. */
static void exponential_routes_agree(void **state)
{
	static const double service[] = { 1, 100, 250, 500, 3000, 30000 };
	char what[64];

	(void)state;
	for (unsigned int n = 1; n <= 128; n = n < 4 ? n + 1 : 2 * n) {
		for (size_t i = 0; i < sizeof(service) / sizeof(*service); i++) {
			double s = service[i], constant[128];
			struct theory_answer sum = theory_exponential_exponential(n, 3000, s);
			struct theory_answer takacs =
				theory_exponential_general(n, 3000, s, theory_service_exponential);
			struct theory_answer chain, ticket = theory_ticket_lock(n, 3000, s, 0);

			for (unsigned int k = 0; k < n; k++)
				constant[k] = s;
			chain = theory_load_dependent(n, 3000, constant);
			snprintf(what, sizeof(what), "N=%u S=%g", n, s);
			expect_near(takacs.throughput, sum.throughput, 1e-11, what);
			expect_near(chain.throughput, sum.throughput, 1e-11, what);
			expect_near(ticket.throughput, sum.throughput, 1e-11, what);
			expect_near(theory_mva(n, 3000, &s, 1, NULL), sum.throughput, 1e-11, what);
			expect_near(chain.busy, sum.busy, 1e-11, what);
			expect_near(sum.throughput * (3000 + sum.residence), n, 1e-12, "population");
			expect_near(sum.throughput * s, sum.busy, 1e-12, "utilisation");
		}
	}
}

/* Solves pi P = pi, sum pi = 1, by elimination. Destroys p, which is size x size, row-major. */
static void stationary(size_t size, double *p, double *pi)
{
	/* Grassmann, Taksar and Heyman: no subtraction, so no cancellation. */
	for (size_t last = size - 1; last > 0; last--) {
		double out = 0;

		for (size_t j = 0; j < last; j++)
			out += p[last * size + j];
		for (size_t i = 0; i < last; i++)
			p[i * size + last] /= out;
		for (size_t i = 0; i < last; i++)
			for (size_t j = 0; j < last; j++)
				p[i * size + j] += p[i * size + last] * p[last * size + j];
	}
	double sum = pi[0] = 1;

	for (size_t j = 1; j < size; j++) {
		pi[j] = 0;
		for (size_t i = 0; i < j; i++)
			pi[j] += pi[i] * p[i * size + j];
		sum += pi[j];
	}
	for (size_t j = 0; j < size; j++)
		pi[j] /= sum;
}

/*
 * M/D/1//N seen at departures: a departure that leaves j behind is followed by Z/N of idleness when j = 0, then by one
 * service, in which each of the thinkers arrives with probability 1 - exp(-S/Z). Throughput is one over the mean time
 * between departures.
 */
static double departures_chain(unsigned int n, double z, double s)
{
	double p[32 * 32] = { 0 }, pi[32];
	double arrives = -expm1(-s / z);

	assert_true(n <= 32);
	for (unsigned int left = 0; left < n; left++) {
		unsigned int present = left ? left : 1, thinkers = n - present;

		for (unsigned int arrivals = 0; arrivals <= thinkers; arrivals++)
			p[left * n + present - 1 + arrivals] =
				exp(lgamma(thinkers + 1.0) - lgamma(arrivals + 1.0) - lgamma(thinkers - arrivals + 1.0) +
				    arrivals * log(arrives) - (thinkers - arrivals) * s / z);
	}
	if (n == 1)
		return 1 / (s + z);
	stationary(n, p, pi);
	return 1 / (s + pi[0] * z / n);
}

static void constant_service_second_route(void **state)
{
	static const double service[] = { 10, 100, 250, 500, 3000 };
	char what[64];

	(void)state;
	for (unsigned int n = 1; n <= 32; n++) {
		for (size_t i = 0; i < sizeof(service) / sizeof(*service); i++) {
			snprintf(what, sizeof(what), "N=%u S=%g", n, service[i]);
			expect_near(theory_exponential_constant(n, 3000, service[i]).throughput,
				    departures_chain(n, 3000, service[i]), 1e-10, what);
		}
	}
}

/*
 * M/E2/1//N as a chain in continuous time, made discrete by its largest rate. State 0: empty; state 2k-1 and 2k: k present,
 * first and second phase of service.
 */
static double phases_chain(unsigned int n, double z, double s)
{
	size_t size = 2 * n + 1;
	double p[33 * 33] = { 0 }, pi[33], rate = n / z + 2 / s, busy;

	assert_true(n <= 16);
	for (unsigned int k = 0; k <= n; k++) {
		for (unsigned int phase = 1; phase <= (k ? 2u : 1u); phase++) {
			size_t from = k ? 2 * k - 2 + phase : 0;
			double arrival = (n - k) / z / rate, step = k ? 2 / s / rate : 0;

			if (k < n)
				p[from * size + (k ? from + 2 : 1)] += arrival;
			if (k)
				p[from * size + (phase == 1 ? from + 1 : k > 1 ? 2 * k - 3 : 0)] += step;
			p[from * size + from] += 1 - arrival - step;
		}
	}
	stationary(size, p, pi);
	busy = 1 - pi[0];
	return busy / s;
}

static void erlang_service_second_route(void **state)
{
	static const double service[] = { 100, 250, 500, 3000 };
	char what[64];

	(void)state;
	for (unsigned int n = 1; n <= 16; n++) {
		for (size_t i = 0; i < sizeof(service) / sizeof(*service); i++) {
			snprintf(what, sizeof(what), "N=%u S=%g", n, service[i]);
			expect_near(theory_exponential_general(n, 3000, service[i], theory_service_erlang2).throughput,
				    phases_chain(n, 3000, service[i]), 1e-10, what);
		}
	}
}

/* Less variance of service is more throughput; none of them leaves the bounds. */
static void order_and_bounds(void **state)
{
	(void)state;
	for (unsigned int n = 1; n <= 512; n = n < 40 ? n + 1 : 2 * n) {
		for (double s = 50; s <= 3200; s *= 2) {
			double high = theory_upper_bound(n, 3000, &s, 1), low = theory_lower_bound(n, 3000, &s, 1);
			double slack = 1 + 1e-12;
			double mm = theory_exponential_exponential(n, 3000, s).throughput;
			double me = theory_exponential_general(n, 3000, s, theory_service_erlang2).throughput;
			double md = theory_exponential_constant(n, 3000, s).throughput;
			double dd = theory_constant_constant(n, 3000, s).throughput;

			assert_true(low <= mm * slack && mm <= me * slack && me <= md * slack && md <= dd * slack);
			expect_near(dd, high, 1e-12, "D/D/1//N is the upper bound");
		}
	}
}

static void limits(void **state)
{
	const double demand[] = { 500, 120, 250 };
	double residence[3];

	(void)state;
	/* alone: no waiting, whatever the distribution */
	expect_near(theory_exponential_exponential(1, 3000, 500).throughput, 1 / 3500.0, 1e-14, "N=1 M/M");
	expect_near(theory_exponential_constant(1, 3000, 500).throughput, 1 / 3500.0, 1e-14, "N=1 M/D");
	expect_near(theory_ticket_lock(1, 3000, 500, 40).throughput, 1 / 3520.0, 1e-14, "N=1 ticket");
	expect_near(theory_mva(1, 3000, demand, 3, residence), 1 / 3870.0, 1e-14, "N=1 MVA");
	expect_near(residence[1], 120, 1e-14, "N=1 MVA residence");
	/* many: the bottleneck alone decides */
	expect_near(theory_exponential_exponential(500, 3000, 500).throughput, 1 / 500.0, 1e-12, "N=500 M/M");
	expect_near(theory_exponential_constant(500, 3000, 500).throughput, 1 / 500.0, 1e-12, "N=500 M/D");
	expect_near(theory_mva(500, 3000, demand, 3, residence), 1 / 500.0, 1e-12, "N=500 MVA");
	expect_near(residence[1], 120 / (1 - 120 / 500.0), 1e-9, "behind a saturated station: an open M/M/1");
	/* far beyond the knee the ticket lock goes like 2/(cN) */
	expect_near(theory_ticket_lock(512, 3000, 200, 120).throughput, 2 / (120.0 * 512), 0.07, "ticket, N=512");
	/* service that does not depend on the queue of another station: the order of the stations is irrelevant */
	expect_near(theory_mva(16, 3000, (const double[]){ 250, 500 }, 2, NULL),
		    theory_mva(16, 3000, (const double[]){ 500, 250 }, 2, NULL), 1e-14, "MVA, stations exchanged");
}

/* In-kernel and userspace irqchip of the published measurement: (3081+537)/537 and (2898+1074)/1074. */
static void knee(void **state)
{
	const double in_kernel = 537, userspace = 1074;
	const double tandem[] = { 250, 250 };

	(void)state;
	assert_int_equal(lround(10 * theory_knee(3081, &in_kernel, 1)), 67);
	assert_int_equal(lround(10 * theory_knee(2898, &userspace, 1)), 37);
	expect_near(theory_knee(3000, tandem, 2), 14, 1e-14, "two stations");
	expect_near(theory_upper_bound(14, 3000, tandem, 2), 1 / 250.0, 1e-14, "bounds cross at the knee");
	expect_near(theory_upper_bound(7, 3000, tandem, 2), 7 / 3500.0, 1e-14, "below the knee");
}

/* MVA is for exponential service: how far it is below constant service, at most 5 % and largest near the knee. */
static void mva_error_for_constant_service(void **state)
{
	double worst = 0;
	unsigned int worst_n = 0;
	const double s = 500;

	(void)state;
	for (unsigned int n = 1; n <= 31; n++) {
		double md = theory_exponential_constant(n, 3000, s).throughput;
		double error = 1 - theory_mva(n, 3000, &s, 1, NULL) / md;

		assert_true(error > -1e-12);
		if (error > worst) {
			worst = error;
			worst_n = n;
		}
	}
	assert_true(worst > 0.04 && worst < 0.055);
	assert_true(worst_n >= 6 && worst_n <= 9);   /* the knee is at 7 */
}

static void usl(void **state)
{
	const double peak = theory_usl_peak(0.0125, 0.00005);

	(void)state;
	expect_near(theory_usl(1, 345e3, 0.25, 0.0033), 345e3, 1e-14, "N=1");
	expect_near(theory_usl(1e9, 345e3, 0.25, 0), 345e3 / 0.25, 1e-8, "Amdahl's limit");
	expect_near(theory_usl(31, 345e3, 0, 0), 31 * 345e3, 1e-14, "linear");
	expect_near(peak, 140.534693, 1e-7, "peak");
	assert_true(theory_usl(peak, 1, 0.0125, 0.00005) > theory_usl(peak - 1, 1, 0.0125, 0.00005));
	assert_true(theory_usl(peak, 1, 0.0125, 0.00005) > theory_usl(peak + 1, 1, 0.0125, 0.00005));
	assert_true(isinf(theory_usl_peak(0.1, 0)));
	/* sigma is the repairman's bound when every think is synchronous: 1/X = Z/N + S + ..., so lambda/sigma = 1/S */
	expect_near(theory_usl(16, 1 / 3500.0, 500 / 3500.0, 0), theory_lower_bound(16, 3000, (const double[]){ 500 }, 1),
		    1e-13, "Amdahl is the synchronous bound");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_station_check_values),
		cmocka_unit_test(two_station_check_values),
		cmocka_unit_test(ticket_check_values),
		cmocka_unit_test(exponential_routes_agree),
		cmocka_unit_test(constant_service_second_route),
		cmocka_unit_test(erlang_service_second_route),
		cmocka_unit_test(order_and_bounds),
		cmocka_unit_test(limits),
		cmocka_unit_test(knee),
		cmocka_unit_test(mva_error_for_constant_service),
		cmocka_unit_test(usl),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

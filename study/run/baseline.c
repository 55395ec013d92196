// SPDX-License-Identifier: Apache-2.0
/* See baseline.h for the formula. */
#include "study/run/baseline.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Whether a point's text ("host=… kernel=before vcpus=8") says name=value. */
static bool says(const struct results_measured *row, const char *name, const char *value)
{
	char wanted[64];
	size_t length = (size_t)snprintf(wanted, sizeof(wanted), "%s=%s", name, value);

	for (const char *at = row->point_text; (at = strstr(at, wanted)); at += length)
		if ((at == row->point_text || at[-1] == ' ') && (at[length] == '\0' || at[length] == ' '))
			return true;
	return false;
}

static double row_vcpus(const struct results_measured *row)
{
	const char *at = strstr(row->point_text, "vcpus=");

	return at ? strtod(at + strlen("vcpus="), NULL) : 0;
}

static bool is(const struct results_measured *row, const char *kernel, const char *irqchip)
{
	return strcmp(row->measurement, "altra-exits") == 0 && strcmp(row->metric, "exits") == 0 &&
	       says(row, "kernel", kernel) && says(row, "irqchip", irqchip);
}

static bool is_fit(const struct results_measured *row, const char *kernel, const char *irqchip)
{
	return strcmp(row->role, "fit") == 0 && is(row, kernel, irqchip) && row->value > 0;
}

/* 1 / rate of the fit row at N = 1, or 0. Held rows are never looked at. */
static double think_time(const struct results_measured *rows, size_t count, const char *kernel, const char *irqchip)
{
	for (size_t r = 0; r < count; r++)
		if (is_fit(&rows[r], kernel, irqchip) && row_vcpus(&rows[r]) == 1)
			return 1 / rows[r].value;
	return 0;
}

static double saturated_service(const struct results_measured *rows, size_t count)
{
	double most = 1, service = 0;

	for (size_t r = 0; r < count; r++) {
		if (is_fit(&rows[r], "before", "in-kernel") && row_vcpus(&rows[r]) > most) {
			most = row_vcpus(&rows[r]);
			service = 1 / (rows[r].value * most);
		}
	}
	return service;
}

struct baseline baseline_make(const struct results_measured *rows, size_t count)
{
	struct baseline baseline = {
		.z_before = think_time(rows, count, "before", "in-kernel"),
		.z_after = think_time(rows, count, "after", "in-kernel"),
		.z_userspace_after = think_time(rows, count, "after", "userspace"),
		.s = saturated_service(rows, count),
	};

	baseline.known = baseline.z_before > 0 && baseline.z_after > 0 && baseline.z_userspace_after > 0 && baseline.s > 0;
	return baseline;
}

bool baseline_predict(const struct baseline *baseline, const struct results_measured *row, double *out)
{
	double vcpus = row_vcpus(row), call = (baseline->z_before - baseline->z_after) / 2, z, visits;

	if (!baseline->known || vcpus < 1)
		return false;
	if (is(row, "after", "in-kernel") || is(row, "after", "userspace")) {
		*out = 1 / (is(row, "after", "in-kernel") ? baseline->z_after : baseline->z_userspace_after);
		return true;
	}
	if (is(row, "before", "in-kernel")) {
		z = baseline->z_before;
		visits = 1;
	} else if (is(row, "before", "userspace")) {
		z = baseline->z_userspace_after + 3 * call;
		visits = 2;
	} else {
		return false;
	}
	double unlimited = vcpus / z, limit = 1 / (visits * baseline->s);

	*out = (unlimited < limit ? unlimited : limit) / vcpus;
	return true;
}

bool baseline_unexplained(const struct results_measured *row)
{
	return is(row, "after", "userspace") && row_vcpus(row) > 8;
}

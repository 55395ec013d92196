// SPDX-License-Identifier: Apache-2.0
/* See sample.h. */
#include "tests/cli/sample.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "study/keep.h"

void sample_study(struct study *study, const struct study_override *sets, size_t set_count)
{
	if (study_load(SAMPLE_STUDY, sets, set_count, study) != CV_OK)
		fail_msg("%s", cv_error_text());
}

static void fill(const struct param_set *params, struct sim_result *out, uint64_t exits)
{
	uint32_t vcpus = param_count(params, P_WORKLOAD_VCPUS);
	uint64_t windows = (uint64_t)(params->value[P_RUN_WARMUP].number + params->value[P_RUN_MEASURE].number) /
			   (uint64_t)params->value[P_RUN_BATCH].number;

	out->measured = (ps_t)params->value[P_RUN_MEASURE].number;
	out->host_ns = 12345;
	out->host_peak_bytes = 1 << 20;
	out->metric_count = 2;
	out->metrics = keep_memory(2 * sizeof(*out->metrics));
	out->metrics[0] = (struct sim_metric){"exits", "1", exits};
	out->metrics[1] = (struct sim_metric){"line-transactions", "1", exits * 9};
	out->cpu_count = vcpus;
	out->cpu_exits = keep_memory(vcpus * sizeof(*out->cpu_exits));
	for (uint32_t i = 0; i < vcpus; i++)
		out->cpu_exits[i] = exits / vcpus;
	out->batch_count = windows;
	out->batches = keep_memory((windows + 1) * sizeof(*out->batches));
	for (uint64_t i = 0; i < windows; i++)
		out->batches[i] = 100;
}

cv_result sample_simulate(const struct param_set *params, uint32_t replication, struct sim_result *out)
{
	uint32_t vcpus = param_count(params, P_WORKLOAD_VCPUS);

	fill(params, out, 1000 * vcpus + replication);
	out->account_count = 2;
	out->accounts = keep_memory(2 * sizeof(*out->accounts));
	out->accounts[0] = (struct sim_account_row){"vcpu_run;kvm_vcpu_load", "run", out->measured * vcpus / 4};
	out->accounts[1] = (struct sim_account_row){"vcpu_run", "guest",
						    out->measured * vcpus - out->accounts[0].ps};
	out->lock_count = 1;
	out->locks = keep_memory(sizeof(*out->locks));
	out->locks[0] = (struct sim_lock_row){"irq_desc(vtimer).lock", "irq_set_irqchip_state", 1000, 10 * vcpus, vcpus,
					      5000, 700 + replication, 90000, 800};
	return CV_OK;
}

cv_result sample_simulate_smooth(const struct param_set *params, uint32_t replication, struct sim_result *out)
{
	uint32_t vcpus = param_count(params, P_WORKLOAD_VCPUS);
	double queue = vcpus > 4 ? vcpus - 4 : 0;
	double period = 2e6 + (double)params->value[P_WORKLOAD_VMM_WORK].number +
			2 * queue * (double)params->value[P_HOST_LINE_BASE].number;

	(void)replication;
	/* A long window, so that the whole number of exits is fine enough. */
	fill(params, out, 0);
	out->measured = 10 * PS_PER_S;
	out->batch_count = 0;
	out->metrics[0].value = (uint64_t)((double)out->measured / period * vcpus);
	return CV_OK;
}

const char *sample_file(const char *name)
{
	char folder[] = "/tmp/convoy-test-XXXXXX";

	assert_non_null(mkdtemp(folder));
	return keep_textf("%s/%s", folder, name);
}

void sample_remove(const char *path)
{
	char folder[64];

	unlink(path);
	unlink(keep_textf("%s-journal", path));
	snprintf(folder, sizeof(folder), "%.*s", (int)(strrchr(path, '/') - path), path);
	/* Anything else that is left there is a mistake. */
	assert_int_equal(rmdir(folder), 0);
}

// SPDX-License-Identifier: Apache-2.0
/*
 * What do pending errors cost around the guest? Entry: nothing (to v5.2); dsb nshst and ISR_EL1 on every core (first version of the series); ISR_EL1 on every
 * core and before it, on cores with RAS, dsb nshst and ISB.
 * Exit, cores without RAS: dsb sy, and three registers kept and errors unmasked in between, or ISB and ISR_EL1.
 */
#include "tests/step/in_kernel.h"

struct expected {
	bool ras;
	enum serror_entry entry;
	enum serror_exit exit;
	size_t entry_dsb, entry_isb, entry_reads;           /* inside __guest_enter, SP_EL0 among the reads */
	size_t exit_dsb, exit_isb, exit_reads, exit_writes; /* inside __guest_exit, ESR_EL2 and SP_EL0 among them */
};

static const struct expected cases[] = {
	{ true, SERROR_ENTRY_NONE, SERROR_EXIT_UNMASK, 0, 0, 1, 0, 0, 2, 1 },
	{ true, SERROR_ENTRY_DSB, SERROR_EXIT_ISR, 1, 0, 2, 0, 0, 2, 1 },
	{ true, SERROR_ENTRY_RAS, SERROR_EXIT_ISR, 1, 1, 2, 0, 0, 2, 1 },
	{ false, SERROR_ENTRY_NONE, SERROR_EXIT_UNMASK, 0, 0, 1, 1, 1, 2 + 3, 1 + 2 },
	{ false, SERROR_ENTRY_DSB, SERROR_EXIT_UNMASK, 1, 0, 2, 1, 1, 2 + 3, 1 + 2 },
	{ false, SERROR_ENTRY_RAS, SERROR_EXIT_UNMASK, 0, 0, 2, 1, 1, 2 + 3, 1 + 2 },
	{ false, SERROR_ENTRY_RAS, SERROR_EXIT_ISR, 0, 0, 2, 1, 1, 2 + 1, 1 },
};

static void every_combination(void **state)
{
	(void)state;
	for (size_t n = 0; n < 2 * sizeof(cases) / sizeof(cases[0]); n++) {
		const struct expected *e = &cases[n / 2];
		struct kernel_config config = n % 2 ? recent_kernel() : recent_nvhe_kernel();
		struct in_kernel run;
		struct machine *m;

		config.ras = e->ras;
		config.serror_entry = e->entry;
		config.serror_exit = e->exit;
		in_kernel_run(&run, &config, GUEST_HYPERCALL, NULL);
		m = run.bench.machine;
#define IN(function) .within = function, .from = run.from, .until = run.until
		EXPECT(e->entry_dsb, m, .kind = REQUEST_BARRIER, .barrier = BARRIER(DSB), IN("__guest_enter"));
		EXPECT(e->entry_isb, m, .kind = REQUEST_BARRIER, .barrier = BARRIER(ISB), IN("__guest_enter"));
		EXPECT(e->entry_reads, m, .kind = REQUEST_SYSREG_READ, IN("__guest_enter"));
		EXPECT(e->exit_dsb, m, .kind = REQUEST_BARRIER, .barrier = BARRIER(DSB), IN("__guest_exit"));
		EXPECT(e->exit_isb, m, .kind = REQUEST_BARRIER, .barrier = BARRIER(ISB), IN("__guest_exit"));
		EXPECT(e->exit_reads, m, .kind = REQUEST_SYSREG_READ, IN("__guest_exit"));
		EXPECT(e->exit_writes, m, .kind = REQUEST_SYSREG_WRITE, IN("__guest_exit"));
		bench_stop(&run.bench);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(every_combination) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}

// SPDX-License-Identifier: Apache-2.0
/*
 * Questions about what a recording machine wrote down: how many requests of a kind, in which function, in which order.
 *
 * A filter names what must hold; a field that is left out (0) matches anything. Enumerations that have a 0 are given through the macros below:
 *
 *     EXPECT(2, m, .kind = REQUEST_MMIO_WRITE);
 *     EXPECT(1, m, .kind = REQUEST_SYSREG_READ, .reg = REG(CNTHCTL_EL2), .within = "kvm_timer_vcpu_load");
 *     EXPECT_BEFORE(m, FILTER(.kind = REQUEST_RUN_GUEST), FILTER(.within = "vcpu_put"));
 *
 * A failure names the test's file and line, what was asked for, and lists what the machine did instead.
 */
#ifndef CONVOY_TESTS_STEP_RECORDING_QUERY_H
#define CONVOY_TESTS_STEP_RECORDING_QUERY_H

#include "tests/step/recording_machine.h"

struct filter {
	enum request_kind kind;
	int reg, class, barrier, order, instance, irqs;  /* + 1: see the macros */
	const char *line;
	uint64_t address;
	const char *within, *without;                    /* anywhere in the stack of functions; nowhere in it */
	const char *function;                            /* REQUEST_FUNCTION: the function entered */
	size_t from, until;                              /* positions: from <= position < until; until 0: the end */
};

#define REG(name) (SYS_##name + 1)
#define CLASS(name) (SYSREG_##name + 1)
#define BARRIER(name) (BARRIER_##name + 1)
#define ORDER(name) (ORDER_##name + 1)
#define INSTANCE(n) ((n) + 1)
#define IRQS_OFF 1
#define IRQS_ON 2
#define FILTER(...) ((struct filter){ __VA_ARGS__ })

size_t recorded(const struct machine *machine, const struct filter *filter);
/* Position of the first or last match; fails the test when there is none. */
size_t recorded_first(const struct machine *machine, const struct filter *filter, const char *file, int line);
size_t recorded_last(const struct machine *machine, const struct filter *filter, const char *file, int line);
/* Sum of the values of the matches, e.g. of the loads and stores. */
uint64_t recorded_sum(const struct machine *machine, const struct filter *filter);

void expect_count(const struct machine *machine, size_t expected, const struct filter *filter, const char *text,
		  const char *file, int line);
/* Both occur, and every match of `a` comes before every match of `b`. */
void expect_before(const struct machine *machine, const struct filter *a, const struct filter *b, const char *text,
		   const char *file, int line);
/* Each register as often among the matches of `filter` as it stands in the list, and no other register among them. */
void expect_registers(const struct machine *machine, const enum sysreg *registers, size_t count, const struct filter *filter,
		      const char *file, int line);

#define EXPECT(expected, machine, ...) \
	expect_count(machine, expected, &FILTER(__VA_ARGS__), #__VA_ARGS__, __FILE__, __LINE__)
#define EXPECT_BEFORE(machine, a, b) expect_before(machine, &a, &b, #a " before " #b, __FILE__, __LINE__)
#define EXPECT_REGISTERS(machine, list, ...) \
	expect_registers(machine, list, sizeof(list) / sizeof((list)[0]), &FILTER(__VA_ARGS__), __FILE__, __LINE__)
#define FIRST(machine, ...) recorded_first(machine, &FILTER(__VA_ARGS__), __FILE__, __LINE__)
#define LAST(machine, ...) recorded_last(machine, &FILTER(__VA_ARGS__), __FILE__, __LINE__)
#define SUM(machine, ...) recorded_sum(machine, &FILTER(__VA_ARGS__))

#endif

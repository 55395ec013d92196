// SPDX-License-Identifier: Apache-2.0
/*
 * The virtual CPU interface without SystemC, through its registers. Expected values come from IHI 0069: the descriptions of
 * ICH_LR<n>_EL2, ICH_HCR_EL2, ICH_MISR_EL2, ICH_EISR_EL2, ICH_ELRSR_EL2, ICH_VMCR_EL2, ICH_VTR_EL2 and the ICV registers.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model/gic/gic_ich.h"

#define SPURIOUS 1023
#define PRIORITY(p) ((uint64_t)(p) << 48)
#define PHYSICAL(p) ((uint64_t)(p) << 32)
#define STATE(lr) ((lr) >> 62)
enum { INVALID, PENDING, ACTIVE, PENDING_AND_ACTIVE };

static const uint64_t group1 = 1ull << 60, hw = 1ull << 61, pending = 1ull << 62, active = 1ull << 63, eoi = 1ull << 41;

static uint64_t get(struct gic_virtual *v, enum sysreg reg)
{
	assert_true(gic_ich_has(reg));
	return gic_ich_read(v, reg);
}

/* Returns the physical interrupt to deactivate. */
static uint32_t put(struct gic_virtual *v, enum sysreg reg, uint64_t value)
{
	assert_true(gic_ich_has(reg));
	return gic_ich_write(v, reg, value);
}

/* On, Group 1 enabled, priority mask open. */
static struct gic_virtual started(uint32_t list_registers)
{
	struct gic_virtual v;

	gic_virtual_init(&v, list_registers, 5, true);
	put(&v, SYS_ICH_HCR_EL2, 1);
	put(&v, SYS_ICH_VMCR_EL2, 0xf0000002);
	return v;
}

static void reset_and_identification(void **state)
{
	struct gic_virtual v;

	(void)state;
	for (uint32_t bits = 5; bits <= 7; bits++) {
		gic_virtual_init(&v, 4, bits, true);
		assert_int_equal(get(&v, SYS_ICH_VTR_EL2) & 0x1f, 3);        /* ListRegs */
		assert_int_equal(get(&v, SYS_ICH_VTR_EL2) >> 29, bits - 1);  /* PRIbits */
		assert_int_equal(get(&v, SYS_ICH_VTR_EL2) >> 26 & 7, bits - 1);
		assert_int_equal(get(&v, SYS_ICH_HCR_EL2), 0);
		assert_int_equal(get(&v, SYS_ICH_ELRSR_EL2), 0xf);
		assert_int_equal(get(&v, SYS_ICH_EISR_EL2), 0);
		assert_int_equal(get(&v, SYS_ICH_MISR_EL2), 0);
		assert_int_equal(get(&v, SYS_ICV_RPR_EL1), 0xff);
		assert_int_equal(get(&v, SYS_ICV_IAR1_EL1), SPURIOUS);
		assert_int_equal(get(&v, SYS_ICH_VMCR_EL2), 1 << 3);         /* VFIQEn: RAO with system registers */
		for (uint32_t n = 0; n < 4; n++) {
			put(&v, SYS_ICH_AP1R0_EL2 + n, 0x100);
			assert_int_equal(get(&v, SYS_ICH_AP1R0_EL2 + n), n < 1u << (bits - 5) ? 0x100 : 0);
		}
		put(&v, SYS_ICV_PMR_EL1, 0xff);
		assert_int_equal(get(&v, SYS_ICV_PMR_EL1), 0x100 - (1 << (8 - bits)));
	}
	gic_virtual_init(&v, 16, 5, true);
	assert_int_equal(get(&v, SYS_ICH_VTR_EL2) & 0x1f, 15);
	assert_int_equal(get(&v, SYS_ICH_ELRSR_EL2), 0xffff);
	gic_virtual_init(&v, 2, 5, true);
	put(&v, SYS_ICH_LR2_EL2, pending | group1 | 40);  /* not implemented */
	assert_int_equal(get(&v, SYS_ICH_LR2_EL2), 0);
}

/* ICV_PMR, ICV_IGRPEN1 and ICV_CTLR.EOImode are fields of ICH_VMCR_EL2. */
static void guest_registers_are_fields_of_vmcr(void **state)
{
	struct gic_virtual v;

	(void)state;
	gic_virtual_init(&v, 4, 5, true);
	put(&v, SYS_ICV_PMR_EL1, 0xf0);
	put(&v, SYS_ICV_IGRPEN1_EL1, 1);
	put(&v, SYS_ICV_CTLR_EL1, 2);
	assert_int_equal(get(&v, SYS_ICH_VMCR_EL2), 0xf0000000 | 1 << 9 | 1 << 3 | 1 << 1);
	put(&v, SYS_ICH_VMCR_EL2, 0x80000000);
	assert_int_equal(get(&v, SYS_ICV_PMR_EL1), 0x80);
	assert_int_equal(get(&v, SYS_ICV_IGRPEN1_EL1), 0);
	assert_int_equal(get(&v, SYS_ICV_CTLR_EL1) & 2, 0);
}

static void life_of_a_list_register(void **state)
{
	struct gic_virtual v = started(4);

	(void)state;
	assert_false(gic_virtual_line(&v));
	put(&v, SYS_ICH_LR1_EL2, pending | group1 | PRIORITY(0xa0) | 48);
	assert_true(gic_virtual_line(&v));
	assert_int_equal(get(&v, SYS_ICH_ELRSR_EL2), 0xd);
	assert_int_equal(get(&v, SYS_ICV_HPPIR1_EL1), 48);

	assert_int_equal(get(&v, SYS_ICV_IAR1_EL1), 48);
	assert_false(gic_virtual_line(&v));
	assert_int_equal(STATE(get(&v, SYS_ICH_LR1_EL2)), ACTIVE);
	assert_int_equal(get(&v, SYS_ICV_RPR_EL1), 0xa0);
	assert_int_equal(get(&v, SYS_ICH_AP1R0_EL2), 1u << (0xa0 >> 3));
	assert_int_equal(get(&v, SYS_ICV_IAR1_EL1), SPURIOUS);
	assert_int_equal(get(&v, SYS_ICH_ELRSR_EL2), 0xd);

	assert_int_equal(put(&v, SYS_ICV_EOIR1_EL1, 48), GIC_NO_INTERRUPT);
	assert_int_equal(get(&v, SYS_ICH_LR1_EL2), group1 | PRIORITY(0xa0) | 48);
	assert_int_equal(get(&v, SYS_ICV_RPR_EL1), 0xff);
	assert_int_equal(get(&v, SYS_ICH_AP1R0_EL2), 0);
	assert_int_equal(get(&v, SYS_ICH_ELRSR_EL2), 0xf);
	assert_int_equal(get(&v, SYS_ICH_EISR_EL2), 0);
}

/* Pending and active: not presented until deactivated, and then pending. */
static void pending_and_active(void **state)
{
	struct gic_virtual v = started(4);

	(void)state;
	put(&v, SYS_ICH_LR0_EL2, pending | active | group1 | PRIORITY(0xa0) | 48);
	put(&v, SYS_ICH_AP1R0_EL2, 1u << (0xa0 >> 3));
	assert_false(gic_virtual_line(&v));
	assert_int_equal(get(&v, SYS_ICV_IAR1_EL1), SPURIOUS);
	put(&v, SYS_ICV_EOIR1_EL1, 48);
	assert_int_equal(STATE(get(&v, SYS_ICH_LR0_EL2)), PENDING);
	assert_true(gic_virtual_line(&v));
}

/* With VEOIM the EOI drops the priority and DIR deactivates. */
static void split_drop_and_deactivation(void **state)
{
	struct gic_virtual v = started(4);

	(void)state;
	put(&v, SYS_ICV_CTLR_EL1, 2);
	put(&v, SYS_ICH_LR0_EL2, pending | group1 | PRIORITY(0xa0) | 48);
	assert_int_equal(get(&v, SYS_ICV_IAR1_EL1), 48);
	put(&v, SYS_ICV_EOIR1_EL1, 48);
	assert_int_equal(get(&v, SYS_ICV_RPR_EL1), 0xff);
	assert_int_equal(STATE(get(&v, SYS_ICH_LR0_EL2)), ACTIVE);
	put(&v, SYS_ICV_DIR_EL1, 48);
	assert_int_equal(STATE(get(&v, SYS_ICH_LR0_EL2)), INVALID);
	assert_int_equal(get(&v, SYS_ICH_HCR_EL2) >> 27, 0);
}

static void hw_bit_deactivates_the_physical_interrupt(void **state)
{
	struct gic_virtual v = started(4);

	(void)state;
	put(&v, SYS_ICH_LR0_EL2, pending | hw | group1 | PRIORITY(0xa0) | PHYSICAL(27) | 30);
	assert_int_equal(get(&v, SYS_ICV_IAR1_EL1), 30);
	assert_int_equal(put(&v, SYS_ICV_EOIR1_EL1, 30), 27);
	assert_int_equal(get(&v, SYS_ICH_ELRSR_EL2), 0xf);

	put(&v, SYS_ICV_CTLR_EL1, 2);
	put(&v, SYS_ICH_LR3_EL2, pending | hw | group1 | PRIORITY(0xa0) | PHYSICAL(8191) | 1000);
	assert_int_equal(get(&v, SYS_ICV_IAR1_EL1), 1000);
	assert_int_equal(put(&v, SYS_ICV_EOIR1_EL1, 1000), GIC_NO_INTERRUPT);
	assert_int_equal(put(&v, SYS_ICV_DIR_EL1, 1000), 8191);
}

/* Bit 41 with HW = 0 asks for a maintenance interrupt when the list register has become invalid; HW = 1: it is part of pINTID. */
static void eoi_maintenance(void **state)
{
	struct gic_virtual v = started(4);

	(void)state;
	put(&v, SYS_ICH_LR2_EL2, pending | eoi | group1 | PRIORITY(0xa0) | 50);
	assert_int_equal(get(&v, SYS_ICV_IAR1_EL1), 50);
	assert_false(gic_virtual_maintenance(&v));
	put(&v, SYS_ICV_EOIR1_EL1, 50);
	assert_int_equal(get(&v, SYS_ICH_EISR_EL2), 1 << 2);
	assert_int_equal(get(&v, SYS_ICH_MISR_EL2), 1);
	assert_int_equal(get(&v, SYS_ICH_ELRSR_EL2), 0xb);  /* not to be lost */
	assert_true(gic_virtual_maintenance(&v));
	put(&v, SYS_ICH_HCR_EL2, 0);  /* En = 0: nothing is signalled, the status stays */
	assert_false(gic_virtual_maintenance(&v));
	assert_int_equal(get(&v, SYS_ICH_MISR_EL2), 1);
	put(&v, SYS_ICH_HCR_EL2, 1);
	assert_true(gic_virtual_maintenance(&v));
	put(&v, SYS_ICH_LR2_EL2, 0);
	assert_int_equal(get(&v, SYS_ICH_EISR_EL2), 0);
	assert_false(gic_virtual_maintenance(&v));

	put(&v, SYS_ICH_LR2_EL2, pending | hw | eoi | group1 | PRIORITY(0xa0) | 50);
	assert_int_equal(get(&v, SYS_ICV_IAR1_EL1), 50);
	assert_int_equal(put(&v, SYS_ICV_EOIR1_EL1, 50), 1 << 9);
	assert_int_equal(get(&v, SYS_ICH_EISR_EL2), 0);
}

/* Underflow: none or one list register valid. No pending: none is pending. */
static void underflow_and_no_pending(void **state)
{
	struct gic_virtual v = started(4);

	(void)state;
	put(&v, SYS_ICH_HCR_EL2, 1 | 1 << 1);
	assert_int_equal(get(&v, SYS_ICH_MISR_EL2), 1 << 1);
	put(&v, SYS_ICH_LR0_EL2, pending | group1 | PRIORITY(0xa0) | 40);
	assert_int_equal(get(&v, SYS_ICH_MISR_EL2), 1 << 1);
	put(&v, SYS_ICH_LR1_EL2, pending | group1 | PRIORITY(0xa0) | 41);
	assert_int_equal(get(&v, SYS_ICH_MISR_EL2), 0);
	assert_false(gic_virtual_maintenance(&v));
	assert_int_equal(get(&v, SYS_ICV_IAR1_EL1), 40);
	assert_int_equal(get(&v, SYS_ICH_MISR_EL2), 0);  /* active counts */
	put(&v, SYS_ICV_EOIR1_EL1, 40);
	assert_int_equal(get(&v, SYS_ICH_MISR_EL2), 1 << 1);
	assert_true(gic_virtual_maintenance(&v));

	put(&v, SYS_ICH_HCR_EL2, 1 | 1 << 3);
	assert_int_equal(get(&v, SYS_ICH_MISR_EL2), 0);
	assert_int_equal(get(&v, SYS_ICV_IAR1_EL1), 41);
	assert_int_equal(get(&v, SYS_ICH_MISR_EL2), 1 << 3);
	assert_true(gic_virtual_maintenance(&v));

	put(&v, SYS_ICH_HCR_EL2, 1 | 0xf0);  /* the group enables, each way */
	assert_int_equal(get(&v, SYS_ICH_MISR_EL2), 1 << 5 | 1 << 6);
	put(&v, SYS_ICV_IGRPEN1_EL1, 0);
	assert_int_equal(get(&v, SYS_ICH_MISR_EL2), 1 << 5 | 1 << 7);
}

/* EOIcount counts deactivations that find no list register; not spurious ends, not LPIs. */
static void eois_without_a_list_register(void **state)
{
	struct gic_virtual v = started(4);

	(void)state;
	put(&v, SYS_ICH_HCR_EL2, 1 | 1 << 2);
	put(&v, SYS_ICV_EOIR1_EL1, SPURIOUS);
	assert_int_equal(get(&v, SYS_ICH_HCR_EL2) >> 27, 0);
	put(&v, SYS_ICH_AP1R0_EL2, 1 << 4 | 1 << 5);
	put(&v, SYS_ICV_EOIR1_EL1, 60);
	assert_int_equal(get(&v, SYS_ICH_AP1R0_EL2), 1 << 5);
	assert_int_equal(get(&v, SYS_ICH_HCR_EL2) >> 27, 1);
	assert_int_equal(get(&v, SYS_ICH_MISR_EL2), 1 << 2);
	assert_true(gic_virtual_maintenance(&v));
	put(&v, SYS_ICV_EOIR1_EL1, 8192);
	assert_int_equal(get(&v, SYS_ICH_AP1R0_EL2), 0);
	assert_int_equal(get(&v, SYS_ICH_HCR_EL2) >> 27, 1);
	put(&v, SYS_ICV_CTLR_EL1, 2);
	put(&v, SYS_ICV_DIR_EL1, 60);
	assert_int_equal(get(&v, SYS_ICH_HCR_EL2) >> 27, 2);
	put(&v, SYS_ICH_HCR_EL2, 1);
	assert_int_equal(get(&v, SYS_ICH_MISR_EL2), 0);
}

static void priorities_and_masks(void **state)
{
	struct gic_virtual v = started(4);

	(void)state;
	put(&v, SYS_ICH_LR0_EL2, pending | group1 | PRIORITY(0xa0) | 40);
	put(&v, SYS_ICH_LR1_EL2, pending | group1 | PRIORITY(0x80) | 41);
	put(&v, SYS_ICH_LR2_EL2, pending | group1 | PRIORITY(0x87) | 42);  /* three low bits are not implemented */
	put(&v, SYS_ICV_PMR_EL1, 0x80);
	assert_false(gic_virtual_line(&v));
	assert_int_equal(get(&v, SYS_ICV_IAR1_EL1), SPURIOUS);
	assert_int_equal(get(&v, SYS_ICV_HPPIR1_EL1), 41);
	put(&v, SYS_ICV_PMR_EL1, 0xf0);
	assert_int_equal(get(&v, SYS_ICV_IAR1_EL1), 41);
	assert_false(gic_virtual_line(&v));  /* 42 has the same priority, 40 a lower one */
	put(&v, SYS_ICH_LR3_EL2, pending | group1 | PRIORITY(0x40) | 43);
	assert_true(gic_virtual_line(&v));   /* preempts */
	assert_int_equal(get(&v, SYS_ICV_IAR1_EL1), 43);
	assert_int_equal(get(&v, SYS_ICV_RPR_EL1), 0x40);
	put(&v, SYS_ICV_EOIR1_EL1, 43);
	assert_int_equal(get(&v, SYS_ICV_RPR_EL1), 0x80);
	put(&v, SYS_ICV_EOIR1_EL1, 41);
	assert_int_equal(get(&v, SYS_ICV_IAR1_EL1), 42);
	put(&v, SYS_ICV_EOIR1_EL1, 42);
	assert_int_equal(get(&v, SYS_ICV_IAR1_EL1), 40);

	/* group disabled; interface disabled */
	put(&v, SYS_ICV_EOIR1_EL1, 40);
	put(&v, SYS_ICH_LR0_EL2, pending | group1 | PRIORITY(0xa0) | 40);
	assert_true(gic_virtual_line(&v));
	put(&v, SYS_ICV_IGRPEN1_EL1, 0);
	assert_false(gic_virtual_line(&v));
	put(&v, SYS_ICV_IGRPEN1_EL1, 1);
	put(&v, SYS_ICH_HCR_EL2, 0);
	assert_false(gic_virtual_line(&v));
	assert_int_equal(get(&v, SYS_ICV_IAR1_EL1), SPURIOUS);
	put(&v, SYS_ICH_HCR_EL2, 1);
	assert_int_equal(get(&v, SYS_ICV_IAR1_EL1), 40);
}

/* A virtual LPI has no active state: acknowledged, its list register is free, its priority running until the EOI. */
static void lpi(void **state)
{
	struct gic_virtual v = started(4);

	(void)state;
	put(&v, SYS_ICH_LR0_EL2, pending | group1 | PRIORITY(0xa0) | 8200);
	assert_int_equal(get(&v, SYS_ICV_IAR1_EL1), 8200);
	assert_int_equal(get(&v, SYS_ICH_ELRSR_EL2), 0xf);
	assert_int_equal(get(&v, SYS_ICV_RPR_EL1), 0xa0);
	put(&v, SYS_ICV_EOIR1_EL1, 8200);
	assert_int_equal(get(&v, SYS_ICV_RPR_EL1), 0xff);
	assert_int_equal(get(&v, SYS_ICH_HCR_EL2) >> 27, 0);
}

/* Group 0 is a vFIQ with system registers: IAR1 does not show it. */
static void group0(void **state)
{
	struct gic_virtual v = started(4);

	(void)state;
	put(&v, SYS_ICH_VMCR_EL2, 0xf0000003);
	put(&v, SYS_ICH_LR0_EL2, pending | PRIORITY(0x20) | 40);
	assert_false(gic_virtual_line(&v));
	assert_int_equal(get(&v, SYS_ICV_IAR1_EL1), SPURIOUS);
	assert_int_equal(STATE(get(&v, SYS_ICH_LR0_EL2)), PENDING);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reset_and_identification),
		cmocka_unit_test(guest_registers_are_fields_of_vmcr),
		cmocka_unit_test(life_of_a_list_register),
		cmocka_unit_test(pending_and_active),
		cmocka_unit_test(split_drop_and_deactivation),
		cmocka_unit_test(hw_bit_deactivates_the_physical_interrupt),
		cmocka_unit_test(eoi_maintenance),
		cmocka_unit_test(underflow_and_no_pending),
		cmocka_unit_test(eois_without_a_list_register),
		cmocka_unit_test(priorities_and_masks),
		cmocka_unit_test(lpi),
		cmocka_unit_test(group0),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

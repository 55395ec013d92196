// SPDX-License-Identifier: Apache-2.0
/*
 * Random interrupts against a virtual CPU interface that this test plays: whatever the order of injections, entries, acknowledges, ends, exits and changes of
 * target, an edge is delivered exactly once, a level only while it is high (in the old scheme perhaps once more), none is lost, and an interrupt is never in
 * two list registers. Four list registers, up to 38 interrupts, two vCPUs, every version of the vGIC.
 */
#include "tests/step/vgic_bench.h"

#include "base/random.h"

#define INTERRUPTS 38u  /* 16 SGIs, 2 PPIs, 20 SPIs */
#define TURNS 400u

struct world {
	struct step_bench b;
	struct kvm_vcpu other;
	struct kvm_vcpu *vcpu[2];
	uint64_t seed, draws;
	bool wanted[2][INTERRUPTS];        /* an edge that has not been delivered */
	bool high[2][INTERRUPTS];          /* a level that is high */
	bool in_service[2][INTERRUPTS];
	uint32_t delivered;
};

static uint64_t draw(struct world *w, uint64_t limit)
{
	return random_u64(w->seed, 1, w->draws++) % limit;
}

static struct vgic_irq *irq_of(struct world *w, uint32_t v, uint32_t n)
{
	static const uint32_t ppis[] = { 20, VGIC_PPI_PMU };

	if (n < 16)
		return &w->vcpu[v]->vgic.private_irqs[n];
	return n < 18 ? &w->vcpu[v]->vgic.private_irqs[ppis[n - 16]] : &w->b.kvm.vgic.spis[n - 18];
}

static uint32_t number_of(uint32_t virtual)
{
	if (virtual < 16)
		return virtual;
	return virtual < 32 ? (virtual == 20 ? 16 : 17) : virtual - 32 + 18;
}

/* SPIs have one state in the VM: it is kept under vCPU 0. */
static uint32_t owner(uint32_t v, uint32_t n)
{
	return n < 18 ? v : 0;
}

static void inject(struct world *w, uint32_t v, uint32_t n)
{
	struct vgic_irq *irq = irq_of(w, v, n);
	const uint32_t o = owner(v, n);

	if (irq->level) {
		w->high[o][n] = !w->high[o][n];
		kvm_vgic_inject_irq(w->b.cpu, w->vcpu[v], irq, w->high[o][n]);
	} else if (!w->wanted[o][n]) {  /* two edges before the first is taken are one */
		w->wanted[o][n] = true;
		kvm_vgic_inject_irq(w->b.cpu, w->vcpu[v], irq, true);
	}
}

static uint64_t list_register(struct world *w, uint32_t n)
{
	return cpu_sysreg_read(w->b.cpu, (enum sysreg)(SYS_ICH_LR0_EL2 + n));
}

static void take(struct world *w, uint32_t v, uint32_t n, uint64_t lr)
{
	const uint32_t number = number_of((uint32_t)lr), o = owner(v, number);
	struct vgic_irq *irq = irq_of(w, v, number);

	if (irq->level) {
		/* the old scheme left it in its list register when the level fell */
		assert_true(w->high[o][number] || w->b.kvm.vgic_ops == &vgic_distributor);
	} else {
		assert_true(w->wanted[o][number]);
		w->wanted[o][number] = false;
	}
	w->delivered++;
	w->in_service[o][number] = true;
	recording_set_sysreg(w->b.cpu, (enum sysreg)(SYS_ICH_LR0_EL2 + n), (lr & ~LR_PENDING) | LR_ACTIVE);
}

static void end(struct world *w, uint32_t v, uint32_t n, uint64_t lr)
{
	const uint32_t number = number_of((uint32_t)lr);

	w->in_service[owner(v, number)][number] = false;
	recording_set_sysreg(w->b.cpu, (enum sysreg)(SYS_ICH_LR0_EL2 + n), lr & ~LR_ACTIVE);
}

/* An entry, some of what the guest could do, an exit. `all`: it does all of it. */
static void run(struct world *w, uint32_t v, bool all)
{
	struct kvm_vcpu *vcpu = w->vcpu[v];
	uint32_t used, empty = 0;

	kvm_check_request(w->b.cpu, KVM_REQ_IRQ_PENDING, vcpu);
	kvm_vgic_flush_hwstate(w->b.cpu, vcpu);
	used = w->b.kvm.vgic_ops == &vgic_distributor ? 4 : vcpu->vgic.used_lrs;
	for (uint32_t n = 0; n < used; n++) {
		uint64_t lr = list_register(w, n);

		for (uint32_t m = 0; m < n; m++)
			assert_false((lr >> 62) && (list_register(w, m) >> 62) && (uint32_t)lr == (uint32_t)list_register(w, m));
		if (lr & LR_ACTIVE && (all || draw(w, 2)))
			end(w, v, n, lr);
		lr = list_register(w, n);
		if (lr & LR_PENDING && !(lr & LR_ACTIVE) && (all || draw(w, 2)))
			take(w, v, n, lr);
		lr = list_register(w, n);
		if (lr & LR_ACTIVE && (all || draw(w, 2)))
			end(w, v, n, lr);
		if (!(list_register(w, n) >> 62))
			empty |= 1u << n;
	}
	recording_set_sysreg(w->b.cpu, SYS_ICH_ELRSR_EL2, empty);
	kvm_vgic_sync_hwstate(w->b.cpu, vcpu);
	recording_clear(w->b.machine);
}

static bool anything_left(struct world *w)
{
	for (uint32_t v = 0; v < 2; v++)
		for (uint32_t n = 0; n < INTERRUPTS; n++)
			if (w->wanted[v][n] || w->in_service[v][n])
				return true;
	return false;
}

static void start(struct world *w, const struct kernel_config *config, uint64_t seed)
{
	*w = (struct world){ .seed = seed };
	bench_start(&w->b, config, true);
	other_vcpu(&w->b, &w->other, false);
	w->vcpu[0] = &w->b.vcpu;
	w->vcpu[1] = &w->other;
	for (uint32_t v = 0; v < 2; v++) {
		for (uint32_t n = 0; n < INTERRUPTS; n++) {
			irq_of(w, v, n)->enabled = true;
			irq_of(w, v, n)->priority = (uint8_t)(draw(w, 16) << 4);
		}
	}
	for (uint32_t n = 0; n < 20; n++)
		w->b.kvm.vgic.spis[n].level = n % 2;
}

static void random_run(const struct kernel_config *config, uint64_t seed)
{
	const bool moves = !config->vgic_lock_per_vm;
	struct world w;

	start(&w, config, seed);
	for (uint32_t turn = 0; turn < TURNS; turn++) {
		const uint32_t v = (uint32_t)draw(&w, 2);

		for (uint64_t count = draw(&w, 4); count; count--)
			inject(&w, v, (uint32_t)draw(&w, INTERRUPTS));
		if (moves && !draw(&w, 4))
			w.b.kvm.vgic.spis[draw(&w, 20)].target_vcpu = w.vcpu[draw(&w, 2)];
		run(&w, v, false);
	}
	/* nothing is lost: once the levels are low and everybody runs, all edges arrive */
	for (uint32_t v = 0; v < 2; v++)
		for (uint32_t n = 0; n < INTERRUPTS; n++)
			if (w.high[v][n])
				inject(&w, v, n);
	for (uint32_t round = 0; round < 2 * INTERRUPTS; round++)
		run(&w, round % 2, true);
	assert_false(anything_left(&w));
	assert_null(w.vcpu[0]->vgic.ap_list);
	assert_null(w.vcpu[1]->vgic.ap_list);
	assert_true(w.delivered > TURNS / 2);
	bench_stop(&w.b);
}

static void all_versions(void **state)
{
	struct kernel_config config = recent_kernel();

	(void)state;
	for (uint64_t seed = 1; seed <= 20; seed++)
		random_run(&config, seed);
	config.vgic_always = true;
	config.vmcr = VMCR_LOAD_AND_EXIT;
	for (uint64_t seed = 21; seed <= 40; seed++)
		random_run(&config, seed);
}

static void old_lock(void **state)
{
	struct kernel_config config = recent_kernel();

	(void)state;
	config.vgic_lock_per_vm = true;
	config.vmcr = VMCR_EVERY_SWITCH;
	for (uint64_t seed = 41; seed <= 60; seed++)
		random_run(&config, seed);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_versions),
		cmocka_unit_test(old_lock),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

// SPDX-License-Identifier: Apache-2.0
/*
 * kvm_irq_init (arch/arm64/kvm/arch_timer.c): what KVM does to the host's timer interrupts when it starts. Where the guest
 * cannot end a host interrupt by itself, and on GICv5 hosts, the KVM chip goes on top of them.
 *
 * Forwarded: on Apple's AIC always; on a GICv5 host for GICv5 guests, whose timers the host must not see. GICv3 guests there use
 * the PPI's active state as on a GICv3 host, so the KVM chip passes it on.
 */
#include "model/kvm/kvm.h"

void kvm_irq_init(struct kernel *kernel)
{
	const struct kernel_config *config = &kernel->config;
	const bool forwarded = config->gic == GIC_AIC || !config->guest_gic_v3;

	if (config->gic != GIC_AIC && config->gic != GIC_V5)
		return;
	irq_domain_push_irq(kernel, &kernel->host_vtimer, &stacked_chip_kvm, forwarded);
	irq_domain_push_irq(kernel, &kernel->host_ptimer, &stacked_chip_kvm, forwarded);
}

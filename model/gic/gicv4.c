// SPDX-License-Identifier: Apache-2.0
/* See gicv4.h. */
#include "model/gic/gicv4.h"

#include <assert.h>
#include <stdlib.h>

#define SPURIOUS 1023u
#define VPE_OF_4_1(value) ((uint32_t)((value) & 0xffff))
#define VPE_OF_4_0(value) ((uint32_t)((value) >> 16 & 0xfffff))

struct vpe {
	bool pending;         /* an LPI of it */
	bool changed;         /* since it was made resident: the table has to be written back */
	bool wants_doorbell, doorbell;
	bool doorbell_enabled;
	uint32_t cpu;         /* where it is, or was last */
};

struct frame {
	uint64_t vpropbaser, vpendbaser;  /* as written, without what the hardware answers */
	uint64_t dirty_until;
	bool pending_last;
	uint32_t doorbells;               /* pending and enabled here */
};

struct gicv4_state {
	struct gicv4_vpe_config config;
	struct vpe *vpes;
	struct frame frames[];
};

cv_result gicv4_create(const struct gicv4_vpe_config *config, struct gicv4_state **out)
{
	struct gicv4_state *gic;

	RETURN_ERROR_IF(config->cpus < 1 || config->cpus > 65536 || config->vpes < 1 || config->vpes > 65536, CV_BAD_INPUT,
			"GICv4 with %u CPUs and %u vPEs: 1 to 65536 of each are modelled", config->cpus, config->vpes);
	gic = calloc(1, sizeof(*gic) + config->cpus * sizeof(gic->frames[0]));
	RETURN_ERROR_IF(!gic, CV_INTERNAL, "no memory for a GICv4 with %u CPUs", config->cpus);
	gic->config = *config;
	gic->vpes = calloc(config->vpes, sizeof(*gic->vpes));
	if (!gic->vpes) {
		free(gic);
		return cv_error_set(CV_INTERNAL, "no memory for a GICv4 with %u vPEs", config->vpes);
	}
	for (uint32_t n = 0; n < config->vpes; n++)
		gic->vpes[n].doorbell_enabled = config->v4_1;
	*out = gic;
	return CV_OK;
}

void gicv4_destroy(struct gicv4_state *gic)
{
	if (!gic)
		return;
	free(gic->vpes);
	free(gic);
}

/* The vPE that a value of GICR_VPENDBASER makes resident; NULL: none. */
static struct vpe *resident(const struct gicv4_state *gic, uint64_t vpendbaser)
{
	const uint32_t n = gic->config.v4_1 ? VPE_OF_4_1(vpendbaser) : VPE_OF_4_0(vpendbaser);

	return vpendbaser & GICR_VPENDBASER_VALID && n < gic->config.vpes ? &gic->vpes[n] : NULL;
}

uint64_t gicv4_read(const struct gicv4_state *gic, cpu_id cpu, uint32_t offset, uint64_t now)
{
	const struct frame *frame = &gic->frames[cpu.n];

	assert(cpu.n < gic->config.cpus);
	if (offset == GICR_VPROPBASER)
		return frame->vpropbaser;
	if (offset != GICR_VPENDBASER)
		return 0;
	return frame->vpendbaser | (now < frame->dirty_until ? GICR_VPENDBASER_DIRTY : 0) |
	       (frame->pending_last ? GICR_VPENDBASER_PENDING_LAST : 0);
}

static void make_resident(struct gicv4_state *gic, uint32_t cpu, uint64_t now)
{
	struct frame *frame = &gic->frames[cpu];
	struct vpe *vpe = resident(gic, frame->vpendbaser);

	frame->pending_last = false;
	if (gic->config.v4_1)
		frame->dirty_until = now + gic->config.scan_time;
	if (!vpe)
		return;
	if (vpe->doorbell && vpe->doorbell_enabled)
		gic->frames[vpe->cpu].doorbells--;
	vpe->doorbell = vpe->wants_doorbell = vpe->changed = false;
	vpe->cpu = cpu;
}

static void make_non_resident(struct gicv4_state *gic, uint32_t cpu, struct vpe *vpe, bool doorbell, uint64_t now)
{
	struct frame *frame = &gic->frames[cpu];

	if (!vpe)
		return;
	if (vpe->changed)
		frame->dirty_until = now + gic->config.scan_time;
	frame->pending_last = vpe->pending;
	vpe->wants_doorbell = !gic->config.v4_1 || doorbell;
}

void gicv4_write(struct gicv4_state *gic, cpu_id cpu, uint32_t offset, uint64_t value, uint64_t now)
{
	const uint64_t answers = GICR_VPENDBASER_DIRTY | GICR_VPENDBASER_PENDING_LAST;
	struct frame *frame = &gic->frames[cpu.n];
	const uint64_t before = frame->vpendbaser;

	assert(cpu.n < gic->config.cpus);
	if (offset == GICR_VPROPBASER)
		frame->vpropbaser = value;
	if (offset != GICR_VPENDBASER)
		return;
	frame->vpendbaser = value & ~answers;
	if (!(before & GICR_VPENDBASER_VALID) && value & GICR_VPENDBASER_VALID)
		make_resident(gic, cpu.n, now);
	else if (before & GICR_VPENDBASER_VALID && !(value & GICR_VPENDBASER_VALID))
		make_non_resident(gic, cpu.n, resident(gic, before), value & GICR_VPENDBASER_4_1_DB, now);
}

uint64_t gicv4_dirty_until(const struct gicv4_state *gic, cpu_id cpu)
{
	return gic->frames[cpu.n].dirty_until;
}

uint32_t gicv4_lpi(struct gicv4_state *gic, uint32_t n)
{
	struct vpe *vpe;

	if (n >= gic->config.vpes)
		return GICV4_NO_VPE;
	vpe = &gic->vpes[n];
	vpe->pending = vpe->changed = true;
	if (vpe->wants_doorbell && !vpe->doorbell) {
		vpe->doorbell = true;
		gic->frames[vpe->cpu].doorbells += vpe->doorbell_enabled;
	}
	return vpe->cpu;
}

void gicv4_enable_doorbell(struct gicv4_state *gic, uint32_t n, bool enabled)
{
	struct vpe *vpe;

	if (n >= gic->config.vpes || gic->vpes[n].doorbell_enabled == enabled)
		return;
	vpe = &gic->vpes[n];
	vpe->doorbell_enabled = enabled;
	if (vpe->doorbell)
		gic->frames[vpe->cpu].doorbells += enabled ? 1 : UINT32_MAX;
}

uint32_t gicv4_cpu_of(const struct gicv4_state *gic, uint32_t n)
{
	return n < gic->config.vpes ? gic->vpes[n].cpu : GICV4_NO_VPE;
}

bool gicv4_vline(const struct gicv4_state *gic, cpu_id cpu, uint64_t now)
{
	const struct frame *frame = &gic->frames[cpu.n];
	const struct vpe *vpe = resident(gic, frame->vpendbaser);

	return vpe && vpe->pending && now >= frame->dirty_until;
}

uint32_t gicv4_acknowledge_virtual(struct gicv4_state *gic, cpu_id cpu, uint64_t now)
{
	struct vpe *vpe = resident(gic, gic->frames[cpu.n].vpendbaser);

	if (!gicv4_vline(gic, cpu, now))
		return SPURIOUS;
	vpe->pending = false;
	vpe->changed = true;
	return GICV4_DOORBELLS;  /* the guest's own LPI: its first */
}

bool gicv4_doorbell(const struct gicv4_state *gic, cpu_id cpu)
{
	return gic->frames[cpu.n].doorbells;
}

uint32_t gicv4_acknowledge_doorbell(struct gicv4_state *gic, cpu_id cpu)
{
	for (uint32_t n = 0; gic->frames[cpu.n].doorbells && n < gic->config.vpes; n++) {
		struct vpe *vpe = &gic->vpes[n];

		if (!vpe->doorbell || !vpe->doorbell_enabled || vpe->cpu != cpu.n)
			continue;
		vpe->doorbell = false;
		vpe->wants_doorbell &= !gic->config.v4_1;  /* GICv4.1: one doorbell for each request */
		gic->frames[cpu.n].doorbells--;
		return GICV4_DOORBELLS + n;
	}
	return SPURIOUS;
}

// SPDX-License-Identifier: Apache-2.0
// What software reads and writes: reset values, set and clear, reserved bits, sizes, addresses.
#include "bench.hpp"

#include <string>

#include "model/gic/registers.h"

static constexpr auto READ = tlm::TLM_READ_COMMAND;
static constexpr auto WRITE = tlm::TLM_WRITE_COMMAND;

// IHI 0069, 12.9. One Security state: CTLR has DS (6) and ARE (4) fixed at 1.
void test_distributor_reset()
{
	gicv3_config config;
	config.spis = 96;
	config.iidr = 0x12345678;
	bench b(config);

	CHECK_EQUAL(b.read(gicd_address(0x0000)), 0x50);
	// TYPER: ITLinesNumber = 128 / 32 - 1, IDbits = 9, everything else (SecurityExtn, LPIS, MBIS, RSS, A3V) 0.
	CHECK_EQUAL(b.read(gicd_address(0x0004)), 9u << 19 | 3);
	CHECK_EQUAL(b.read(gicd_address(0x0008)), 0x12345678);
	CHECK_EQUAL(b.read(gicd_address(0xffe8)) >> 4 & 0xf, 3);  // PIDR2.ArchRev: GICv3
	for (uint32_t offset : { 0x84u, 0x104u, 0x184u, 0x204u, 0x284u, 0x304u, 0x384u, 0x420u, 0xc08u })
		CHECK_EQUAL(b.read(gicd_address(offset)), 0);
	// CTLR: only the group enables can be written.
	b.write(gicd_address(0x0000), 0xffffffff);
	CHECK_EQUAL(b.read(gicd_address(0x0000)), 0x53);
	// Read-only registers ignore writes.
	b.write(gicd_address(0x0004), 0);
	CHECK_EQUAL(b.read(gicd_address(0x0004)), 9u << 19 | 3);
}

// IHI 0069, 12.10 and 12.11.
void test_redistributor_reset()
{
	gicv3_config config;
	config.edge_ppis = 1u << 20;
	bench b(config);

	CHECK_EQUAL(b.own_read(0, 0x0000), 0);
	CHECK_EQUAL(b.own_read(0, 0x0014), 0x6);  // WAKER: ProcessorSleep and ChildrenAsleep
	CHECK_EQUAL(b.own_read(0, 0xffe8) >> 4 & 0xf, 3);
	for (uint32_t offset : { 0x80u, 0x100u, 0x180u, 0x200u, 0x280u, 0x300u, 0x380u, 0x400u, 0x41cu, 0xd00u })
		CHECK_EQUAL(b.own_read(0, 0x10000 + offset), 0);
	CHECK_EQUAL(b.own_read(0, 0x10c00), 0xaaaaaaaa);      // SGIs are edge-triggered
	CHECK_EQUAL(b.own_read(0, 0x10c04), 0x2u << (2 * 4)); // INTID 20
	b.own_write(0, 0x10c00, 0);
	CHECK_EQUAL(b.own_read(0, 0x10c00), 0xaaaaaaaa);
	b.own_write(0, 0x10c04, 0xffffffff);
	CHECK_EQUAL(b.own_read(0, 0x10c04), 0xaaaaaaaa);      // the lower bit of each pair is RES0
	// Waking: ChildrenAsleep follows; the other bits are reserved.
	b.own_write(0, 0x0014, 0xfffffffd);
	CHECK_EQUAL(b.own_read(0, 0x0014), 0);
	// CPU interface (12.2): 5 priority bits, mask 0, nothing running, nothing pending.
	CHECK_EQUAL(b.icc_read(0, ICC_CTLR_EL1) >> 8 & 0x7, 4);
	CHECK_EQUAL(b.icc_read(0, ICC_PMR_EL1), 0);
	CHECK_EQUAL(b.icc_read(0, ICC_RPR_EL1), 0xff);
	CHECK_EQUAL(b.icc_read(0, ICC_IAR1_EL1), 1023);
	CHECK_EQUAL(b.icc_read(0, ICC_HPPIR1_EL1), 1023);
}

// GICR_TYPER: Affinity_Value 63:32, Processor_Number 23:8, Last 4.
void test_affinity()
{
	gicv3_config config = with_cpus(32);
	for (uint32_t n = 0; n < 32; n++)
		config.affinity.push_back((n / 8 + 1) << 24 | (n / 2) << 16 | (n % 2) << 8);
	bench b(config);

	for (uint32_t n = 0; n < 32; n++) {
		const uint64_t address = 0x20000000ull + n * 0x20000ull + 0x8;
		const answer typer = b.transport(n, READ, address, 8);

		CHECK_EQUAL(typer.status, tlm::TLM_OK_RESPONSE);
		CHECK_EQUAL(typer.value >> 56, n / 8 + 1);       // Aff3
		CHECK_EQUAL(typer.value >> 48 & 0xff, n / 2);    // Aff2
		CHECK_EQUAL(typer.value >> 40 & 0xff, n % 2);    // Aff1
		CHECK_EQUAL(typer.value >> 32 & 0xff, 0);        // Aff0
		CHECK_EQUAL(typer.value >> 8 & 0xffff, n);
		CHECK_EQUAL(typer.value >> 4 & 1, n == 31);
		CHECK_EQUAL(typer.value & 0xf, 0);               // no LPIs
		CHECK_EQUAL(b.read(address, n), uint32_t(typer.value));
		CHECK_EQUAL(b.read(address + 4, n), typer.value >> 32);
	}
	CHECK_EQUAL(b.read(gicd_address(GICD_TYPER)) >> 24 & 1, 1);  // A3V
}

// Writing 1 acts, writing 0 does not, both registers of a pair read the state.
static void check_pair(bench &b, uint64_t set, uint64_t clear)
{
	b.write(set, 0x80f00000);
	CHECK_EQUAL(b.read(set), 0x80f00000);
	CHECK_EQUAL(b.read(clear), 0x80f00000);
	b.write(set, 0x00010000);
	CHECK_EQUAL(b.read(set), 0x80f10000);
	b.write(clear, 0x80300000);
	CHECK_EQUAL(b.read(clear), 0x00c10000);
	CHECK_EQUAL(b.read(set), 0x00c10000);
	b.write(clear, 0);
	b.write(set, 0);
	CHECK_EQUAL(b.read(set), 0x00c10000);
	b.write(clear, 0xffffffff);
	CHECK_EQUAL(b.read(set), 0);
}

void test_set_and_clear()
{
	bench b;

	for (uint32_t pair : { 0x100u, 0x200u, 0x300u }) {
		check_pair(b, gicr_address({ 0 }, 0x10000 + pair), gicr_address({ 0 }, 0x10000 + pair + 0x80));
		check_pair(b, gicd_address(pair + 4), gicd_address(pair + 0x84));
	}
	b.own_write(0, GICR_IGROUPR0, 0x8001ffff);
	CHECK_EQUAL(b.own_read(0, GICR_IGROUPR0), 0x8001ffff);
	b.own_write(0, GICR_IGROUPR0, 0);
	CHECK_EQUAL(b.own_read(0, GICR_IGROUPR0), 0);
	// Five priority bits: the lower three of each byte are RAZ/WI.
	b.own_write(0, GICR_IPRIORITYR + 0x18, 0xffa5087f);
	CHECK_EQUAL(b.own_read(0, GICR_IPRIORITYR + 0x18), 0xf8a00878);
	b.icc_write(0, ICC_PMR_EL1, 0xff);
	CHECK_EQUAL(b.icc_read(0, ICC_PMR_EL1), 0xf8);
	b.icc_write(0, ICC_CTLR_EL1, 0xffffffff);
	CHECK_EQUAL(b.icc_read(0, ICC_CTLR_EL1) & 0x7f, 0x2);  // of CBPR, EOImode, PMHE only EOImode is there
}

void test_separate_redistributors()
{
	bench b(with_cpus(2));

	b.own_write(0, GICR_ISACTIVER0, 1u << 27);
	b.own_write(1, GICR_ISACTIVER0, 1u << 30);
	b.own_write(1, GICR_ISENABLER0, 1u << 26);
	b.own_write(0, GICR_IPRIORITYR, 0x10);
	CHECK_EQUAL(b.own_read(0, GICR_ISACTIVER0), 1u << 27);
	CHECK_EQUAL(b.own_read(1, GICR_ISACTIVER0), 1u << 30);
	CHECK_EQUAL(b.own_read(0, GICR_ISENABLER0), 0);
	CHECK_EQUAL(b.own_read(1, GICR_IPRIORITYR), 0);
	// The address says which redistributor, not who asks.
	CHECK_EQUAL(b.read(gicr_address({ 1 }, GICR_ISACTIVER0), 0), 1u << 30);
	b.write(gicr_address({ 1 }, GICR_ICACTIVER0), 0xffffffff, 0);
	CHECK_EQUAL(b.own_read(1, GICR_ISACTIVER0), 0);
	CHECK_EQUAL(b.own_read(0, GICR_ISACTIVER0), 1u << 27);
	b.own_write(0, GICR_WAKER, 0);
	CHECK_EQUAL(b.own_read(1, GICR_WAKER), 0x6);
}

static bool declared(bool redistributor, uint32_t offset)
{
	for (const gic_register &row : gic_registers) {
		const bool in_gicr = row.frame == GIC_FRAME_GICR || row.frame == GIC_FRAME_SGI;

		if (row.frame != GIC_FRAME_ICC && row.access != GIC_ACCESS_RAZ && in_gicr == redistributor &&
		    offset >= row.offset && offset < row.offset + row.count * row.width)
			return true;
	}
	return false;
}

// Every word that is no register reads as zero and ignores writes; with affinity routing that includes the distributor's
// bits of private interrupts, and with one Security state IGRPMODR and NSACR. So do INTIDs that do not exist.
void test_reserved()
{
	bench b;
	uint32_t seen = 0;

	for (uint32_t offset = 0; offset < 0x20000; offset += 4) {
		const std::string where = "redistributor + " + std::to_string(offset);

		if (declared(true, offset))
			continue;
		seen++;
		b.own_write(0, offset, 0xffffffff);
		CHECK_EQUAL_FOR(where.c_str(), b.own_read(0, offset), 0);
	}
	for (uint32_t offset = 0; offset < 0x10000; offset += 4) {
		const std::string where = "distributor + " + std::to_string(offset);

		if (declared(false, offset))
			continue;
		seen++;
		b.write(gicd_address(offset), 0xffffffff);
		CHECK_EQUAL_FOR(where.c_str(), b.read(gicd_address(offset)), 0);
	}
	CHECK(seen > 30000);
	CHECK_EQUAL(b.own_read(0, 0x0000), 0);  // nothing of it reached a neighbour
	for (uint32_t offset : { 0x80u, 0x100u, 0x180u, 0x200u, 0x280u, 0x300u, 0x380u, 0x400u, 0x41cu, 0xc00u, 0xc04u }) {
		b.write(gicd_address(offset), 0xffffffff);
		CHECK_EQUAL(b.read(gicd_address(offset)), 0);
	}
	for (uint32_t offset : { 0x88u, 0x108u, 0x208u, 0x308u, 0x440u, 0xc10u, 0x6200u }) {  // INTID 64: 32 SPIs only
		b.write(gicd_address(offset), 0xffffffff);
		CHECK_EQUAL(b.read(gicd_address(offset)), 0);
	}
}

// IHI 0069, 12.1: 32 bits everywhere; bytes for priorities; 64 bits and halves for 64-bit registers.
void test_access_sizes()
{
	bench b;
	const uint64_t priority = gicr_address({ 0 }, GICR_IPRIORITYR);
	const uint64_t router = gicd_address(GICD_IROUTER + 8);
	const auto refused = tlm::TLM_BURST_ERROR_RESPONSE;
	const auto accepted = tlm::TLM_OK_RESPONSE;

	CHECK_EQUAL(b.transport(0, WRITE, priority + 0x1b, 1, 0xa0).status, accepted);
	CHECK_EQUAL(b.read(priority + 0x18), 0xa0000000);
	CHECK_EQUAL(b.transport(0, READ, priority + 0x1b, 1).value, 0xa0);
	CHECK_EQUAL(b.transport(0, WRITE, priority + 0x19, 1, 0x50).status, accepted);
	CHECK_EQUAL(b.read(priority + 0x18), 0xa0005000);
	CHECK_EQUAL(b.transport(0, WRITE, gicd_address(GICD_IPRIORITYR + 35), 1, 0x48).status, accepted);
	CHECK_EQUAL(b.read(gicd_address(GICD_IPRIORITYR + 32)), 0x48000000);
	CHECK_EQUAL(b.transport(0, READ, priority, 2).status, refused);
	CHECK_EQUAL(b.transport(0, READ, priority, 8).status, refused);

	CHECK_EQUAL(b.transport(0, WRITE, router, 8, 0xffffffffffffffff).status, accepted);
	CHECK_EQUAL(b.transport(0, READ, router, 8).value, 0xff80ffffff);
	b.write(router + 4, 0x12);
	CHECK_EQUAL(b.transport(0, READ, router, 8).value, 0x1280ffffff);
	b.write(router, 0x00030201);
	CHECK_EQUAL(b.transport(0, READ, router, 8).value, 0x1200030201);
	CHECK_EQUAL(b.transport(0, READ, router, 1).status, refused);

	for (uint32_t offset : { GICR_CTLR, GICR_WAKER, GICR_ISENABLER0, GICR_ICACTIVER0, GICR_ICFGR1 }) {
		const uint64_t address = gicr_address({ 0 }, offset);

		for (unsigned int bytes : { 1u, 2u, 8u, 16u, 3u })
			CHECK_EQUAL(b.transport(0, READ, address, bytes).status, refused);
		CHECK_EQUAL(b.transport(0, READ, address + 2, 4).status, refused);
	}
	// A refused write changes nothing.
	CHECK_EQUAL(b.transport(0, WRITE, gicr_address({ 0 }, GICR_ISENABLER0), 1, 0xff).status, refused);
	CHECK_EQUAL(b.transport(0, WRITE, gicr_address({ 0 }, GICR_ISENABLER0), 8, 0xff).status, refused);
	CHECK_EQUAL(b.own_read(0, GICR_ISENABLER0), 0);
}

void test_decode_errors()
{
	bench b(with_cpus(2));
	const auto error = tlm::TLM_ADDRESS_ERROR_RESPONSE;

	for (uint64_t address : { 0ull, GICD_BASE - 4, GICD_BASE + GICD_SIZE, GICR_BASE - 4,
				  GICR_BASE + 2 * GICR_STRIDE, ~3ull }) {
		const answer a = b.transport(0, READ, address, 4, 0, ns(7));

		CHECK_EQUAL(a.status, error);
		CHECK(a.delay == ns(7));
		CHECK(!b.bus.must_catch_up({ 0 }, address));
	}
	// Across the end of a target.
	CHECK_EQUAL(b.transport(0, READ, GICD_BASE + GICD_SIZE - 2, 4).status, error);
	CHECK_EQUAL(b.transport(0, READ, GICD_BASE + GICD_SIZE - 4, 4).status, tlm::TLM_OK_RESPONSE);
	CHECK_EQUAL(b.transport(1, READ, GICR_BASE + 2 * GICR_STRIDE - 4, 4).status, tlm::TLM_OK_RESPONSE);

	// Byte enables, no CPU, a CPU that does not exist.
	uint32_t data = 0, enables = 0xffffffff;
	sc_time delay;
	tlm::tlm_generic_payload payload;
	payload.set_read();
	payload.set_address(GICD_BASE);
	payload.set_data_ptr(reinterpret_cast<unsigned char *>(&data));
	payload.set_data_length(4);
	payload.set_streaming_width(4);
	b.cpus[0]->socket->b_transport(payload, delay);
	CHECK_EQUAL(payload.get_response_status(), tlm::TLM_GENERIC_ERROR_RESPONSE);
	convoy::cpu_extension stranger(cpu_id{ 2 });
	payload.set_extension(&stranger);
	b.cpus[0]->socket->b_transport(payload, delay);
	CHECK_EQUAL(payload.get_response_status(), tlm::TLM_GENERIC_ERROR_RESPONSE);
	stranger.cpu = { 0 };
	payload.set_byte_enable_ptr(reinterpret_cast<unsigned char *>(&enables));
	payload.set_byte_enable_length(4);
	b.cpus[0]->socket->b_transport(payload, delay);
	CHECK_EQUAL(payload.get_response_status(), tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
	payload.clear_extension(&stranger);
}

// Peeks and pokes: no time, no user, no RWP.
void test_debug_transport()
{
	gicv3_config config = with_cpus(2);
	config.redistributor_service = ns(5);
	config.disable_time = ns(100);
	bench b(config);
	uint32_t data = 1u << 27;
	tlm::tlm_generic_payload payload;

	payload.set_data_ptr(reinterpret_cast<unsigned char *>(&data));
	payload.set_data_length(4);
	payload.set_streaming_width(4);
	payload.set_write();
	payload.set_address(gicr_address({ 1 }, GICR_ISENABLER0));
	CHECK_EQUAL(b.cpus[0]->socket->transport_dbg(payload), 4);
	payload.set_address(gicr_address({ 1 }, GICR_ICENABLER0));
	CHECK_EQUAL(b.cpus[0]->socket->transport_dbg(payload), 4);
	payload.set_read();
	payload.set_address(gicr_address({ 1 }, GICR_CTLR));
	data = 0xffffffff;
	CHECK_EQUAL(b.cpus[0]->socket->transport_dbg(payload), 4);
	CHECK_EQUAL(data, 0);
	payload.set_address(gicr_address({ 1 }, GICR_ISENABLER0));
	data = 0xffffffff;
	CHECK_EQUAL(b.cpus[0]->socket->transport_dbg(payload), 4);
	CHECK_EQUAL(data, 0);
	payload.set_address(0);
	CHECK_EQUAL(b.cpus[0]->socket->transport_dbg(payload), 0);
	CHECK_EQUAL(b.gic.redistributor({ 1 }).accesses(), 0);
	CHECK(b.gic.redistributor({ 1 }).busy_until() == sc_core::SC_ZERO_TIME);
	CHECK(!b.bus.must_catch_up({ 1 }, gicr_address({ 1 }, 0)));
}

// SPDX-License-Identifier: Apache-2.0
// When: acknowledgements, queues, order, the sole-user rule, RWP, the times of interrupt lines.
#include "bench.hpp"

#include <stdexcept>
#include <string>

#include <tlm_utils/passthrough_target_socket.h>

static constexpr auto READ = tlm::TLM_READ_COMMAND;
static constexpr auto WRITE = tlm::TLM_WRITE_COMMAND;
static constexpr uint32_t vtimer = 27;

// A target without a queue of its own: writes down when and where accesses arrive.
struct plain_target : sc_core::sc_module {
	explicit plain_target(sc_core::sc_module_name name) : sc_module(name)
	{
		socket.register_b_transport(this, &plain_target::b_transport);
	}

	void b_transport(tlm::tlm_generic_payload &payload, sc_time &delay)
	{
		arrivals.push_back(sc_core::sc_time_stamp() + delay);
		addresses.push_back(payload.get_address());
		payload.set_response_status(tlm::TLM_OK_RESPONSE);
	}

	tlm_utils::passthrough_target_socket<plain_target> socket{ "socket" };
	std::vector<sc_time> arrivals;
	std::vector<uint64_t> addresses;
};

#define CHECK_TIME(actual, expected) CHECK_EQUAL((actual).value(), (expected).value())

static gicv3_config timed(uint32_t cpus)
{
	gicv3_config config = with_cpus(cpus);

	config.distributor_service = ns(8);
	config.redistributor_service = ns(5);
	config.disable_time = ns(200);
	config.line_latency = ns(3);
	return config;
}

// CPU n is 10 + n ns from crosspoint 0, and 20 ns more from crosspoint 1.
static sc_time path(cpu_id cpu, uint32_t crosspoint)
{
	return ns(10 + cpu.n + 20 * crosspoint);
}

static answer set_active(bench &b, uint32_t cpu, sc_time issue)
{
	return b.transport(cpu, WRITE, gicr_address({ cpu }, GICR_ISACTIVER0), 4, 1u << vtimer, issue);
}

// There, service, back; the same for a posted write and a read; ahead of simulated time as well.
void test_acknowledgement_time()
{
	gicv3_config config = timed(3);
	config.redistributor_crosspoint = { 0, 0, 1 };
	bench b(config, path);

	CHECK_TIME(set_active(b, 0, ns(0)).delay, ns(10 + 5 + 10));
	CHECK_TIME(set_active(b, 1, ns(0)).delay, ns(11 + 5 + 11));
	CHECK_TIME(set_active(b, 2, ns(0)).delay, ns(32 + 5 + 32));
	CHECK_TIME(b.transport(0, READ, gicd_address(GICD_CTLR), 4).delay, ns(10 + 8 + 10));
	b.advance(ns(1000));
	CHECK_TIME(set_active(b, 0, ns(700)).delay, ns(700 + 25));
	CHECK_TIME(b.transport(0, READ, gicr_address({ 0 }, GICR_ISACTIVER0), 4, 0, ns(800)).delay, ns(800 + 25));
	CHECK_TIME(b.gic.redistributor({ 0 }).queued(), ns(0));
	CHECK_TIME(b.now(), ns(1000));
}

// One distributor for all: accesses wait for each other. One redistributor each: they do not.
void test_queueing()
{
	bench b(timed(4));

	for (uint32_t cpu = 0; cpu < 4; cpu++)
		CHECK_TIME(b.transport(cpu, WRITE, gicd_address(GICD_CTLR), 4, 2).delay, ns(8 * (cpu + 1)));
	CHECK_TIME(b.gic.distributor().queued(), ns(8 + 16 + 24));
	CHECK_EQUAL(b.gic.distributor().accesses(), 4);
	for (uint32_t cpu = 0; cpu < 4; cpu++)
		CHECK_TIME(set_active(b, cpu, ns(0)).delay, ns(5));
	// In the middle of the second access of CPU 0: 5 ns to go at 0, the arrival at 7 waits 3.
	CHECK_TIME(set_active(b, 0, ns(0)).delay, ns(10));
	b.advance(ns(7));
	CHECK_TIME(set_active(b, 0, ns(0)).delay, ns(3 + 5));
	CHECK_TIME(b.gic.redistributor({ 0 }).queued(), ns(5 + 3));
	// A refused access keeps the frame busy as well.
	b.advance(ns(100));
	CHECK_EQUAL(b.transport(0, READ, gicr_address({ 0 }, GICR_CTLR), 2).status, tlm::TLM_BURST_ERROR_RESPONSE);
	CHECK_TIME(set_active(b, 0, ns(0)).delay, ns(10));
}

// Reads follow earlier posted writes of the same CPU to the same target.
void test_program_order()
{
	bench b(timed(1), path);
	const uint64_t active = gicr_address({ 0 }, GICR_ISACTIVER0);

	CHECK_TIME(b.transport(0, WRITE, active, 4, 1u << vtimer, ns(50)).delay, ns(50 + 25));
	const answer a = b.transport(0, READ, active, 4, 0, ns(51));
	CHECK_EQUAL(a.value, 1u << vtimer);
	CHECK_TIME(a.delay, ns(50 + 10 + 5 + 5 + 10));
	// Issued earlier than the one before it by a CPU that is confused about time: still served after it.
	CHECK_TIME(b.transport(0, READ, active, 4, 0, ns(20)).delay, ns(50 + 10 + 15 + 10));
}

// The interconnect alone keeps the order, whatever the target does; and targets see addresses from their base.
void test_order_without_queue()
{
	convoy::interconnect bus("bus", 2, path);
	plain_target device("device"), other("other");
	requester cpu0("cpu0", cpu_id{ 0 }), cpu1("cpu1", cpu_id{ 1 });
	uint32_t data = 0;
	const auto send = [&data](requester &from, uint64_t address, sc_time issue) {
		tlm::tlm_generic_payload payload;

		payload.set_write();
		payload.set_address(address);
		payload.set_data_ptr(reinterpret_cast<unsigned char *>(&data));
		payload.set_data_length(4);
		payload.set_streaming_width(4);
		payload.set_extension(&from.extension);
		from.socket->b_transport(payload, issue);
		payload.clear_extension(&from.extension);
		CHECK_EQUAL(payload.get_response_status(), tlm::TLM_OK_RESPONSE);
		return issue;
	};

	bus.attach(device.socket, 0x8000, 0x1000, 0);
	bus.attach(other.socket, 0x4000, 0x1000, 1);  // below the first: order of attaching does not matter
	cpu0.socket.bind(bus.cpu_socket);
	cpu1.socket.bind(bus.cpu_socket);
	sc_core::sc_start(sc_core::SC_ZERO_TIME);

	CHECK_TIME(send(cpu0, 0x8010, ns(500)), ns(500 + 10 + 10));
	CHECK_TIME(send(cpu1, 0x8ffc, ns(0)), ns(500 + 10 + 11));  // not before the former sole user's last access
	CHECK_TIME(send(cpu0, 0x8020, ns(2)), ns(500 + 10 + 10));
	CHECK_TIME(send(cpu1, 0x4004, ns(0)), ns(31 + 31));
	CHECK_EQUAL(device.arrivals.size(), 3);
	for (const sc_time &arrival : device.arrivals)
		CHECK_TIME(arrival, ns(510));
	CHECK_EQUAL(device.addresses[0], 0x10);
	CHECK_EQUAL(device.addresses[1], 0xffc);
	CHECK_EQUAL(other.addresses.at(0), 0x4);
}

// One CPU alone may run ahead; the second one's first access is served after all of the first one's.
void test_sole_user()
{
	bench b(timed(3), path);
	const uint64_t frame0 = gicr_address({ 0 }, 0), frame1 = gicr_address({ 1 }, 0);

	CHECK(!b.bus.must_catch_up({ 0 }, frame0));
	CHECK(!b.bus.must_catch_up({ 1 }, frame0));
	CHECK_TIME(set_active(b, 0, ns(5000)).delay, ns(5000 + 25));
	CHECK(!b.bus.must_catch_up({ 0 }, frame0 + GICR_ISACTIVER0));
	CHECK(!b.bus.must_catch_up({ 0 }, frame0 + GICR_CTLR));
	CHECK(b.bus.must_catch_up({ 1 }, frame0));
	CHECK(!b.bus.must_catch_up({ 1 }, frame1));
	CHECK(!b.bus.must_catch_up({ 0 }, gicd_address(0)));
	CHECK_EQUAL(b.bus.early_accesses(), 0);

	// CPU 1, at 100 ns, arrives at the same instant as CPU 0 did and waits for its service.
	b.advance(ns(100));
	CHECK_TIME(b.transport(1, READ, frame0 + GICR_ISACTIVER0, 4).delay, ns(5000 - 100 + 10 + 5 + 5 + 11));
	for (uint32_t cpu = 0; cpu < 3; cpu++)
		CHECK(b.bus.must_catch_up({ cpu }, frame0));
	// Shared for good, even if one CPU alone goes on using it. Who is ahead nevertheless is counted.
	CHECK_TIME(b.transport(1, READ, frame0 + GICR_ISACTIVER0, 4, 0, ns(6000)).delay, ns(6000 + 27));
	CHECK_EQUAL(b.bus.early_accesses(), 1);
	CHECK(b.bus.must_catch_up({ 1 }, frame0));
	CHECK_TIME(b.now(), ns(100));
}

// RWP: a disabled interrupt may come until it clears; ISENABLER shows 0 at once; polls see it clear in time.
void test_rwp()
{
	bench b(timed(1));
	const uint64_t ctlr = gicr_address({ 0 }, GICR_CTLR);

	b.boot(0);
	b.advance(ns(1000));
	b.own_write(0, GICR_ICENABLER0, 1u << vtimer);  // is not enabled: nothing to wait for
	CHECK_EQUAL(b.read(ctlr), 0);
	b.own_write(0, GICR_ISENABLER0, 1u << vtimer);
	CHECK_EQUAL(b.read(ctlr), 0);
	b.own_write(0, GICR_ISACTIVER0, 1u << 30);
	b.own_write(0, GICR_ICACTIVER0, 1u << 30);
	CHECK_EQUAL(b.read(ctlr), 0);
	b.ppi(0, vtimer, true);
	CHECK(b.line(0));

	b.advance(ns(1000));
	const sc_time disabled = b.now() + ns(5);  // end of service
	b.own_write(0, GICR_ICENABLER0, 1u << vtimer);
	CHECK_EQUAL(b.own_read(0, GICR_ISENABLER0), 0);
	CHECK_EQUAL(b.read(ctlr), 1u << 3);
	CHECK(b.line(0));
	// A read that ends 1 ns before the time, made ahead of it, sees the bit; one that ends at the time does not.
	const sc_time before = disabled + ns(200) - ns(1) - ns(5) - b.now();
	CHECK_EQUAL(b.transport(0, READ, ctlr, 4, 0, before).value, 1u << 3);
	CHECK(b.line(0));
	b.advance(ns(300));
	CHECK(!b.line(0));
	CHECK_TIME(b.changes.back().when, disabled + ns(200) + ns(3));
	CHECK_EQUAL(b.read(ctlr), 0);

	// Enabled again before the time: never withdrawn, and RWP clears all the same.
	b.own_write(0, GICR_ISENABLER0, 1u << vtimer);
	CHECK(b.line(0));
	b.own_write(0, GICR_ICENABLER0, 1u << vtimer);
	b.own_write(0, GICR_ISENABLER0, 1u << vtimer);
	b.advance(ns(1000));
	CHECK(b.line(0));
	CHECK_EQUAL(b.read(ctlr), 0);
	// Acknowledged before the time: it was presented, so it counts.
	b.own_write(0, GICR_ICENABLER0, 1u << vtimer);
	CHECK_EQUAL(b.icc_read(0, ICC_IAR1_EL1), vtimer);
	CHECK(!b.line(0));
	b.icc_write(0, ICC_EOIR1_EL1, vtimer);
	b.advance(ns(1000));
	CHECK(!b.line(0));
	// A CPU ahead of simulated time acknowledges after the time: the disable is in effect for it.
	b.own_write(0, GICR_ISENABLER0, 1u << vtimer);
	b.own_write(0, GICR_ICENABLER0, 1u << vtimer);
	CHECK(b.line(0));
	CHECK_EQUAL(b.gic.icc_read({ 0 }, ICC_IAR1_EL1, b.now() + ns(500)), 1023);
	CHECK(!b.line(0));
}

void test_rwp_distributor()
{
	bench b(timed(1));
	const uint64_t ctlr = gicd_address(GICD_CTLR);

	b.boot(0);
	b.write(gicd_address(GICD_IGROUPR + 4), 0xffffffff);
	b.write(gicd_address(GICD_ISENABLER + 4), 1u << 8);
	b.advance(ns(1000));
	b.spi(40, true);
	CHECK(b.line(0));
	b.write(gicd_address(GICD_ICENABLER + 4), 1u << 8);
	CHECK_EQUAL(b.read(ctlr), 1u << 31 | 0x52);
	CHECK(b.line(0));
	CHECK_EQUAL(b.own_read(0, GICR_CTLR), 0);  // the redistributor has its own
	b.advance(ns(300));
	CHECK(!b.line(0));
	CHECK_EQUAL(b.read(ctlr), 0x52);
	b.write(ctlr, 0);  // clearing a group enable
	CHECK_EQUAL(b.read(ctlr), 1u << 31 | 0x50);
	b.advance(ns(300));
	CHECK_EQUAL(b.read(ctlr), 0x50);
}

// The line's time: the change of an input, or the end of service of the access that did it, and the way to the CPU.
void test_line_times()
{
	bench b(timed(2), path);

	b.boot(0);
	b.own_write(0, GICR_ISENABLER0, 1u << vtimer);
	b.advance(ns(1000));
	b.ppi(0, vtimer, true);
	CHECK_TIME(b.changes.back().when, ns(1000 + 3));
	set_active(b, 0, ns(50));
	CHECK(!b.line(0));
	CHECK_TIME(b.changes.back().when, ns(1000 + 50 + 10 + 5 + 3));
	b.gic.set_ppi_level({ 0 }, { vtimer }, false, ns(1500));
	b.transport(0, WRITE, gicr_address({ 0 }, GICR_ICACTIVER0), 4, 1u << vtimer, ns(600));
	CHECK(!b.line(0));
	// An input that changes behind an access made ahead of time takes effect right after it.
	b.gic.set_ppi_level({ 0 }, { vtimer }, true, ns(1100));
	CHECK(b.line(0));
	CHECK_TIME(b.changes.back().when, ns(1000 + 600 + 10 + 5 + 3));
	// Times of one line never go back, whichever frame or register changes it.
	b.write(gicd_address(GICD_CTLR), 0, 1);
	CHECK(!b.line(0));
	CHECK_TIME(b.changes.back().when, ns(1000 + 600 + 10 + 5 + 3));
	for (size_t i = 1; i < b.changes.size(); i++)
		CHECK(b.changes[i].when >= b.changes[i - 1].when);
}

// The CPU interface is part of the CPU: an interrupt that it has acknowledged is off its own line at once.
void test_acknowledge_is_seen_at_once()
{
	bench b(timed(2), path);

	b.boot(0);
	b.own_write(0, GICR_ISENABLER0, 1u << vtimer);
	b.advance(ns(1000));
	b.ppi(0, vtimer, true);
	CHECK_TIME(b.changes.back().when, ns(1000 + 3));
	b.advance(ns(100));
	CHECK_EQUAL(b.icc_read(0, ICC_IAR1_EL1), vtimer);
	CHECK(!b.line(0));
	CHECK_TIME(b.changes.back().when, ns(1100));
	// What comes because of an access of the CPU comes through the redistributor.
	b.icc_write(0, ICC_EOIR1_EL1, vtimer);
	CHECK(b.line(0));
	CHECK_TIME(b.changes.back().when, ns(1100 + 3));
	// Before the line has told it: not earlier than that.
	CHECK_EQUAL(b.icc_read(0, ICC_IAR1_EL1), vtimer);
	CHECK_TIME(b.changes.back().when, ns(1100 + 3));
}

template <typename action>
static bool refused(action &&build)
{
	try {
		build();
	} catch (const std::invalid_argument &) {
		return true;
	}
	return false;
}

struct two_targets : sc_core::sc_module {
	explicit two_targets(sc_core::sc_module_name name) : sc_module(name) {}

	tlm_utils::passthrough_target_socket<two_targets> a{ "a" }, other{ "other" };
};

void test_bad_configuration()
{
	unsigned int n = 0;
	const auto gic_refused = [&n](const gicv3_config &config) {
		const std::string suffix = std::to_string(n++);
		convoy::interconnect bus(("bus" + suffix).c_str(), config.cpus, bench::no_latency);

		return refused([&] { convoy::gicv3 gic(("gic" + suffix).c_str(), config, bus); });
	};
	gicv3_config config;

	CHECK(!gic_refused(config));
	config.priority_bits = 4;
	CHECK(gic_refused(config));
	config.priority_bits = 8;
	CHECK(gic_refused(config));
	config = {};
	for (uint32_t spis : { 31u, 961u, 992u, 1024u }) {
		config.spis = spis;
		CHECK(gic_refused(config));
	}
	config.spis = 988;
	CHECK(!gic_refused(config));
	config = with_cpus(2);
	config.affinity = { 7, 7 };
	CHECK(gic_refused(config));
	config.affinity = { 7 };
	CHECK(gic_refused(config));
	config.affinity = { 7, 8 };
	CHECK(!gic_refused(config));
	config.redistributor_crosspoint = { 0 };
	CHECK(gic_refused(config));

	// Windows: overlap at either end, inside, the same; empty; past the end of the address space.
	convoy::interconnect bus("bus", 1, bench::no_latency);
	two_targets targets("targets");
	auto &other = targets.other;
	bus.attach(targets.a, 0x1000, 0x1000, 0);
	CHECK(refused([&] { bus.attach(other, 0x1fff, 0x10, 0); }));
	CHECK(refused([&] { bus.attach(other, 0x0ff1, 0x10, 0); }));
	CHECK(refused([&] { bus.attach(other, 0x1800, 0x10, 0); }));
	CHECK(refused([&] { bus.attach(other, 0x0, 0x10000, 0); }));
	CHECK(refused([&] { bus.attach(other, 0x3000, 0, 0); }));
	CHECK(refused([&] { bus.attach(other, ~uint64_t(0xff), 0x101, 0); }));
	CHECK(!refused([&] { bus.attach(other, 0x2000, 0x10, 0); }));
}

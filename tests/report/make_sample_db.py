#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Writes a results database with made-up numbers, for the tests of the report: make_sample_db.py FILE.db

The layout is study/schema.sql itself, the parameters are those of study/param_table.def, the measured rows those of
configs/measurements/altra-exits.csv. The rates come from a few lines of queueing arithmetic, so the curves have the right
shape (knee, cliff, plateau, ticket collapse) and nobody should take them for results. At TWO_STATE vCPUs the
variant "before, in-kernel" falls into two groups. The same call writes the same rows.
"""
import csv
import random
import re
import sqlite3
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
AXIS = (1, 2, 4, 6, 8, 9, 10, 11, 12, 13, 16, 20, 24, 31)
TWO_STATE = {9: 2, 10: 3}            # vCPUs -> replications of five that queue
SWITCHES = (10, 4)                   # vCPUs and replication that changes state while measured
REPLICATIONS = 5
MEASURED_PS = 2_000_000_000
WARMUP_PS = 1_000_000_000

# name, meaning, kernel, irqchip, irq_state, spinlock, loop without the lock (ns), visits of the busiest lock
VARIANTS = (
    ("before, in-kernel", "descriptor lock taken for each timer on every load; KVM's own GICv3", "before",
     "in-kernel", "descriptor-lock", "qspinlock", 3090, 1),
    ("after, in-kernel", "per-CPU call without the descriptor lock; KVM's own GICv3", "after",
     "in-kernel", "per-cpu", "qspinlock", 3090, 0),
    ("before, userspace", "descriptor lock taken once more after the guest exit; VMM's interrupt controller", "before",
     "userspace", "descriptor-lock", "qspinlock", 2910, 2),
    ("after, userspace", "per-CPU call without the descriptor lock; VMM's interrupt controller", "after",
     "userspace", "per-cpu", "qspinlock", 2910, 0),
    ("ticket, in-kernel", "as 'before, in-kernel', with ticket spinlocks", "before",
     "in-kernel", "descriptor-lock", "ticket", 3090, 1),
    ("ticket, userspace", "as 'before, userspace', with ticket spinlocks", "before",
     "userspace", "descriptor-lock", "ticket", 2910, 2),
)
FILLED = {"host.cpus": "32", "host.clock": "1.7GHz", "kernel.irq_state": "descriptor-lock",
          "workload.kind": "exit-to-userspace"}
CLASSES = {"host.cpus": ("spec", "product brief of the 32-core part"),
           "host.clock": ("estimated", "the only 32-core part sold runs at 1.7 GHz; the mail gives no clock"),
           "host.line.base": ("measured", "core-to-core latency table of a 64-core server with the same cores"),
           "host.device.write_completion": ("fitted", "calibrate: made-up value for tests"),
           "workload.vmm_work": ("fitted", "calibrate: made-up value for tests"),
           "host.gic.priority_bits": ("spec", "technical reference manual of the interrupt controller"),
           "host.cpu.isb": ("paper", "user-space ISB loop, published table")}


def period_ns(n, loop, visits, spinlock, queued):
    """Time of one exit of one vCPU when n of them run."""
    if not visits or n == 1:
        return loop + 24 * (visits + 1 if visits else 0)
    free = loop + visits * 210
    if not queued:
        return free
    service = 535 + 1.0 * n if spinlock == "qspinlock" else 200 + 60 * n
    return max(free, n * visits * service)


def is_queued(n, visits, spinlock, replication):
    if visits == 1 and spinlock == "qspinlock" and n in TWO_STATE:
        return replication >= REPLICATIONS - TWO_STATE[n]
    return n >= (4 if visits == 2 else 11 if spinlock == "qspinlock" else 9)


class Writer:
    def __init__(self, path):
        Path(path).unlink(missing_ok=True)
        self.db = sqlite3.connect(path)
        self.db.execute("PRAGMA application_id = 0x43565931")
        self.db.execute("PRAGMA user_version = 1")
        self.db.executescript((ROOT / "study/schema.sql").read_text(encoding="utf-8"))
        self.names = {}

    def name(self, text):
        if text not in self.names:
            self.names[text] = len(self.names) + 1
            self.db.execute("INSERT INTO name VALUES (?, ?)", (self.names[text], text))
        return self.names[text]

    def insert(self, table, *values):
        self.db.execute(f"INSERT INTO {table} VALUES ({', '.join('?' * len(values))})", values)


def parameters():
    text = (ROOT / "study/param_table.def").read_text(encoding="utf-8")
    for name, fallback in re.findall(r'^PARAM\(\w+, "([^"]+)", \w+, "([^"]*)"', text, re.MULTILINE):
        yield name, FILLED.get(name, fallback)


def write_parameters(writer, points):
    varying = ("workload.vcpus", "workload.irqchip", "kernel.irq_state", "kernel.spinlock")
    for name, value in parameters():
        if name in varying:
            continue
        source_class, source = CLASSES.get(name, ("estimated", "built-in default"))
        place = "default" if source == "built-in default" else "configs/hosts/sample.yaml:12:9"
        writer.insert("parameter", -1, writer.name(name), value, source_class, source, place)
    for point, n, variant in points:
        for name, value in zip(varying, (str(n), variant[3], variant[4], variant[5])):
            writer.insert("parameter", point, writer.name(name), value, "chosen", "the study",
                          "configs/studies/sample.yaml:9:5")


RUN = "vcpu_run;ioctl;kvm_arch_vcpu_ioctl_run"
LOAD = RUN + ";vcpu_load;kvm_arch_vcpu_load;kvm_timer_vcpu_load"
SET = ";set_timer_irq_phys_active;irq_set_irqchip_state"


def write_run(writer, run, point, n, variant, replication):
    _, _, _, irqchip, irq_state, spinlock, loop, visits = variant
    queued = is_queued(n, visits, spinlock, replication)
    jitter = 1 + random.Random(f"{variant[0]}/{n}/{replication}").gauss(0, 0.003)
    period = period_ns(n, loop, visits, spinlock, queued) * jitter
    exits = round(MEASURED_PS / 1000 / period) * n
    writer.insert("run", run, point, replication, 1000 + replication, WARMUP_PS, MEASURED_PS, n,
                  40_000_000 * n, 60_000_000 + 400_000 * n, "0.1.0")
    for metric, value in (("exits", exits), ("device-writes", 2 * exits), ("line-transactions", 9 * exits)):
        writer.insert("metric", run, writer.name(metric), writer.name("1"), value)

    total = n * MEASURED_PS
    waiting = max(0, period - loop - 24)
    in_line = min(waiting, 200 * visits)
    pieces = [(RUN + ";kvm_vcpu_enter", "guest", 20), (LOAD + SET + ";gic_irq_set_irqchip_state", "device", 130),
              ("vcpu_run;idle", "idle", 0),
              (LOAD + SET + ";_raw_spin_lock_irqsave", "line transfer", 0.7 * in_line),
              (LOAD + SET + ";_raw_spin_unlock_irqrestore", "line transfer", 0.3 * in_line),
              (LOAD + SET + ";_raw_spin_lock_irqsave;queued_spin_lock_slowpath", "spin", waiting - in_line),
              (RUN + ";kvm_vgic_flush_hwstate", "line transfer", 3), (RUN + ";vcpu_put;kvm_vgic_put", "run", 310)]
    left = total
    for stack, reason, ns in pieces:
        ps = int(total * ns / period)
        left -= ps
        writer.insert("account", run, writer.name(stack), writer.name(reason), ps)
    writer.insert("account", run, writer.name(RUN), writer.name("run"), left)

    for lock, share in (("irq_desc(vtimer).lock", 0.9), ("irq_desc(ptimer).lock", 0.1)):
        if irq_state == "per-cpu":
            break
        contended = int(exits * visits * (0.999 if queued else 0.03)) if n > 1 else 0
        wait = int(1000 * exits * waiting * share)
        writer.insert("lock", run, writer.name(lock), writer.name("irq_set_irqchip_state"), exits * visits, contended,
                      int(contended * (0.95 if queued else 0.2) * share), wait, 3 * wait // max(contended, 1),
                      exits * 180_000, 410_000)
    writer.insert("lock", run, writer.name("vgic_irq.irq_lock"), writer.name("kvm_vgic_inject_irq"), 2 * exits, 0, 0,
                  0, 0, exits * 21_000, 40_000)
    # Windows of 100 us, the first ten of them warm-up. One run starts without a queue and ends with one.
    for index in range(30):
        early = visits == 1 and n == SWITCHES[0] and replication == SWITCHES[1] and index < 16
        writer.insert("batch", run, index, exits // 20 * (8 if early else 5) // 5)
    for vcpu in range(n):
        writer.insert("cpu_exits", run, vcpu, exits // n)


def write(path, replications=REPLICATIONS, axis=AXIS):
    writer = Writer(path)
    writer.insert("study", 1, "sample", "Where do exits to userspace stop scaling, and what holds them up? Nothing here is a result: the numbers "
                  "were made up to see whether the page shows them well.",
                  "tests/report/make_sample_db.py", "# made-up numbers for tests\n", "workload.vcpus", "vcpus",
                  "altra-exits", "tests/report/make_sample_db.py sample.db   # made-up numbers for tests", "0.1.0")
    points, ids = [], {}
    for number, variant in enumerate(VARIANTS):
        writer.insert("variant", number, *variant[:3])
        if variant[5] == "qspinlock":
            for column, value in (("host", "ampere-altra-32"), ("kernel", variant[2]), ("irqchip", variant[3])):
                writer.insert("variant_match", number, column, value)
        for index, n in enumerate(axis):
            point = len(points)
            writer.insert("point", point, number, index, str(n))
            points.append((point, n, variant))
            if variant[5] == "qspinlock":
                ids[variant[3], variant[4], str(n)] = point
    write_parameters(writer, points)
    run = 0
    for point, n, variant in points:
        for replication in range(replications):
            run += 1
            write_run(writer, run, point, n, variant, replication)
    with open(ROOT / "configs/measurements/altra-exits.csv", encoding="utf-8", newline="") as file:
        for number, row in enumerate(csv.DictReader(file)):
            key = row["irqchip"], row["irq_state"], row["vcpus"]
            writer.insert("measured", "altra-exits", number, ids.get(key),
                          " ".join(f"{name}={row[name]}" for name in ("host", "kernel", "irqchip", "irq_state", "vcpus")), row["metric"], row["unit"],
                          float(row["value"]), row["role"])
    writer.db.commit()
    writer.db.close()


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: make_sample_db.py FILE.db")
    write(sys.argv[1])

# SPDX-License-Identifier: Apache-2.0
"""Reads a results database (study/schema.sql) into plain objects. Read-only; nothing is computed here.

Times are integer picoseconds, counts are integers. A point without finished runs is kept, with an empty list of runs.
Not handled: databases of an older or newer layout (refused), joining several databases (one file is one study).
"""
import re
import sqlite3
from dataclasses import dataclass, field
from pathlib import Path

APPLICATION_ID = 0x43565931  # "CVY1"
USER_VERSION = 1
BY_METRIC, AVERAGE, MINIMUM = 0, 1, 2     # how a measured row is answered: `quantity` of the table `answer`


class ReportError(Exception):
    """Something the caller has to mend; the text is one line and says what to do."""


@dataclass
class LockRow:
    lock: str
    caller: str
    acquisitions: int
    contended: int
    queued: int
    wait_total: int
    wait_max: int
    hold_total: int
    hold_max: int


@dataclass
class Run:
    id: int
    replication: int
    seed: int
    warmup_ps: int
    measured_ps: int
    cpus: int
    host_ns: int
    host_peak_bytes: int
    metrics: dict = field(default_factory=dict)   # name -> value
    account: dict = field(default_factory=dict)   # (stack, reason) -> ps
    locks: list = field(default_factory=list)     # LockRow
    batches: list = field(default_factory=list)   # exits in each window, warm-up included
    batch_ps: int = 0                             # length of a window; 0 when unknown


@dataclass
class Point:
    id: int
    variant: int
    axis_index: int
    axis_text: str
    x: float = 0.0
    parameters: dict = field(default_factory=dict)  # name -> Parameter, those common to all points included
    runs: list = field(default_factory=list)

    @property
    def vcpus(self):
        """vCPUs of this point whose rounds count: rates per vCPU are formed with it. One that only answers is not among them."""
        if self.runs and self.runs[0].cpus:
            return self.runs[0].cpus
        parameter = self.parameters.get("workload.vcpus")
        return int(parameter.value) if parameter else int(self.x)


@dataclass
class Parameter:
    name: str
    value: str
    source_class: str
    source: str
    place: str


@dataclass
class Variant:
    id: int
    name: str
    meaning: str
    kernel: str
    match: dict = field(default_factory=dict)     # column of the measurement file -> value
    points: list = field(default_factory=list)    # in the order of the axis


@dataclass
class Measured:
    row: int
    point: object            # Point or None
    columns: dict            # what is known of the row: axis, irqchip, ...
    text: str
    metric: str
    unit: str
    value: float
    role: str
    quantity: int = BY_METRIC
    minus: object = None     # Point whose value is taken off, or None
    clock_hz: int = 0        # turns time into cycles

    @property
    def what_if(self):
        """The study has changed the host or the mode at this point: the value was measured on another machine."""
        return any("what-if: " in parameter.source for point in (self.point, self.minus) if point
                   for parameter in point.parameters.values())


@dataclass
class Study:
    name: str
    question: str
    path: str
    axis: str
    axis_name: str
    measurement: str
    command: str
    version: str
    variants: list
    parameters: list         # (point id or -1, Parameter), in the order of the names
    measured: list
    axis_numeric: bool

    @property
    def event(self):
        """What one 'exit' of the metric is, in the plural: workloads other than exit-to-userspace count rounds under that name."""
        kinds = {point.parameters["workload.kind"].value for point in self.points() if "workload.kind" in point.parameters}
        return "exits" if kinds <= {"exit-to-userspace"} else "rounds"

    def points(self):
        return [point for variant in self.variants for point in variant.points]

    def axis_label(self, point):
        """'16 vCPUs', or 'hop 2ns' for an axis that is no count of vCPUs."""
        if self.axis_name != "vcpus":
            return f"{self.axis_name} {point.axis_text}"
        return f"{point.axis_text} vCPU" + ("" if point.axis_text == "1" else "s")


def _open(path):
    if not Path(path).is_file():
        raise ReportError(f"{path}: no such file; give the results database that 'convoy run' wrote")
    try:
        database = sqlite3.connect(Path(path).resolve().as_uri() + "?mode=ro", uri=True)
        application = database.execute("PRAGMA application_id").fetchone()[0]
        version = database.execute("PRAGMA user_version").fetchone()[0]
    except sqlite3.DatabaseError as error:
        raise ReportError(f"{path}: not a convoy results database ({error}); "
                          "give the file that 'convoy run' wrote") from None
    if application != APPLICATION_ID:
        raise ReportError(f"{path}: an SQLite file, but not a convoy results database "
                          f"(application_id {application:#x}, not {APPLICATION_ID:#x})")
    if version != USER_VERSION:
        age = "a newer" if version > USER_VERSION else "an older"
        raise ReportError(f"{path}: written by {age} convoy (layout {version}, this report reads {USER_VERSION}); "
                          "use the report of that convoy, or run the study again")
    return database


# Time and frequency units, as study files write them, to a common base (seconds, hertz).
_UNITS = {"": 1.0, "ps": 1e-12, "ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1.0,
          "Hz": 1.0, "kHz": 1e3, "MHz": 1e6, "GHz": 1e9, "cycles": 1.0}


def _picoseconds(text):
    """'100us' as an integer; 0 if it is no time."""
    match = re.fullmatch(r"([0-9]+(?:\.[0-9]+)?)(ps|ns|us|ms|s)", text)
    return round(float(match[1]) * _UNITS[match[2]] * 1e12) if match else 0


def _place_on_axis(points):
    """Sets every point's x; False if the axis is no number (a choice or a switch): then x is the axis index."""
    parsed = []
    for point in points:
        match = re.fullmatch(r"([0-9]+(?:\.[0-9]+)?)\s*([A-Za-z]*)", point.axis_text)
        parsed.append((float(match[1]), match[2]) if match and match[2] in _UNITS else None)
    numeric = all(parsed)
    if numeric:
        # One unit: keep its numbers. Several: everything in the unit of the first.
        base = _UNITS[parsed[0][1]] if parsed else 1.0
        for point, (number, unit) in zip(points, parsed):
            point.x = number * _UNITS[unit] / base
    else:
        for point in points:
            point.x = float(point.axis_index)
    return numeric


def _read_runs(database, points, names):
    runs = {}
    for row in database.execute("SELECT id, point, replication, seed, warmup_ps, measured_ps, cpus, host_ns, "
                                "host_peak_bytes FROM run ORDER BY point, replication"):
        if row[1] not in points:
            raise ReportError(f"run {row[0]} belongs to point {row[1]}, which does not exist; run the study again")
        if row[5] <= 0:
            raise ReportError(f"run {row[0]} measured no time (measured_ps {row[5]}); run the study again")
        run = Run(row[0], *row[2:])
        runs[run.id] = run
        points[row[1]].runs.append(run)
    for run, name, value in database.execute("SELECT run, name, value FROM metric"):
        runs[run].metrics[names[name]] = value
    for run, stack, reason, ps in database.execute("SELECT run, stack, reason, sum(ps) FROM account "
                                                   "GROUP BY run, stack, reason"):
        runs[run].account[names[stack], names[reason]] = ps
    for row in database.execute("SELECT run, lock, caller, acquisitions, contended, queued, wait_total_ps, "
                                "wait_max_ps, hold_total_ps, hold_max_ps FROM lock ORDER BY rowid"):
        runs[row[0]].locks.append(LockRow(names[row[1]], names[row[2]], *row[3:]))
    for run, exits in database.execute("SELECT run, exits FROM batch ORDER BY run, idx"):
        runs[run].batches.append(exits)
    for point in points.values():
        window = point.parameters.get("run.batch")
        for run in point.runs:
            run.batch_ps = _picoseconds(window.value) if window else 0
    for run in runs.values():
        if "exits" not in run.metrics:
            raise ReportError(f"run {run.id} has no metric 'exits'; this report shows exits per second")


def _read_parameters(database, points, names):
    listed = []
    for point, name, *rest in database.execute(
            "SELECT p.point, p.parameter, p.value, p.source_class, p.source, p.place FROM parameter p "
            "JOIN name n ON n.id = p.parameter ORDER BY n.text, p.point"):
        parameter = Parameter(names[name], *rest)
        listed.append((point, parameter))
        for target in points.values() if point == -1 else [points[point]]:
            target.parameters[parameter.name] = parameter
    return listed


def _read_measured(database, points, variants, axis_name):
    rows = []
    # Files of before the table `answer`: every row's metric says itself what it is.
    known = database.execute("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'answer'").fetchone()
    answers = "minus, quantity, clock_hz FROM measured LEFT JOIN answer USING (measurement, row)"
    for row, point_id, text, metric, unit, value, role, minus, quantity, clock in database.execute(
            "SELECT row, point, point_text, metric, unit, value, role, "
            + (answers if known else "NULL, 0, 0 FROM measured") + " ORDER BY row"):
        point = points.get(point_id)
        columns = dict(part.split("=", 1) for part in text.replace(",", " ").split() if "=" in part)
        if point:
            columns.update(variants[point.variant].match)
            columns[axis_name] = point.axis_text
        rows.append(Measured(row, point, columns, text, metric, unit, value, role, quantity or BY_METRIC,
                             points[minus] if minus is not None and minus >= 0 else None, clock or 0))
    return rows


def read_study(path):
    """The whole study. Raises ReportError if the file is no results database, or holds no finished run."""
    database = _open(path)
    try:
        head = database.execute("SELECT name, question, path, axis, axis_name, measurement, command, version "
                                "FROM study").fetchone()
        if head is None:
            raise ReportError(f"{path}: holds no study; run it again with 'convoy run'")
        names = dict(database.execute("SELECT id, text FROM name"))
        variants = {row[0]: Variant(*row) for row in
                    database.execute("SELECT id, name, meaning, kernel FROM variant ORDER BY id")}
        for variant, column, value in database.execute("SELECT variant, column_name, value FROM variant_match "
                                                       "ORDER BY variant, column_name"):
            variants[variant].match[column] = value
        points = {}
        for row in database.execute("SELECT id, variant, axis_index, axis_value FROM point "
                                    "ORDER BY variant, axis_index"):
            points[row[0]] = Point(*row)
            variants[row[1]].points.append(points[row[0]])
        numeric = _place_on_axis(list(points.values()))
        parameters = _read_parameters(database, points, names)
        _read_runs(database, points, names)
        if not any(point.runs for point in points.values()):
            raise ReportError(f"{path}: the study has no finished run; 'convoy run' it first")
        measured = _read_measured(database, points, variants, head[4])
    except (sqlite3.DatabaseError, KeyError, TypeError, ValueError) as error:
        raise ReportError(f"{path}: damaged results database ({type(error).__name__}: {error}); "
                          "run the study again") from error
    finally:
        database.close()
    kept = [variant for variant in variants.values() if variant.points]
    return Study(*head, kept, parameters, measured, numeric)

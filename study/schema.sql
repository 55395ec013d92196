-- SPDX-License-Identifier: Apache-2.0
-- A results database: one file a study, one writer. PRAGMA user_version = 1, application_id = 0x43565931 ("CVY1").
-- Times are picoseconds in INTEGER; counts INTEGER; names are interned in `name`. A run is inserted with all its rows in
-- one transaction, so a run that is present is whole. Indexes are made when the study ends.

CREATE TABLE study (
	id INTEGER PRIMARY KEY CHECK (id = 1),
	name TEXT NOT NULL, question TEXT NOT NULL, path TEXT NOT NULL,
	text TEXT NOT NULL,            -- the study file, whole
	axis TEXT NOT NULL,            -- the varied parameter's name, e.g. workload.vcpus
	axis_name TEXT NOT NULL,       -- its short name, e.g. vcpus
	measurement TEXT NOT NULL,     -- name of the measurement file, '' if none
	command TEXT NOT NULL,         -- the command that makes this file again
	version TEXT NOT NULL          -- convoy's version
) STRICT;

CREATE TABLE name (id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE) STRICT;

CREATE TABLE variant (
	id INTEGER PRIMARY KEY,        -- in the order of the study file, from 0
	name TEXT NOT NULL UNIQUE, meaning TEXT NOT NULL, kernel TEXT NOT NULL
) STRICT;

CREATE TABLE variant_match (variant INTEGER NOT NULL, column_name TEXT NOT NULL, value TEXT NOT NULL,
	PRIMARY KEY (variant, column_name)) STRICT;

CREATE TABLE point (
	id INTEGER PRIMARY KEY,
	variant INTEGER NOT NULL REFERENCES variant(id),
	axis_index INTEGER NOT NULL, axis_value TEXT NOT NULL,   -- as written: "16"
	UNIQUE (variant, axis_index)
) STRICT;

-- Effective parameters. Those equal for all points are stored once, with point = -1.
CREATE TABLE parameter (
	point INTEGER NOT NULL, parameter INTEGER NOT NULL REFERENCES name(id),
	value TEXT NOT NULL, source_class TEXT NOT NULL, source TEXT NOT NULL, place TEXT NOT NULL,
	PRIMARY KEY (point, parameter)
) STRICT;

CREATE TABLE run (
	id INTEGER PRIMARY KEY,
	point INTEGER NOT NULL REFERENCES point(id),
	replication INTEGER NOT NULL,
	seed INTEGER NOT NULL,
	warmup_ps INTEGER NOT NULL, measured_ps INTEGER NOT NULL,
	cpus INTEGER NOT NULL,         -- CPUs whose time is accounted (those that run a vCPU)
	host_ns INTEGER NOT NULL, host_peak_bytes INTEGER NOT NULL,
	version TEXT NOT NULL,
	UNIQUE (point, replication)
) STRICT;

CREATE TABLE metric (run INTEGER NOT NULL, name INTEGER NOT NULL, unit INTEGER NOT NULL, value INTEGER NOT NULL) STRICT;
CREATE TABLE account (run INTEGER NOT NULL, stack INTEGER NOT NULL, reason INTEGER NOT NULL, ps INTEGER NOT NULL) STRICT;
CREATE TABLE lock (
	run INTEGER NOT NULL, lock INTEGER NOT NULL, caller INTEGER NOT NULL,
	acquisitions INTEGER NOT NULL, contended INTEGER NOT NULL, queued INTEGER NOT NULL,
	wait_total_ps INTEGER NOT NULL, wait_max_ps INTEGER NOT NULL,
	hold_total_ps INTEGER NOT NULL, hold_max_ps INTEGER NOT NULL
) STRICT;
CREATE TABLE batch (run INTEGER NOT NULL, idx INTEGER NOT NULL, exits INTEGER NOT NULL) STRICT;   -- warm-up included
CREATE TABLE cpu_exits (run INTEGER NOT NULL, vcpu INTEGER NOT NULL, exits INTEGER NOT NULL) STRICT;
-- The measured values that were compared with, as they stood when the study ran; role is fit or held.
CREATE TABLE measured (
	measurement TEXT NOT NULL, row INTEGER NOT NULL, point INTEGER,  -- NULL: no point of this study answers it
	point_text TEXT NOT NULL, metric TEXT NOT NULL, unit TEXT NOT NULL, value REAL NOT NULL, role TEXT NOT NULL
) STRICT;
-- How a row of `measured` is answered where its metric does not say it: 1 = average, 2 = shortest time of an operation; `minus` is
-- another point whose value is taken off; the clock turns time into cycles. Files of before this table have none.
CREATE TABLE answer (
	measurement TEXT NOT NULL, row INTEGER NOT NULL, minus INTEGER, quantity INTEGER NOT NULL, clock_hz INTEGER NOT NULL
) STRICT;

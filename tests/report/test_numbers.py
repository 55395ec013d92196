# SPDX-License-Identifier: Apache-2.0
"""Are the page's numbers right? Statistics, the two-state rule, comparison and baseline, without drawing anything.

Expected values: Student's t from printed tables; the baseline by hand from the published fit rows; rates by SQL.
"""
import math
import sqlite3
import sys
import tempfile
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parents[1] / "reports")]

import comparison  # noqa: E402
import headline  # noqa: E402
import make_sample_db  # noqa: E402
import point_stats  # noqa: E402
import results_db  # noqa: E402
import section_scale  # noqa: E402
import text  # noqa: E402


class Statistics(unittest.TestCase):
    def test_student_quantiles(self):
        for freedom, value in ((1, 12.706), (4, 2.776), (30, 2.042), (40, 2.021), (60, 2.000), (120, 1.980)):
            self.assertAlmostEqual(point_stats.t95(freedom), value, delta=0.001)

    def test_two_groups_are_split_and_one_is_not(self):
        self.assertEqual(point_stats.split_groups([300, 200, 301, 201, 302]), [[0, 2, 4], [1, 3]])
        self.assertEqual(len(point_stats.split_groups([300, 302, 298, 301, 299])), 1)
        # 10 % apart, but the spread within is as wide: one group.
        self.assertEqual(len(point_stats.split_groups([300, 310, 320, 330, 340])), 1)
        # A clear gap of less than 5 % of the median: one group.
        self.assertEqual(len(point_stats.split_groups([300.0, 300.1, 310.0, 310.1])), 1)
        self.assertEqual(len(point_stats.split_groups([300.0, 300.1, 320.0, 320.1])), 2)
        # Two replications can never be two states.
        self.assertEqual(len(point_stats.split_groups([300, 100])), 1)

    def test_interval_by_hand(self):
        point = results_db.Point(0, 0, 0, "2", 2.0)
        point.runs = [results_db.Run(i, i, i, 0, 10**12, 2, 0, 0, {"exits": 2 * rate})
                      for i, rate in enumerate((9, 10, 11))]
        [state] = point_stats.point_states(point)
        self.assertEqual(state.mean, 10)
        self.assertAlmostEqual(state.half, 4.303 / math.sqrt(3), places=9)  # standard deviation 1, three values

    def test_change_of_state_counts_the_last_one(self):
        run = results_db.Run(0, 0, 0, 200, 1000, 1, 0, 0, {"exits": 0})
        run.batch_ps, run.batches = 100, [1, 1, 8, 8, 8, 8, 5, 5, 5, 5, 5, 5]
        self.assertEqual(point_stats.ended_at(run), 5)
        run.batches = [1, 1, 8, 9, 7, 8, 8, 7, 9, 8, 7, 9]
        self.assertIsNone(point_stats.ended_at(run))
        # The warm-up does not count, however different it was.
        run.batches = [1, 1] + [8] * 10
        self.assertIsNone(point_stats.ended_at(run))

    def test_text(self):
        values = [text.short(v).replace(text.GAP, " ") for v in (999, 1000, 2228632, 999999)]
        self.assertEqual(values, ["999", "1.00 k", "2.23 M", "1.00 M"])
        self.assertEqual(text.time(1_234_000).replace(text.GAP, " "), "1.23 µs")
        self.assertEqual(text.signed_percent(-0.0526).replace(text.GAP, " "), "−5.3 %")
        self.assertEqual(text.listing(["a", "b", "c"]), "a, b and c")


class Sample(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.path = Path(cls.folder.name) / "sample.db"
        make_sample_db.write(cls.path)
        cls.study = results_db.read_study(cls.path)
        cls.rows, cls.baseline = comparison.compare(cls.study)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def row(self, irqchip, state, vcpus, metric="exits"):
        return next(row for row in self.rows if row.measured.metric == metric and comparison._key(row.measured)
                    == (irqchip, state, str(vcpus)))

    def test_rates_agree_with_sql(self):
        database = sqlite3.connect(self.path)
        query = ("SELECT avg(m.value * 1e12 / r.measured_ps / CAST(p.axis_value AS INTEGER)) FROM metric m "
                 "JOIN name n ON n.id = m.name AND n.text = 'exits' JOIN run r ON r.id = m.run "
                 "JOIN point p ON p.id = r.point WHERE p.id = ?")
        checked = 0
        for point in self.study.points():
            states = point_stats.point_states(point)
            if len(states) == 1 and all(point_stats.ended_at(run) is None for run in point.runs):
                self.assertAlmostEqual(states[0].mean, database.execute(query, (point.id,)).fetchone()[0], places=4)
                checked += 1
        database.close()
        self.assertGreater(checked, 60)

    def test_two_states_are_where_they_were_put(self):
        found = {(item.variant.name, point.axis_text): [state.count for state in states]
                 for item in headline.scalings(self.study) for point, states in item.two_state}
        self.assertEqual(found, {("before, in-kernel", "9"): [3, 2], ("before, in-kernel", "10"): [2, 3]})

    def test_baseline_by_hand(self):
        # Z = 1e9/324584 = 3080.9 ns, S = 1e9/(16 * 119943) = 521.1 ns.
        self.assertAlmostEqual(self.row("in-kernel", "descriptor-lock", 8).baseline, 119943 * 2, places=3)
        self.assertAlmostEqual(self.row("in-kernel", "descriptor-lock", 31).baseline, 119943 * 16 / 31, places=3)
        self.assertAlmostEqual(self.row("userspace", "descriptor-lock", 16).baseline, 119943 / 2, places=3)
        self.assertAlmostEqual(self.row("userspace", "per-cpu", 8).baseline, 345088, places=3)
        # 2897.8 ns and three operations of (3128.0 - 3080.9) / 2 ns each.
        self.assertAlmostEqual(self.row("userspace", "descriptor-lock", 1).baseline, 336871, delta=5)
        self.assertTrue(self.row("in-kernel", "descriptor-lock", 16).baseline_used)
        self.assertFalse(self.row("in-kernel", "descriptor-lock", 8).baseline_used)

    def test_unexplained_rows_and_roles(self):
        self.assertEqual(len(self.rows), 17)
        self.assertEqual([(row.measured.columns["irqchip"], row.measured.columns["vcpus"]) for row in self.rows
                          if row.unexplained], [("userspace", "16"), ("userspace", "31")])
        mean, largest, number = comparison.mean_absolute_error(self.rows, "held")
        self.assertEqual(number, 9)  # 12 held rows, less one count of queue entries and two unexplained
        self.assertLess(mean, largest)
        self.assertEqual(comparison.mean_absolute_error(self.rows, "held", with_unexplained=True)[2], 11)

    def test_queue_entries_are_counts_per_second(self):
        row = self.row("in-kernel", "descriptor-lock", 8, "lock-queue-entries")
        database = sqlite3.connect(self.path)
        queued, seconds = database.execute(
            "SELECT (SELECT sum(queued) FROM lock JOIN run ON run.id = lock.run WHERE run.point = ?1), "
            "(SELECT sum(measured_ps) / 1e12 FROM run WHERE point = ?1)", (row.measured.point.id,)).fetchone()
        database.close()
        self.assertAlmostEqual(row.predictions[0][0], queued / seconds, places=3)

    def test_reference_and_spinlock_partner(self):
        by_name = {item.variant.name: item for item in headline.scalings(self.study)}
        self.assertEqual(by_name["before, userspace"].reference.name, "after, userspace")
        self.assertEqual(by_name["before, in-kernel"].reference.name, "after, in-kernel")
        self.assertIsNone(by_name["after, in-kernel"].reference)
        ticket = by_name["ticket, in-kernel"].variant
        self.assertEqual(headline.nearest_variant(self.study, ticket, "kernel.spinlock", "qspinlock").name,
                         "before, in-kernel")

    def test_every_picosecond_is_accounted(self):
        for point in self.study.points():
            for run in point.runs:
                self.assertEqual(point_stats.accounted_share(run), 1)


class Answers(unittest.TestCase):
    """Rows answered by a variant's metrics: and by differences: (the table `answer`), as study/run/compare.c answers them."""
    CLOCK = 1_700_000_000

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = Path(folder.name) / "sample.db"
        make_sample_db.write(self.path, axis=(1, 2))

    def compared(self, *statements):
        """The first row, at one vCPU of "before, in-kernel", after these statements."""
        database = sqlite3.connect(self.path)
        for statement in statements:
            database.execute(statement)
        database.commit()
        database.close()
        self.study = results_db.read_study(self.path)
        return comparison.compare(self.study)[0][0]

    def rate(self, variant, point=0):
        [state] = point_stats.point_states(self.study.variants[variant].points[point])
        return state.mean

    def test_average_in_cycles(self):
        row = self.compared("UPDATE measured SET metric = 'hypercall average', unit = 'cycles', value = 5000, point = 0 WHERE row = 0",
                            f"INSERT INTO answer VALUES ('altra-exits', 0, NULL, 1, {self.CLOCK})")
        self.assertEqual(row.why_not, "")
        self.assertAlmostEqual(row.predictions[0][0], self.CLOCK / self.rate(0), places=6)

    def test_shortest_time(self):
        row = self.compared("UPDATE measured SET metric = 'do_hvc', unit = 'ns', value = 3000, point = 0 WHERE row = 0",
                            "INSERT INTO answer VALUES ('altra-exits', 0, -1, 2, 0)",
                            "INSERT OR IGNORE INTO name (text) VALUES ('shortest-round'), ('ps')",
                            "INSERT INTO metric SELECT run.id, (SELECT id FROM name WHERE text = 'shortest-round'), "
                            "(SELECT id FROM name WHERE text = 'ps'), 2000000 + 500 * replication FROM run")
        self.assertEqual(row.predictions, [(2000.0, 5)])

    def test_difference_of_two_variants(self):
        row = self.compared("UPDATE measured SET metric = 'trap', unit = 'cycles', value = 40, point = 0 WHERE row = 0",
                            f"INSERT INTO answer VALUES ('altra-exits', 0, 2, 1, {self.CLOCK})")
        self.assertEqual(row.measured.minus.variant, 1)
        self.assertAlmostEqual(row.predictions[0][0], self.CLOCK / self.rate(0) - self.CLOCK / self.rate(1), places=6)

    def test_beside_a_what_if_there_is_no_error(self):
        row = self.compared("UPDATE parameter SET source = '--set; what-if: host h has v3' WHERE point = -1 AND parameter = "
                            "(SELECT id FROM name WHERE text = 'host.gic.version')")
        self.assertEqual((len(row.predictions), row.measured.what_if, row.error), (1, True, None))
        self.assertEqual(section_scale.measured_rates(self.study, self.study.variants[0]), [])

    def test_cycles_without_a_clock_have_no_prediction(self):
        row = self.compared("UPDATE measured SET metric = 'do_hvc', unit = 'cycles', point = 0 WHERE row = 0",
                            "INSERT INTO answer VALUES ('altra-exits', 0, NULL, 1, 0)")
        self.assertEqual((row.predictions, row.why_not), ([], "the model does not give do_hvc in cycles"))

    def test_files_of_before_the_table_can_be_read(self):
        self.assertEqual(len(self.compared("DROP TABLE answer").predictions), 1)


class InWords(unittest.TestCase):
    """The answer in words holds for any axis and any number of points."""

    def words(self, rates, axis="host.gic.vpt_scan", labels=("300ns", "1us", "3us"), names=("a", "b")):
        points, variants = 0, []
        for number, row in enumerate(rates):
            variant = results_db.Variant(number, names[number], "", "k")
            for index, rate in enumerate(row):
                point = results_db.Point(points, number, index, labels[index], float(index))
                point.runs = [results_db.Run(points, 0, 0, 0, 10**12, 1, 0, 0, {"exits": rate})]
                variant.points.append(point)
                points += 1
            variants.append(variant)
        study = results_db.Study("s", "", "", axis, axis.rsplit(".", maxsplit=1)[-1], "", "", "", variants, [], [],
                                 labels[0][0].isdigit())
        return headline.summary(study, headline.scalings(study)).replace(text.GAP, " ")

    def test_another_axis_says_how_the_rate_changes(self):
        words = self.words(((1000, 950, 900), (1000, 1200, 1001)))
        self.assertEqual(words, "From vpt_scan 300ns to 3us the rate of one vCPU falls by 10.0 % (a) and is the same at both "
                                "ends (b, highest at 1us).")

    def test_what_is_said_of_several_variants_is_said_once(self):
        words = self.words(((1000, 1000), (500, 250), (7, 7)), names=("a, slow", "b", "c"))
        self.assertEqual(words, "From vpt_scan 300ns to 1us the rate of one vCPU is the same at both ends (a, slow; c) and falls by "
                                "50.0 % (b).")

    def test_choices_have_no_order(self):
        words = self.words(((1000, 1200),), axis="kernel.spinlock", labels=("ticket", "qspinlock"), names=("a",))
        self.assertEqual(words, "Along spinlock, one vCPU makes most and fewest exits/s: 1,200 at qspinlock and 1,000 at ticket (a).")

    def test_one_point_says_the_values(self):
        words = self.words(((1000,), (1200,)), axis="workload.vcpus", labels=("8",))
        self.assertEqual(words, "At 8 vCPUs one vCPU makes 1,000 exits/s (a) and 1,200 exits/s (b).")
        words = self.words(tuple((1000 + n,) for n in (3, 0, 5, 1, 2)), labels=("300ns",), names="abcde")
        self.assertEqual(words, "At vpt_scan 300ns one vCPU makes between 1,000 (b) and 1,005 exits/s (c); 5 variants are compared.")

    def test_vcpus_speak_of_the_sum(self):
        words = self.words(((1000, 1000, 200), (10, 10, 10)), axis="workload.vcpus", labels=("1", "2", "3"))
        self.assertTrue(words.startswith("The sum over all vCPUs stops growing at "), words)


if __name__ == "__main__":
    unittest.main()

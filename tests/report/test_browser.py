# SPDX-License-Identifier: Apache-2.0
"""Does the page work in a browser, opened from its file? Headless Chromium (chromium, chromium-driver, python3-selenium).

A missing browser is a failure: the packages are named in packages.txt. The browser gets a profile of its own and no
network is needed; the page must not ask for any.
"""
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
HERE = Path(__file__).resolve().parent
REPORT = HERE.parents[1] / "reports" / "convoy_report.py"
sys.path.insert(0, str(HERE))

from selenium import webdriver  # noqa: E402
from selenium.webdriver.chrome.service import Service  # noqa: E402
from selenium.webdriver.common.keys import Keys  # noqa: E402

import make_sample_db  # noqa: E402

# Number of pixels of the chart's canvases near one CSS variable's colour. The chart's own frame is not counted.
PIXELS = """
const probe = document.createElement('canvas').getContext('2d', {willReadFrequently: true});
probe.fillStyle = getComputedStyle(document.documentElement).getPropertyValue(arguments[0]).trim();
probe.fillRect(0, 0, 1, 1);
const want = probe.getImageData(0, 0, 1, 1).data;
let count = 0;
for (const canvas of document.querySelectorAll('#chart canvas')) {
	const copy = Object.assign(document.createElement('canvas'), {width: canvas.width, height: canvas.height})
		.getContext('2d', {willReadFrequently: true});
	copy.drawImage(canvas, 0, 0);
	const data = copy.getImageData(0, 0, canvas.width, canvas.height).data;
	for (let i = 0; i < data.length; i += 4)
		count += data[i + 3] > 200 && Math.abs(data[i] - want[0]) < 6 && Math.abs(data[i + 1] - want[1]) < 6
			&& Math.abs(data[i + 2] - want[2]) < 6;
}
return count;
"""


class Browser(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        database, cls.page = Path(folder.name) / "sample.db", Path(folder.name) / "page.html"
        make_sample_db.write(database)
        subprocess.run([sys.executable, str(REPORT), str(database), "-o", str(cls.page)], check=True, timeout=120)
        options = webdriver.ChromeOptions()
        options.binary_location = "/usr/bin/chromium"
        for flag in ("headless", "no-sandbox", "disable-gpu", "disable-quic", "no-first-run", "disable-dev-shm-usage",
                     "disable-background-networking", "disable-component-update", "disable-sync",
                     f"user-data-dir={folder.name}/profile"):
            options.add_argument("--" + flag)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        cls.browser = webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=options)
        cls.addClassCleanup(cls.browser.quit)

    def load(self, width=1440, scheme="light"):
        self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {
            "features": [{"name": "prefers-color-scheme", "value": scheme}]})
        self.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
            "width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 500})
        for kind in ("browser", "performance"):
            self.browser.get_log(kind)  # forgets what earlier tests left
        self.browser.get(self.page.as_uri())

    def tearDown(self):
        errors = [entry["message"] for entry in self.browser.get_log("browser")]
        self.assertEqual(errors, [], "nothing on the console")

    def run_script(self, script, *arguments):
        return self.browser.execute_script(script, *arguments)

    def pixels(self, series):
        return self.run_script(PIXELS, f"--s{series}")

    # Chromium may paint after the click or the load has returned, the later the busier the machine: looks again for up to 10 s.
    def expect_drawn(self, series, more_than, message=None):
        self.expect_pixels(series, lambda count: count > more_than, message or f"more than {more_than} of variant {series}")

    def expect_gone(self, series, message):
        self.expect_pixels(series, lambda count: count == 0, message)

    def expect_pixels(self, series, fine, message):
        until = time.monotonic() + 10
        while not fine(count := self.pixels(series)):
            if time.monotonic() > until:
                self.fail(f"{message}: {count} pixels")
            time.sleep(0.05)

    def find(self, selector):
        return self.browser.find_element("css selector", selector)

    def click(self, selector):
        element = self.find(selector)
        self.run_script("arguments[0].scrollIntoView({block: 'center', behavior: 'instant'}); arguments[0].click()",
                        element)

    def test_every_variant_is_drawn_and_can_be_switched_off(self):
        self.load()
        for series in range(6):
            self.expect_drawn(series, 150, f"variant {series} is drawn")
        self.assertEqual(self.pixels(6), 0, "a colour that no variant has is not there")
        for series in (0, 3):
            self.click(f"#show-{series}")
            self.expect_gone(series, f"variant {series} is gone")
            self.expect_drawn(1, 150)
            self.click(f"#show-{series}")
            self.expect_drawn(series, 150, f"variant {series} is back")

    def test_a_two_state_point_is_two_markers_and_no_mean(self):
        self.load()
        values = self.run_script("""
            const g = window.convoyGraph, labels = g.getLabels(), out = {};
            for (let r = 0; r < g.numRows(); r++)
                if (g.getValue(r, 0) === 9)
                    labels.forEach((label, c) => { if (label.startsWith('before, in-kernel')) out[label] = g.getValue(r, c); });
            return out;""")
        middle = {label: value[1] for label, value in values.items() if not label.endswith("measured")}
        self.assertIsNone(middle["before, in-kernel"])
        self.assertGreater(middle["before, in-kernel · upper state"], 1.2 * middle["before, in-kernel · lower state"])

    def test_aggregate_is_rate_times_vcpus(self):
        self.load()
        script = ("const g = window.convoyGraph, c = g.getLabels().indexOf('after, in-kernel');"
                  "return [g.getValue(g.numRows() - 1, c)[1], g.yAxisRange()[1]];")
        value, top = self.run_script(script)
        self.click("input[name=mode][value=aggregate]")
        total, higher = self.run_script(script)
        self.assertAlmostEqual(total, 31 * value, delta=1)
        self.assertGreater(higher, 10 * top)
        self.assertIn("all vCPUs together", self.find("#unit").text)

    def test_values_by_mouse_and_keyboard(self):
        self.load()
        self.assertIn("At 31 vCPUs", self.find("#at").text)
        chart = self.find("#chart")
        chart.send_keys(Keys.HOME)
        self.assertEqual(self.find("#at").text, "At 1 vCPU")
        chart.send_keys(Keys.ARROW_RIGHT)
        self.assertEqual(self.find("#at").text, "At 2 vCPUs")
        self.assertIn("before, in-kernel", self.find("#spoken").get_attribute("textContent"))
        webdriver.ActionChains(self.browser).move_to_element_with_offset(chart, 0, 0).perform()
        self.assertNotEqual(self.find("#at").text, "At 2 vCPUs")

    def test_point_tables_follow_the_choice(self):
        self.load()
        text = "return document.getElementById(arguments[0]).tBodies[0].textContent"
        self.assertIn("irq_desc(vtimer).lock", self.run_script(text, "locks"))
        self.assertIn("queued_spin_lock_slowpath", self.run_script(text, "stacks"))
        choose = ("const s = document.getElementById(arguments[0]); s.value = arguments[1];"
                  "s.dispatchEvent(new Event('change'))")
        self.run_script(choose, "pick-variant", "1")
        self.assertNotIn("irq_desc", self.run_script(text, "locks"))
        self.run_script(choose, "pick-variant", "0")
        self.run_script(choose, "pick-point", "5")
        self.assertIn("upper state", self.run_script(text, "locks"))
        self.assertIn("lower state", self.run_script(text, "locks"))

    def test_parameter_filter(self):
        self.load()
        self.find("#find").send_keys("host.line")
        rows = self.run_script("return [...document.querySelectorAll('#parameters tbody tr')].filter(r => !r.hidden)"
                               ".map(r => r.cells[0].textContent)")
        self.assertTrue(rows and all(name.startswith("host.line") for name in rows), rows)
        self.click(".class-filter[value=estimated]")
        self.assertEqual(self.find("#found").text, "1 row")

    def test_dark_page(self):
        paper = "return getComputedStyle(document.body).backgroundColor"
        self.load()
        light = self.run_script(paper)
        self.click("#theme")
        dark = self.run_script(paper)
        self.assertNotEqual(light, dark)
        self.expect_drawn(0, 150, "the curve takes the dark page's colours")
        self.load(scheme="dark")
        self.assertEqual(self.run_script(paper), dark)
        self.click("#theme")
        self.assertEqual(self.run_script(paper), light)

    def test_phone(self):
        self.load(width=390)
        self.assertLessEqual(self.run_script("return document.scrollingElement.scrollWidth"), 390)
        for selector in ("h1", "#answer", "#chart", ".variants", ".variant-card", "#time0-figure_1", ".spinlock svg", "#locks",
                         "#stacks", "#compared", "#parameters", "#command"):
            box = self.run_script("const r = document.querySelector(arguments[0]).getBoundingClientRect();"
                                  "return [r.left, r.width, r.height]", selector)
            self.assertGreater(box[1] * box[2], 400, f"{selector} takes place")
            self.assertTrue(0 <= box[0] < 390, f"{selector} starts on the screen")
        self.expect_drawn(0, 60)
        small = self.run_script("return [...document.querySelectorAll('button, select, .panel label, summary')].filter(e => "
                                "e.offsetParent && e.getBoundingClientRect().height < 22).map(e => e.outerHTML)")
        self.assertEqual(small, [], "everything to press is tall enough for a finger")
        hidden = self.run_script("return [...document.querySelectorAll('main *')].filter(e => e.getBoundingClientRect().right > 391"
                                 " && !e.closest('.scroll, pre, svg, .sr')).map(e => e.outerHTML.slice(0, 80))")
        self.assertEqual(hidden, [], "nothing is cut off outside a table's own scroll area")

    def test_nothing_is_asked_of_the_network(self):
        self.load()
        asked = [entry["message"] for entry in self.browser.get_log("performance")
                 if '"Network.requestWillBeSent"' in entry["message"]]
        self.assertTrue(asked, "the page itself is seen")
        for message in asked:
            self.assertNotIn('"url":"http', message)
            self.assertIn("page.html", message)

    def test_every_control_has_a_name(self):
        self.load()
        nameless = self.run_script("""
            return [...document.querySelectorAll('button, input, select, [tabindex], nav, svg[role=img]')].filter(e => {
                const label = e.getAttribute('aria-label') || (e.labels && [...e.labels].map(l => l.textContent).join('').trim())
                    || (e.getAttribute('aria-labelledby') && document.getElementById(e.getAttribute('aria-labelledby')).textContent)
                    || e.textContent.trim();
                return !label && e.getClientRects().length;
            }).map(e => e.outerHTML.slice(0, 100))""")
        self.assertEqual(nameless, [])


if __name__ == "__main__":
    unittest.main()

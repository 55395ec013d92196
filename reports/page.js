// SPDX-License-Identifier: Apache-2.0
// The page's behaviour: the curve with its panel, the point-by-point tables, the parameter filter, the theme.
// All data stand in #data; nothing is loaded. Rates in the data are per vCPU.
(function () {
	"use strict";
	const data = JSON.parse(document.getElementById("data").textContent);
	const byId = (id) => document.getElementById(id);
	const style = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
	const grouped = (value) => Math.round(value).toLocaleString("en-US");
	const curve = data.curve;
	const rows = curve.ticks.map((tick) => tick[0]);
	let mode = "vcpu", graph = null, row = rows.length - 1;
	const shown = curve.variants.map(() => true);

	function short(value) {
		for (const [size, suffix] of [[1e9, "G"], [1e6, "M"], [1e3, "k"]])
			if (Math.abs(value) >= size)
				return +(value / size).toPrecision(3) + " " + suffix;
		return String(+value.toPrecision(3));
	}

	// ---- the curve. Series of one variant: its line with the band, the branches of two-state points, the measured points.
	const series = [];
	curve.variants.forEach((variant, v) => {
		variant.at = new Map(variant.points.map(([x, vcpus, states]) => [x, { vcpus, states }]));
		variant.measuredAt = new Map(variant.measured.map(([x, value, role]) => [x, { value, role }]));
		series.push({ v, kind: "line", label: variant.name });
		if (variant.points.some((point) => point[2].length === 2)) {
			series.push({ v, kind: "upper", label: variant.name + " · upper state" });
			series.push({ v, kind: "lower", label: variant.name + " · lower state" });
		}
		if (variant.measured.length)
			series.push({ v, kind: "measured", label: variant.name + " · measured" });
	});

	// A branch runs through the two-state points and to their neighbours, so that the fork can be seen.
	function branchValue(variant, x, which) {
		const point = variant.at.get(x), index = variant.points.findIndex((p) => p[0] === x);
		if (!point)
			return null;
		if (point.states.length === 2)
			return point.states[which][0];
		const beside = [variant.points[index - 1], variant.points[index + 1]].some((p) => p && p[2].length === 2);
		return beside ? point.states[0][0] : null;
	}

	function valueOf(item, x) {
		const variant = curve.variants[item.v], point = variant.at.get(x);
		const scale = point && mode === "aggregate" ? point.vcpus : 1;
		if (item.kind === "measured") {
			const found = variant.measuredAt.get(x);
			return found ? [found.value * scale, found.value * scale, found.value * scale] : null;
		}
		if (item.kind !== "line") {
			const value = branchValue(variant, x, item.kind === "upper" ? 0 : 1);
			return value === null ? null : [value * scale, value * scale, value * scale];
		}
		if (!point || point.states.length !== 1)
			return null;
		const [mean, half] = point.states[0];
		return [(mean - (half || 0)) * scale, mean * scale, (mean + (half || 0)) * scale];
	}

	const table = () => rows.map((x) => [x].concat(series.map((item) => valueOf(item, x) || [null, null, null])));
	const colours = () => series.map((item) => style("--s" + curve.variants[item.v].colour));

	function marker(item) {
		return function (g, name, ctx, x, y, colour, size, index) {
			ctx.save();
			ctx.setLineDash([]);
			ctx.strokeStyle = ctx.fillStyle = colour;
			ctx.lineWidth = 2;
			ctx.beginPath();
			if (item.kind === "measured") {
				ctx.moveTo(x, y - 7); ctx.lineTo(x + 7, y); ctx.lineTo(x, y + 7); ctx.lineTo(x - 7, y); ctx.closePath();
				ctx.stroke();
			} else if (item.kind === "line") {
				ctx.arc(x, y, 3, 0, 2 * Math.PI);
				ctx.fill();
			} else if (curve.variants[item.v].at.get(rows[index]).states.length === 2) {
				ctx.rect(x - 4.5, y - 4.5, 9, 9);
				ctx.fillStyle = style("--card");
				ctx.fill();
				ctx.stroke();
			}
			ctx.restore();
		};
	}

	// Ticks are the simulated points; labels that would touch their neighbour are left out.
	function ticker(from, to, pixels) {
		let last = -Infinity;
		return curve.ticks.map(([x, label]) => {
			const place = (x - from) / (to - from) * pixels, room = Math.max(20, 8 * label.length + 8);
			if (place - last < room)
				return { v: x, label: "" };
			last = place;
			return { v: x, label };
		});
	}

	function options() {
		const perSeries = {};
		series.forEach((item) => {
			perSeries[item.label] = {
				strokeWidth: item.kind === "line" ? 2.5 : item.kind === "measured" ? 0 : 1.2,
				strokePattern: item.kind === "line" ? curve.variants[item.v].dash.length ? curve.variants[item.v].dash : null : [2, 4],
				drawPointCallback: marker(item),
			};
		});
		return {
			labels: [curve.axis].concat(series.map((item) => item.label)), customBars: true, series: perSeries, labelsKMB: false,
			colors: colours(), visibility: series.map((item) => shown[item.v]), fillAlpha: 0.22, drawPoints: true,
			pointSize: 4, highlightCircleSize: 4.5, legend: "never", includeZero: true, xRangePad: 14,
			xlabel: curve.axis, ylabel: ylabel(), xLabelHeight: 22, yLabelWidth: 20, gridLineColor: style("--grid"),
			axisLineColor: style("--grid"), animatedZooms: false, interactionModel: mouseOnly(),
			axes: {
				x: { ticker, drawGrid: false },
				y: { axisLabelWidth: 52, axisLabelFormatter: (value) => value ? short(value) : "0" },
			},
			highlightCallback: (event, x, points, index) => readOut(index),
			unhighlightCallback: () => readOut(rows.length - 1),
		};
	}

	const ylabel = () => curve.event + (mode === "vcpu" ? "/s per vCPU" : "/s, all vCPUs together");

	// Touch is left to the page: a finger scrolls, a tap selects a point.
	function mouseOnly() {
		const model = Object.assign({}, Dygraph.defaultInteractionModel);
		["touchstart", "touchmove", "touchend"].forEach((name) => delete model[name]);
		return model;
	}

	const place = (index) => curve.axis !== "vCPUs" ? curve.axis + " " + curve.ticks[index][1]
		: curve.ticks[index][1] + (curve.ticks[index][1] === "1" ? " vCPU" : " vCPUs");

	function describe(variant, x) {
		const point = variant.at.get(x), measured = variant.measuredAt.get(x);
		if (!point)
			return "no run";
		const scale = mode === "aggregate" ? point.vcpus : 1, total = point.states.reduce((sum, s) => sum + s[2], 0);
		let words = point.states.map(([mean, half, count]) => point.states.length === 2
			? "<b>" + grouped(mean * scale) + "</b> <small>(" + count + " of " + total + ")</small>"
			: "<b>" + grouped(mean * scale) + "</b>"
				+ (half === null ? "" : " <small>± " + grouped(half * scale) + "</small>")).join(" or ");
		if (measured)
			words += "<br><small>measured " + grouped(measured.value * scale) + "</small>";
		return words;
	}

	function readOut(index) {
		row = index;
		byId("at").textContent = "At " + place(index);
		byId("unit").textContent = ylabel();
		document.querySelectorAll("[data-value]").forEach((cell) => {
			cell.innerHTML = describe(curve.variants[+cell.dataset.value], rows[index]);
		});
	}

	function speak(index) {
		const plain = (markup) => markup.replace(/<br>/g, ", ").replace(/<[^>]*>/g, "");
		byId("spoken").textContent = place(index) + ", " + ylabel() + ": " + curve.variants.filter((variant, v) => shown[v])
			.map((variant) => variant.name + " " + plain(describe(variant, rows[index]))).join("; ");
	}

	function draw() {
		graph = window.convoyGraph = new Dygraph(byId("chart"), table(), options());
		readOut(row);
	}

	function redraw() {
		graph.updateOptions({ file: table(), ylabel: ylabel(), colors: colours(), gridLineColor: style("--grid"),
			axisLineColor: style("--grid"), visibility: series.map((item) => shown[item.v]), valueRange: null });
		readOut(row);
	}

	document.querySelectorAll("[data-variant]").forEach((box) => {
		box.checked = true;  // a reloaded page would keep the old ticks beside a fresh curve
		box.addEventListener("change", () => {
			shown[+box.dataset.variant] = box.checked;
			box.closest("li").classList.toggle("off", !box.checked);
			redraw();
		});
	});
	document.querySelectorAll("input[name=mode]").forEach((radio) => {
		radio.checked = radio.value === mode;
		radio.addEventListener("change", () => { mode = radio.value; graph.resetZoom(); redraw(); });
	});
	byId("reset").addEventListener("click", () => graph.resetZoom());
	byId("chart").addEventListener("keydown", (event) => {
		const step = { ArrowLeft: -1, ArrowRight: 1, Home: -rows.length, End: rows.length }[event.key];
		if (!step)
			return;
		event.preventDefault();
		const next = Math.min(rows.length - 1, Math.max(0, row + step));
		graph.setSelection(next);
		readOut(next);
		speak(next);
	});

	// ---- locks and stacks of one point
	const names = data.why.names;

	function cell(line, text, word) {
		const td = line.insertCell();
		td.textContent = text;
		if (word)
			td.className = "word";
		return td;
	}

	function note(body, width, text) {
		cell(body.insertRow(), text, true).colSpan = width;
	}

	function fillLocks(body, part) {
		part.locks.forEach((values) => {
			const line = body.insertRow();
			values.forEach((value, column) => cell(line, column === 5 || column === 6 ? names[value] : value, column >= 4 && column <= 6));
		});
		if (!part.locks.length)
			note(body, 12, "no lock was taken");
		if (part.moreLocks)
			note(body, 12, part.moreLocks + " more that waited less");
	}

	function fillStacks(body, part) {
		part.stacks.forEach((values) => {
			const line = body.insertRow(), frames = names[values[1]].split(";"), inner = frames.pop();
			cell(line, values[0]);
			const td = cell(line, "", true);
			values.slice(2).forEach((value) => cell(line, value));
			td.innerHTML = '<span class="stack-in"></span> <span class="stack-out"></span>';
			td.firstChild.textContent = inner;
			td.lastChild.textContent = frames.length ? "← " + frames.reverse().join(" ← ") : "";
		});
		if (!part.stacks.length)
			note(body, 4, "nobody waited");
		if (part.moreStacks)
			note(body, 4, part.moreStacks + " more that waited less");
	}

	function fillPoint() {
		const parts = (data.why.points[byId("pick-variant").value] || {})[byId("pick-point").value] || [];
		[["locks", fillLocks, 12], ["stacks", fillStacks, 4]].forEach(([id, fill, width]) => {
			const body = byId(id).tBodies[0];
			body.textContent = "";
			parts.forEach((part) => {
				if (parts.length > 1)
					note(body, width, part.label);
				fill(body, part);
			});
			if (!parts.length)
				note(body, width, "this point has no run");
		});
		byId("pick-note").textContent = parts.length === 1 ? "sum of " + parts[0].label : parts.length ? "two states" : "";
	}
	byId("pick-variant").addEventListener("change", fillPoint);
	byId("pick-point").addEventListener("change", fillPoint);

	// ---- parameters
	const boxes = [...document.querySelectorAll(".class-filter")];

	function filter() {
		const words = byId("find").value.trim().toLowerCase(), classes = new Set(boxes.filter((b) => b.checked).map((b) => b.value));
		let count = 0;
		for (const line of byId("parameters").tBodies[0].rows) {
			line.hidden = !classes.has(line.dataset.class) || !line.textContent.toLowerCase().includes(words);
			count += !line.hidden;
		}
		byId("found").textContent = count + (count === 1 ? " row" : " rows");
	}
	boxes.forEach((box) => { box.checked = true; box.addEventListener("change", filter); });
	byId("find").addEventListener("input", filter);

	// ---- theme: the system's, until the button is used
	const dark = window.matchMedia("(prefers-color-scheme: dark)");
	const isDark = () => (document.documentElement.dataset.theme || (dark.matches ? "dark" : "light")) === "dark";
	function themed() {
		byId("theme").setAttribute("aria-pressed", String(isDark()));
		redraw();
	}
	byId("theme").addEventListener("click", () => {
		document.documentElement.dataset.theme = isDark() ? "light" : "dark";
		themed();
	});
	dark.addEventListener("change", themed);

	if (navigator.clipboard) {
		byId("copy").hidden = false;
		byId("copy").addEventListener("click", () => navigator.clipboard.writeText(byId("command").textContent)
			.then(() => { byId("copy").textContent = "Copied"; }, () => { byId("copy").textContent = "Not allowed"; }));
	}

	draw();
	fillPoint();
	filter();
	themed();
}());

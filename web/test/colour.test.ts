// Recomputes the promises of report-design 3 from the CSS itself.

import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { ciede2000, contrast, distance } from "./colour-science";

const css = readFileSync(new URL("../src/colour.css", import.meta.url), "utf8");
const marks = readFileSync(new URL("../src/marks.css", import.meta.url), "utf8");
const themes = ["light", "dark"] as const;
type Theme = (typeof themes)[number];

function colours(theme: Theme): Map<string, string> {
  const found = new Map<string, string>();
  for (const match of css.matchAll(/--([\w-]+): light-dark\((#\w+), (#\w+)\)/g))
    found.set(match[1]!, theme === "light" ? match[2]! : match[3]!);
  return found;
}

const causeOrder = ["data-read", "data-write", "row-conflict", "row-miss", "row-hold", "act-window", "turn-wr", "turn-rw", "bank-group",
  "rank-switch", "command-bus", "refresh", "power-exit", "idle-throttle", "policy", "front", "dispatch", "cas"];
const classOrder = ["parameter", "buffer", "optimizer-state", "gradient", "ema", "input", "weight-cast", "recomputed-activation", "activation",
  "activation-gradient", "external", "temporary"];
// The eight classes of the design keep its distance; the four neighbour shades that came later keep the
// distance that it asks of neighbours in a stack.
const neighbourShades = new Set(["buffer", "ema", "weight-cast", "activation-gradient"]);

test("CIEDE2000 agrees with pairs of Sharma's published table", () => {
  expect(ciede2000([50, 2.6772, -79.7751], [50, 0, -82.7485])).toBeCloseTo(2.0425, 4);
  expect(ciede2000([50, 2.5, 0], [73, 25, -18])).toBeCloseTo(27.1492, 4);
  expect(ciede2000([2.0776, 0.0795, -1.135], [0.9033, -0.0636, -0.5514])).toBeCloseTo(0.9082, 4);
});

test.each(themes)("every cause and class stands out of page and panel, %s", (theme) => {
  const c = colours(theme);
  for (const name of [...causeOrder.map((n) => `c-${n}`), ...classOrder.map((n) => `k-${n}`), "idle-frame", "rule-strong"])
    for (const surface of ["page", "panel"]) {
      if (name === "rule-strong" && surface === "panel") continue;
      expect(contrast(c.get(name)!, c.get(surface)!), `${name} on ${surface}`).toBeGreaterThanOrEqual(3);
    }
});

test.each(themes)("text is legible on page, panel and warning, %s", (theme) => {
  const c = colours(theme);
  for (const ink of ["ink", "ink-2", "ink-3", "link", "error", "better"])
    for (const surface of ["page", "panel"]) expect(contrast(c.get(ink)!, c.get(surface)!), `${ink} on ${surface}`).toBeGreaterThanOrEqual(4.5);
  expect(contrast(c.get("warning")!, c.get("warning-page")!)).toBeGreaterThanOrEqual(4.5);
});

test.each(themes)("text on a fill is the better of black and white, at least 4.5, %s", (theme) => {
  const c = colours(theme);
  const fills = [...causeOrder.map((n) => [`c-${n}`, `on-${n}`]), ["c-idle", "on-idle"], ...Array.from({ length: 7 }, (_, i) => [`s${i}`, `on-s${i}`])];
  for (const [fill, on] of fills) {
    const here = contrast(c.get(fill!)!, c.get(on!)!);
    const other = contrast(c.get(fill!)!, c.get(on!) === "#000" ? "#fff" : "#000");
    expect(here, fill).toBeGreaterThanOrEqual(4.5);
    expect(here, `${fill}: the other ink`).toBeGreaterThanOrEqual(other);
  }
});

test.each(themes)("neighbours in the stack of causes differ in every vision, %s", (theme) => {
  const c = colours(theme);
  causeOrder.slice(1).forEach((name, i) =>
    expect(distance(c.get(`c-${causeOrder[i]}`)!, c.get(`c-${name}`)!), `${causeOrder[i]} and ${name}`).toBeGreaterThanOrEqual(8.6));
});

test.each(themes)("any two classes differ in every vision, %s", (theme) => {
  const c = colours(theme);
  classOrder.forEach((a, i) => classOrder.slice(i + 1).forEach((b) => {
    const least = neighbourShades.has(a) || neighbourShades.has(b) ? 8.6 : 13.1;
    expect(distance(c.get(`k-${a}`)!, c.get(`k-${b}`)!), `${a} and ${b}`).toBeGreaterThanOrEqual(least);
  }));
});

test.each(themes)("the sequential scale gets monotonically further from the page, %s", (theme) => {
  const c = colours(theme);
  const steps = Array.from({ length: 7 }, (_, i) => contrast(c.get(`s${i}`)!, c.get("page")!));
  steps.slice(1).forEach((step, i) => expect(step).toBeGreaterThan(steps[i]!));
});

test("every cause and class has its mark", () => {
  for (const name of [...causeOrder.map((n) => `.c-${n}`), ...classOrder.map((n) => `.k-${n}`), ".c-idle-compute", ".c-idle-end", ".k-none"])
    expect(marks).toMatch(new RegExp(`${name.replace(".", "\\.")}[ ,]`));
});

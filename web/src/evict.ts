// Who evicts whom: moving in the table of pairs, and the panel that explains the chosen one.

import type { RunData } from "./data";
import { byId, cssToken, className, element } from "./dom";
import * as format from "./format";
import { sum } from "./tree";

export function startEvictions(data: RunData): void {
  const table = byId("matrix");
  if (!table) return;
  const cells = [...table.querySelectorAll<HTMLTableCellElement>("td[data-v]")];
  const size = data.evict.operands.length;
  const choose = (cell: HTMLTableCellElement): void => {
    for (const other of cells) {
      other.tabIndex = other === cell ? 0 : -1;
      if (other === cell) other.setAttribute("aria-selected", "true");
      else other.removeAttribute("aria-selected");
    }
    explain(data, Number(cell.dataset["v"]), Number(cell.dataset["c"]));
  };
  for (const cell of cells) cell.addEventListener("click", () => choose(cell));
  table.addEventListener("keydown", (event) => {
    const at = cells.findIndex((cell) => cell === document.activeElement);
    const step: Record<string, number> = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: size, ArrowUp: -size };
    if (at < 0) return;
    const by = step[event.key];
    if (event.key === "Enter" || event.key === " ") choose(cells[at]!);
    else if (by !== undefined) cells[at + by]?.focus();
    else return;
    event.preventDefault();
  });
  const first = cells.find((cell) => cell.getAttribute("aria-selected") === "true");
  if (first) choose(first);
}

function explain(data: RunData, v: number, c: number): void {
  const panel = byId("pair");
  if (!panel) return;
  const { operands, classes, cycles } = data.evict;
  const seconds = (value: number): string => format.seconds((value / data.channels) * data.period_s);
  const victim = operands[v]!;
  const culprit = operands[c]!;
  const cost = cycles[v]![c]!;
  const total = sum(cycles.map(sum));
  const run = sum(data.tree.causes.map(sum));
  const swatch = (token: string): HTMLElement => element("i", { class: `swatch k-${token === "" ? "none" : cssToken(token)}` });
  const named = (token: string): (Node | string)[] => (token === "" ? ["–"] : [swatch(token), className(token)]);
  const fact = (name: string, ...value: (Node | string)[]): HTMLElement =>
    element("div", {}, element("dt", {}, name), element("dd", {}, ...value));
  const sentence = cost === 0
    ? `${culprit} never closes a row that ${victim} needs.`
    : v === c
      ? `${victim} closes rows that it needs again itself.`
      : `${culprit} opens other rows in the banks where ${victim} works; each time, ${victim} waits until its row is open again.`;
  panel.replaceChildren(
    element("h3", {}, v === c ? `${victim} → itself` : `${culprit} → ${victim}`), element("p", {}, sentence),
    element("dl", {},
      fact("Time lost", `${seconds(cost)}, ${format.share(cost, run)} of the run`),
      fact("Of all row conflicts", format.share(cost, total)),
      fact("The other way round", seconds(cycles[c]![v]!)),
      fact("Culprit", ...named(classes[c]!)), fact("Victim", ...named(classes[v]!))));
}

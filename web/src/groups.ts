// The table of op groups: all of them, or those of a selection with the selection's own sums.

import { causeBar } from "./bars";
import type { RunData } from "./data";
import { element } from "./dom";
import * as format from "./format";
import { addTo, sum, type LayerTree, type Totals } from "./tree";

const shownAtFirst = 8;
// Paper shows 20 (report-design 9); more rows are made when the table is opened, and at most this many,
// so that the page stays under 6,000 elements. The CSV has them all.
const writtenAtFirst = 20;
const mostWritten = 200;

export interface GroupRow {
  group: number;
  places: number;
  totals: Totals;
}

export function groupRows(tree: LayerTree, nodes: readonly number[]): GroupRow[] {
  const rows = new Map<number, GroupRow>();
  for (const leaf of tree.leaves(nodes)) {
    const group = tree.group(leaf);
    const row = rows.get(group);
    if (row) {
      row.places += 1;
      addTo(row.totals, tree.totals[leaf]!);
    } else rows.set(group, { group, places: 1, totals: tree.sumOf([leaf]) });
  }
  return [...rows.values()].filter((row) => row.totals.time > 0 || sum(row.totals.causes) > 0)
    .sort((a, b) => b.totals.time - a.totals.time);
}

export function renderGroups(table: HTMLTableElement, tree: LayerTree, data: RunData, nodes: readonly number[], context: string): number {
  const rows = groupRows(tree, nodes);
  const whole = tree.totals[0]!.time;
  const body = table.tBodies[0]!;
  const written = table.classList.contains("open") ? mostWritten : writtenAtFirst;
  body.replaceChildren(...rows.slice(0, written).map((row, i) => {
    const totals = row.totals;
    const moved = sum(totals.bytes);
    const name = element("th", { scope: "row" }, element("code", {}, data.groups.label[row.group] ?? "other ops"));
    if (row.places > 1) name.append(" ", element("small", {}, `×\u00a0${row.places}`));
    const line = element("tr", i < shownAtFirst ? {} : { class: "more" }, name,
      element("td", { class: "where" }, element("code", {}, data.groups.where[row.group] ?? "")));
    for (const text of [
      format.seconds(totals.time * data.period_s), format.share(totals.time, whole), format.share(totals.wait, totals.time),
      format.bytes(moved), format.share(totals.again, moved), data.has_energy ? format.energy(sum(totals.energy)) : format.doesNotApply,
      format.share(totals.hits, totals.columns),
    ]) line.append(element("td", {}, text));
    line.append(element("td", { class: "stack" }, sum(totals.causes) > 0 ? causeBar(data, totals.causes, "small") : ""));
    return line;
  }));
  const places = rows.reduce((total, row) => total + row.places, 0);
  const all = data.groups.label.length;
  const of = rows.length === all ? `${all}` : `${rows.length} of ${all}`;
  table.caption!.replaceChildren(`Ops${context}, equal ops together, longest first. `,
    element("span", {}, `${of} groups, ${format.grouped(places)} ops.` + (rows.length > mostWritten ? ` ${mostWritten} are shown at most; the CSV has all.` : "")));
  return rows.length;
}

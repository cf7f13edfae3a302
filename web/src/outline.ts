// The layer tree on a phone: an indented list with stacks, equal siblings folded as "× n".

import { causeBar } from "./bars";
import type { RunData } from "./data";
import { element } from "./dom";
import * as format from "./format";
import { shortName } from "./icicle";
import { type LayerTree, type Metric, type Totals } from "./tree";

const smallestShare = 0.03;
const deepest = 7;

export interface OutlineRow {
  name: string;
  folded: number;
  node: number; // the first of the folded ones
  depth: number;
  totals: Totals;
}

/** Siblings whose names differ only in their index and whose values are within a tenth are one row. */
export function outlineRows(tree: LayerTree): OutlineRow[] {
  const rows: OutlineRow[] = [];
  const whole = tree.totals[0]!.time;
  const visit = (nodes: number[], depth: number): void => {
    if (depth > deepest) return;
    const groups: { key: string; nodes: number[] }[] = [];
    for (const node of nodes) {
      const time = tree.totals[node]!.time;
      const key = shortName(tree.name(node), tree.isOp(node)).replace(/\.\d+$/, "");
      const fits = groups.find((group) => {
        const other = tree.totals[group.nodes[0]!]!.time;
        return group.key === key && Math.abs(other - time) <= 0.1 * Math.max(other, time);
      });
      if (fits) fits.nodes.push(node);
      else groups.push({ key, nodes: [node] });
    }
    for (const group of groups) {
      const totals = tree.sumOf(group.nodes);
      if (totals.time < smallestShare * whole) continue;
      const first = group.nodes[0]!;
      const plain = shortName(tree.name(first), tree.isOp(first));
      rows.push({
        name: group.nodes.length > 1 ? plain.replace(/\.\d+$/, "") : plain,
        folded: group.nodes.length, node: first, depth, totals,
      });
      const below = group.nodes.flatMap((node) => tree.children[node]!);
      visit(below, depth + 1);
    }
  };
  visit(tree.children[0]!, 0);
  return rows;
}

export function outline(tree: LayerTree, data: RunData, metric: Metric, select: (node: number) => void): HTMLElement {
  const list = element("ul", { class: "outline" });
  const whole = amount(tree.totals[0]!, metric);
  for (const row of outlineRows(tree)) {
    const value = amount(row.totals, metric);
    const line = element("button", { type: "button" },
      element("code", {}, row.folded > 1 ? `${row.name} × ${row.folded}` : row.name),
      element("span", {}, printed(value, metric, data)), element("span", {}, format.share(value, whole)));
    line.style.paddingLeft = `${Math.min(row.depth, 5) * 12}px`;
    const bar = causeBar(data, row.totals.causes, "");
    bar.style.width = `${Math.max(2, (value / whole) * 100)}%`;
    line.append(bar);
    line.addEventListener("click", () => select(row.node));
    list.append(element("li", {}, line));
  }
  return list;
}

export function amount(totals: Totals, metric: Metric): number {
  return metric === "time" ? totals.time : totals[metric].reduce((total, value) => total + value, 0);
}

export function printed(value: number, metric: Metric, data: RunData): string {
  if (metric === "time") return format.seconds(value * data.period_s);
  if (metric === "bytes") return format.bytes(value);
  if (metric === "energy") return format.energy(value);
  return format.count(value);
}


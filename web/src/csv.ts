// "Download CSV": SI base units, full precision, one header line.

import type { RunData } from "./data";
import { element } from "./dom";
import { sum, type LayerTree } from "./tree";

type Value = string | number;

export function csvText(rows: readonly (readonly Value[])[]): string {
  const quoted = (value: Value): string => {
    const text = String(value);
    return /[",\r\n]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text;
  };
  return rows.map((row) => row.map(quoted).join(",")).join("\n") + "\n";
}

export function leavesCsv(tree: LayerTree, data: RunData, nodes: readonly number[]): string {
  const rows: Value[][] = [[
    "phase", "layer", "op", "ops", "time_s", "wait_s", "bytes", "bytes_read_again", "energy_J", "row_hits", "column_commands",
    "row_conflicts", ...data.causes.map((cause) => `channel_cycles:${cause}`),
  ]];
  for (const leaf of tree.leaves(nodes)) {
    const totals = tree.totals[leaf]!;
    rows.push([
      tree.phase(leaf), tree.layer(leaf), tree.isOp(leaf) ? tree.name(leaf) : "", totals.ops, totals.time * data.period_s,
      totals.wait * data.period_s, sum(totals.bytes), totals.again, data.has_energy ? sum(totals.energy) : "", totals.hits,
      totals.columns, sum(totals.conflicts), ...totals.causes,
    ]);
  }
  return csvText(rows);
}

export function evictCsv(data: RunData): string {
  const rows: Value[][] = [["victim", "culprit", "row_conflict_s"]];
  data.evict.operands.forEach((victim, v) =>
    data.evict.operands.forEach((culprit, c) =>
      rows.push([victim, culprit, (data.evict.cycles[v]![c]! / data.channels) * data.period_s])));
  return csvText(rows);
}

/** The cells of a table as they carry their value, else as they are printed. */
export function tableCsv(table: HTMLTableElement): string {
  return csvText([...table.rows].map((row) =>
    [...row.cells].filter((cell) => !cell.classList.contains("stack"))
      .map((cell) => cell.dataset.value ?? (cell.textContent ?? "").replace(/[\u00a0\u202f]/g, " ").trim())));
}

export function download(name: string, text: string): void {
  const link = element("a", { href: URL.createObjectURL(new Blob([text], { type: "text/csv" })), download: name });
  link.click();
  URL.revokeObjectURL(link.href);
}

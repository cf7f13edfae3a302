// The layer tree: sums of every column up to the run, names to nodes, and the icicle's layout.

import type { RunData } from "./data";

export type Metric = "time" | "bytes" | "energy" | "conflicts";

export interface Totals {
  time: number;
  wait: number;
  again: number;
  hits: number;
  columns: number;
  ops: number;
  causes: number[];
  lost: number[];
  bytes: number[];
  conflicts: number[];
  energy: number[];
}

const single = ["time", "wait", "again", "hits", "columns", "ops"] as const;
const split = ["causes", "lost", "bytes", "conflicts", "energy"] as const;

export const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

export class LayerTree {
  readonly children: number[][];
  readonly totals: Totals[];
  private readonly names: string[];
  private readonly parents: number[];
  private readonly ops: boolean[];

  constructor(readonly data: RunData) {
    const tree = data.tree;
    this.parents = tree.parent;
    this.names = tree.name.map((index) => tree.names[index] ?? "");
    this.ops = tree.is_op.map((flag) => flag === 1);
    this.children = tree.parent.map(() => []);
    this.totals = tree.parent.map((_, node) => ({
      time: tree.time[node]!, wait: tree.wait[node]!, again: tree.again[node]!, hits: tree.hits[node]!,
      columns: tree.columns[node]!, ops: tree.ops[node]!,
      causes: tree.causes.map((column) => column[node]!), lost: tree.lost.map((column) => column[node]!),
      bytes: tree.bytes.map((column) => column[node]!), conflicts: tree.conflicts.map((column) => column[node]!),
      energy: tree.energy.map((column) => column[node]! * 1e-12),
    }));
    tree.parent.forEach((parent, node) => {
      if (parent >= 0) this.children[parent]!.push(node);
    });
    // A parent stands before its children, so one pass from the end sums everything.
    for (let node = tree.parent.length - 1; node > 0; node--) addTo(this.totals[tree.parent[node]!]!, this.totals[node]!);
  }

  get size(): number {
    return this.parents.length;
  }
  name(node: number): string {
    return this.names[node]!;
  }
  parent(node: number): number {
    return this.parents[node]!;
  }
  isOp(node: number): boolean {
    return this.ops[node]!;
  }
  group(node: number): number {
    return this.data.tree.group[node]!;
  }
  value(node: number, metric: Metric): number {
    const totals = this.totals[node]!;
    return metric === "time" ? totals.time : sum(totals[metric]);
  }
  /** run, phase, then the levels of the module path, then the op. */
  line(node: number): number[] {
    const line: number[] = [];
    for (let at = node; at >= 0; at = this.parents[at]!) line.unshift(at);
    return line;
  }
  phase(node: number): string {
    return this.names[this.line(node)[1] ?? 0]!;
  }
  /** Module path without the phase and the op; "" above the first module. */
  layer(node: number): string {
    return this.line(node).slice(2).filter((at) => !this.ops[at]).map((at) => this.names[at]).join(".");
  }

  /** The topmost nodes that a selection names; the run where it names none. */
  find(phase: string | undefined, layer: string | undefined, op: string | undefined): number[] {
    const found: number[] = [];
    const visit = (node: number, path: string, level: number): void => {
      const isPhase = level === 1;
      if (isPhase && phase !== undefined && this.names[node] !== phase) return;
      const here = level < 2 || this.ops[node] ? path : path ? `${path}.${this.names[node]}` : this.names[node]!;
      const layerFits = layer === undefined || here === layer;
      const opFits = op === undefined || (this.ops[node] && this.names[node] === op);
      const phaseFits = phase === undefined || level >= 1;
      if (layerFits && opFits && phaseFits && !(layer !== undefined && level < 2)) {
        found.push(node);
        return;
      }
      if (layer !== undefined && here !== "" && here !== layer && !layer.startsWith(here + ".")) return;
      for (const child of this.children[node]!) visit(child, here, level + 1);
    };
    if (phase === undefined && layer === undefined && op === undefined) return [0];
    for (const child of this.children[0]!) visit(child, "", 1);
    return found;
  }

  sumOf(nodes: readonly number[]): Totals {
    const totals = emptyTotals(this.totals[0]!);
    for (const node of nodes) addTo(totals, this.totals[node]!);
    return totals;
  }

  /** Leaves below the nodes. */
  leaves(nodes: readonly number[]): number[] {
    const found: number[] = [];
    const stack = [...nodes];
    while (stack.length > 0) {
      const node = stack.pop()!;
      const children = this.children[node]!;
      if (children.length === 0) found.push(node);
      else stack.push(...children);
    }
    return found.sort((a, b) => a - b);
  }
}

function emptyTotals(like: Totals): Totals {
  return {
    time: 0, wait: 0, again: 0, hits: 0, columns: 0, ops: 0, causes: like.causes.map(() => 0), lost: like.lost.map(() => 0),
    bytes: like.bytes.map(() => 0), conflicts: like.conflicts.map(() => 0), energy: like.energy.map(() => 0),
  };
}

export function addTo(to: Totals, from: Totals): void {
  for (const key of single) to[key] += from[key];
  for (const key of split) from[key].forEach((value, i) => (to[key][i]! += value));
}

export interface Cell {
  node: number; // of a merged cell: the parent
  merged: number; // how many nodes the cell stands for; 0 = the node itself
  value: number;
  x: number;
  width: number;
  depth: number;
}

/** Cells narrower than this are drawn together as "n smaller". */
export const narrowest = 3.5;

/** Program order from left to right, width in proportion to the metric. */
export function layout(tree: LayerTree, root: number, metric: Metric, width: number, deepest: number): Cell[] {
  const cells: Cell[] = [];
  const place = (node: number, x: number, w: number, depth: number): void => {
    cells.push({ node, merged: 0, value: tree.value(node, metric), x, width: w, depth });
    const whole = tree.value(node, metric);
    if (depth >= deepest || whole <= 0) return;
    let at = x;
    let run = { count: 0, value: 0, x: at };
    const close = (): void => {
      if (run.count > 0) {
        const runWidth = (run.value / whole) * w;
        if (runWidth >= 0.5)
          cells.push({ node, merged: run.count, value: run.value, x: run.x, width: runWidth, depth: depth + 1 });
      }
      run = { count: 0, value: 0, x: at };
    };
    for (const child of tree.children[node]!) {
      const value = tree.value(child, metric);
      const childWidth = (value / whole) * w;
      if (childWidth < narrowest) {
        if (run.count === 0) run.x = at;
        run.count += 1;
        run.value += value;
        at += childWidth;
      } else {
        close();
        place(child, at, childWidth, depth + 1);
        at += childWidth;
      }
    }
    close();
  };
  place(root, 0, width, 0);
  return cells;
}

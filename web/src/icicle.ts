// The layer tree as an icicle on a canvas: width = the chosen metric, in program order; the stripe in
// each cell is that cell's causes or classes. The cell itself is neutral, so its text is legible.

import type { RunData } from "./data";
import { cssToken, element, say } from "./dom";
import * as format from "./format";
import { layout, sum, type Cell, type LayerTree, type Metric } from "./tree";

export type StripeKind = "cause" | "class";

const rowHeight = 36;
const stripeHeight = 9;
const deepest = 9;

interface Palette {
  page: string; panel: string; ink: string; ink3: string; rule: string; ruleStrong: string; frame: string;
  causes: string[]; classes: string[]; idle: string;
}

export interface IcicleEvents {
  select(node: number): void;
}

export class Icicle {
  readonly root: HTMLElement;
  metric: Metric = "time";
  stripe: StripeKind = "cause";
  private readonly canvas = element("canvas", { "aria-hidden": "true" });
  private readonly tip = element("div", { class: "tip", hidden: "" });
  private readonly path = element("p", { class: "path" });
  private cells: Cell[] = [];
  private focused = 0;
  private zoomed = 0;
  private chosen: Set<number> | null = null;
  private onlyCause: number | null = null;
  private onlyClass: number | null = null;

  constructor(private readonly tree: LayerTree, private readonly data: RunData, private readonly events: IcicleEvents) {
    const plot = element("div", {
      class: "icicle", tabindex: "0", role: "application", "aria-roledescription": "layer tree",
      "aria-label": this.summary(),
    }, this.canvas, this.tip);
    this.root = element("div", {}, plot, this.path);
    this.listen(plot);
    new ResizeObserver(() => this.draw()).observe(plot);
  }

  /** Nodes in full colour; null = all. */
  highlight(chosen: number[] | null, cause: number | null, tensorClass: number | null): void {
    this.chosen = chosen === null ? null : new Set(chosen);
    this.onlyCause = cause;
    this.onlyClass = tensorClass;
    this.draw();
  }

  draw(): void {
    const width = this.canvas.clientWidth;
    if (width === 0) return;
    const scale = window.devicePixelRatio || 1;
    this.cells = layout(this.tree, this.zoomed, this.metric, width, deepest);
    const rows = Math.max(...this.cells.map((cell) => cell.depth)) + 1;
    this.canvas.width = Math.round(width * scale);
    this.canvas.height = Math.round(rows * rowHeight * scale);
    this.canvas.style.height = `${rows * rowHeight}px`;
    const ink = this.canvas.getContext("2d");
    if (!ink) return;
    ink.setTransform(scale, 0, 0, scale, 0, 0);
    ink.clearRect(0, 0, width, rows * rowHeight);
    const palette = this.palette();
    for (const cell of this.cells) this.drawCell(ink, cell, palette);
    const focus = this.cells[this.focused];
    if (focus && document.activeElement === this.canvas.parentElement) this.frame(ink, focus, palette.ink);
    for (const cell of this.cells)
      if (cell.merged === 0 && this.chosen?.has(cell.node)) this.frame(ink, cell, palette.ink);
  }

  private isLit(node: number): boolean {
    if (this.chosen === null) return true;
    for (let at = node; at >= 0; at = this.tree.parent(at)) if (this.chosen.has(at)) return true;
    return false;
  }

  private drawCell(ink: CanvasRenderingContext2D, cell: Cell, palette: Palette): void {
    const y = cell.depth * rowHeight;
    const width = Math.max(0.5, cell.width - (cell.width > 6 ? 1 : 0.25));
    ink.globalAlpha = 1;
    ink.fillStyle = cell.merged > 0 ? palette.rule : palette.panel;
    ink.fillRect(cell.x, y, width, rowHeight - 1);
    if (cell.width > 6) {
      ink.strokeStyle = palette.rule;
      ink.lineWidth = 1;
      ink.strokeRect(cell.x + 0.5, y + 0.5, width - 1, rowHeight - 2);
    }
    if (cell.merged > 0) return;
    this.drawStripe(ink, cell, width, y + rowHeight - stripeHeight - 2, palette);
    this.drawLabel(ink, cell, width, y, palette);
  }

  private drawStripe(ink: CanvasRenderingContext2D, cell: Cell, width: number, y: number, palette: Palette): void {
    const totals = this.tree.totals[cell.node]!;
    const values = this.stripe === "cause" ? totals.causes : this.metric === "time" ? totals.lost : totals[this.metric];
    const colours = this.stripe === "cause" ? palette.causes : palette.classes;
    const only = this.stripe === "cause" ? this.onlyCause : this.onlyClass;
    const all = sum(values);
    if (all <= 0) return;
    const lit = this.isLit(cell.node);
    let x = cell.x;
    values.forEach((value, i) => {
      const part = (value / all) * width;
      if (part > 0) {
        ink.globalAlpha = lit && (only === null || only === i) ? 1 : 0.25;
        ink.fillStyle = colours[i]!;
        ink.fillRect(x, y, part, stripeHeight);
        if (colours[i] === palette.idle && part > 2) {
          ink.strokeStyle = palette.frame;
          ink.strokeRect(x + 0.5, y + 0.5, part - 1, stripeHeight - 1);
        }
      }
      x += part;
    });
    ink.globalAlpha = 1;
  }

  private drawLabel(ink: CanvasRenderingContext2D, cell: Cell, width: number, y: number, palette: Palette): void {
    if (width < 34) return;
    const room = width - 10;
    const name = shortName(this.tree.name(cell.node), this.tree.isOp(cell.node));
    ink.textBaseline = "alphabetic";
    ink.font = `12px ${fontOf(this.canvas)}`;
    const text = fitted(ink, name, room);
    if (text === "") return;
    ink.fillStyle = palette.ink;
    ink.fillText(text, cell.x + 5, y + 16);
    const used = ink.measureText(text).width;
    const part = format.share(cell.value, this.tree.value(0, this.metric));
    ink.font = `600 12px ${fontOf(this.canvas)}`;
    if (text === name && used + 6 + ink.measureText(part).width < room) ink.fillText(part, cell.x + 9 + used, y + 16);
  }

  private frame(ink: CanvasRenderingContext2D, cell: Cell, colour: string): void {
    ink.strokeStyle = colour;
    ink.lineWidth = 2;
    ink.strokeRect(cell.x + 1, cell.depth * rowHeight + 1, Math.max(1, cell.width - 3), rowHeight - 3);
    ink.lineWidth = 1;
  }

  private listen(plot: HTMLElement): void {
    plot.addEventListener("keydown", (event) => this.key(event));
    plot.addEventListener("focus", () => {
      this.announce();
      this.draw();
    });
    plot.addEventListener("blur", () => {
      this.tip.hidden = true;
      this.draw();
    });
    this.canvas.addEventListener("mousemove", (event) => this.showTip(this.at(event)));
    this.canvas.addEventListener("mouseleave", () => (this.tip.hidden = true));
    this.canvas.addEventListener("click", (event) => {
      const cell = this.at(event);
      if (!cell) return;
      this.focused = this.cells.indexOf(cell);
      this.events.select(cell.node);
    });
    this.canvas.addEventListener("dblclick", (event) => {
      const cell = this.at(event);
      if (cell) this.zoom(cell.node);
    });
  }

  private at(event: MouseEvent): Cell | undefined {
    const box = this.canvas.getBoundingClientRect();
    const depth = Math.floor((event.clientY - box.top) / rowHeight);
    const x = event.clientX - box.left;
    return this.cells.find((cell) => cell.depth === depth && x >= cell.x && x < cell.x + cell.width);
  }

  private key(event: KeyboardEvent): void {
    const cell = this.cells[this.focused] ?? this.cells[0];
    if (!cell) return;
    const same = this.cells.filter((other) => other.depth === cell.depth);
    const place = same.indexOf(cell);
    const middle = cell.x + cell.width / 2;
    const nearest = (depth: number): Cell | undefined =>
      this.cells.filter((other) => other.depth === depth).sort(
        (a, b) => Math.abs(a.x + a.width / 2 - middle) - Math.abs(b.x + b.width / 2 - middle))[0];
    const within = this.cells
      .filter((other) => other.depth === cell.depth + 1 && other.x >= cell.x - 0.1 && other.x < cell.x + cell.width)
      .sort((a, b) => b.width - a.width)[0];
    let next: Cell | undefined;
    if (event.key === "ArrowRight") next = same[place + 1];
    else if (event.key === "ArrowLeft") next = same[place - 1];
    else if (event.key === "ArrowDown") next = within;
    else if (event.key === "ArrowUp") next = cell.depth > 0 ? nearest(cell.depth - 1) : undefined;
    else if (event.key === "Enter") this.events.select(cell.node);
    else if (event.key === "+") this.zoom(cell.node);
    else if (event.key === "Backspace") this.zoom(Math.max(0, this.tree.parent(this.zoomed)));
    else if (event.key === "Escape" && !this.tip.hidden) {
      this.tip.hidden = true;
      event.stopPropagation();
      return;
    } else return;
    event.preventDefault();
    if (next) this.focused = this.cells.indexOf(next);
    this.announce();
    this.draw();
  }

  zoom(node: number): void {
    this.zoomed = this.tree.children[node]!.length > 0 ? node : Math.max(0, this.tree.parent(node));
    this.focused = 0;
    this.draw();
    const names = this.tree.line(this.zoomed).map((at) => this.tree.name(at)).join(" › ");
    this.path.textContent = this.zoomed === 0 ? "" : `Zoomed to ${names}. Backspace goes out.`;
  }

  private announce(): void {
    const cell = this.cells[this.focused];
    if (!cell) return;
    this.showTip(cell);
    say(this.describe(cell).join(", "));
  }

  private describe(cell: Cell): string[] {
    const totals = this.tree.totals[cell.node]!;
    const run = this.tree.totals[0]!;
    if (cell.merged > 0)
      return [`${cell.merged} smaller in ${this.tree.name(cell.node)}`, format.share(cell.value, this.tree.value(0, this.metric))];
    const lines = [
      this.tree.line(cell.node).slice(cell.node === 0 ? 0 : 1).map((at) => this.tree.name(at)).join(" › "),
      `${format.seconds(totals.time * this.data.period_s)}, ${format.share(totals.time, run.time)} of time, ` +
        `${format.share(totals.wait, totals.time)} waiting`,
      `${format.bytes(sum(totals.bytes))}, ${format.share(sum(totals.bytes), sum(run.bytes))} of bytes`,
    ];
    if (this.data.has_energy) lines.push(`${format.energy(sum(totals.energy))}, ${format.share(sum(totals.energy), sum(run.energy))} of energy`);
    lines.push(`${format.count(sum(totals.conflicts))} row conflicts`);
    return lines;
  }

  private showTip(cell: Cell | undefined): void {
    this.tip.hidden = cell === undefined;
    if (!cell) return;
    const [name, ...rest] = this.describe(cell);
    this.tip.replaceChildren(element("b", {}, name!), ...rest.flatMap((line) => [element("br"), line]));
    const room = this.canvas.clientWidth - this.tip.offsetWidth;
    this.tip.style.left = `${Math.max(0, Math.min(cell.x, room))}px`;
    this.tip.style.top = `${(cell.depth + 1) * rowHeight + 4}px`;
  }

  private summary(): string {
    const phases = this.tree.children[0]!.map(
      (node) => `${this.tree.name(node)} ${format.share(this.tree.value(node, "time"), this.tree.value(0, "time"))}`);
    return `Layer tree by time: ${phases.join(", ")}. Arrow keys move, Enter selects, plus zooms in, Backspace zooms out.`;
  }

  private palette(): Palette {
    // light-dark() resolves only in a real property, so a probe reads the colours.
    const probe = element("i", { hidden: "" });
    this.root.append(probe);
    const read = (name: string): string => {
      probe.style.color = `var(--${name})`;
      return getComputedStyle(probe).color;
    };
    const idle = read("c-idle");
    const palette = {
      page: read("page"), panel: read("panel"), ink: read("ink"), ink3: read("ink-3"), rule: read("rule"),
      ruleStrong: read("rule-strong"), frame: read("idle-frame"), idle,
      causes: this.data.causes.map((name) => (name.startsWith("idle.") && name !== "idle.throttle" ? idle : read(`c-${cssToken(name)}`))),
      classes: this.data.classes.map((name) => (name === "(none)" ? idle : read(`k-${cssToken(name)}`))),
    };
    probe.remove();
    return palette;
  }
}

const fontOf = (canvas: HTMLElement): string => getComputedStyle(canvas).fontFamily;

/** "aten._softmax.default" → "softmax". */
export function shortName(name: string, isOp: boolean): string {
  if (!isOp) return name;
  const parts = name.replace(/^(aten|prims)(\.|::)/, "").split(".");
  return (parts[0] ?? name).replace(/^_+/, "") || name;
}

function fitted(ink: CanvasRenderingContext2D, text: string, room: number): string {
  if (ink.measureText(text).width <= room) return text;
  for (let length = text.length - 1; length >= 3; length--) {
    const cut = text.slice(0, length) + "…";
    if (ink.measureText(cut).width <= room) return cut;
  }
  return "";
}

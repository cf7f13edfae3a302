// The page comes to life: theme and contents first, then the data, then the plots. Without this file
// the page is still the whole report, but for the tree and the selection.

import "./colour.css";
import "./marks.css";
import "./page.css";
import { causeBar } from "./bars";
import { evictCsv, leavesCsv, tableCsv } from "./csv";
import { readData, type RunData } from "./data";
import { button, byId, className, element } from "./dom";
import { startEnergy } from "./energy";
import { startEvictions } from "./evict";
import { findBox } from "./find";
import * as format from "./format";
import { renderGroups } from "./groups";
import { Icicle, type StripeKind } from "./icicle";
import { outline } from "./outline";
import { explainCommand, fields, readAddress, writeAddress, type Address, type Field } from "./selection";
import { copy, fillTools } from "./tools";
import { LayerTree, sum, type Metric } from "./tree";

document.documentElement.classList.add("js");
let address: Address = readAddress(location.hash);
let redraw: () => void = () => undefined;

function applyTheme(): void {
  if (address.theme) document.documentElement.dataset["theme"] = address.theme;
  else delete document.documentElement.dataset["theme"];
}

function go(next: Address, scrolls: boolean): void {
  address = next;
  const hash = writeAddress(next);
  if (hash !== location.hash) history.pushState(null, "", hash === "#" ? location.pathname + location.search : hash);
  applyTheme();
  if (scrolls && next.part) byId(next.part)?.scrollIntoView();
  redraw();
}

function select(field: Field, value: string | undefined, adds: boolean): void {
  const selected = adds ? { ...address.selected } : {};
  if (value === undefined || address.selected[field] === value) delete selected[field];
  else selected[field] = value;
  go({ ...address, selected }, false);
}

function startFrame(): void {
  applyTheme();
  const actions = document.querySelector(".actions")!;
  actions.append(
    button("Print", () => window.print(), { class: "print" }),
    button("Theme", () => {
      const isDark = address.theme ? address.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
      go({ ...address, theme: isDark ? "light" : "dark" }, false);
    }));
  document.addEventListener("click", (event) => {
    const link = (event.target as HTMLElement).closest?.<HTMLAnchorElement>('a[href^="#"]');
    if (!link) return;
    event.preventDefault();
    const to = readAddress(link.hash);
    const keeps = Object.keys(to.selected).length === 0;
    go({ ...address, part: to.part, selected: keeps ? address.selected : to.selected }, true);
    const part = byId(to.part);
    part?.setAttribute("tabindex", "-1");
    part?.focus({ preventScroll: true });
  });
  window.addEventListener("popstate", () => {
    address = readAddress(location.hash);
    applyTheme();
    redraw();
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && Object.keys(address.selected).length > 0) go({ ...address, selected: {} }, false);
  });
  followScroll();
}

function followScroll(): void {
  const links = [...document.querySelectorAll<HTMLAnchorElement>(".rail a")];
  const parts = links.map((link) => byId(link.hash.slice(1)));
  const mark = (): void => {
    let current = 0;
    parts.forEach((part, i) => {
      if (part && part.getBoundingClientRect().top < innerHeight * 0.35) current = i;
    });
    links.forEach((link, i) => {
      if (i === current) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    });
  };
  document.addEventListener("scroll", mark, { passive: true });
  mark();
}

function switchOf<Choice extends string>(label: string, choices: readonly (readonly [Choice, string])[], now: Choice, change: (choice: Choice) => void): HTMLElement {
  const group = element("span", { class: "switch", role: "group", "aria-label": label });
  for (const [choice, text] of choices) {
    const one = button(text, () => {
      for (const other of group.children) other.setAttribute("aria-pressed", String(other === one));
      change(choice);
    }, { "aria-pressed": String(choice === now) });
    group.append(one);
  }
  return element("span", {}, element("span", { "aria-hidden": "true" }, label), group);
}

function startTree(tree: LayerTree, data: RunData): Icicle | null {
  const place = byId("tree");
  if (!place) return null;
  const pick = (node: number): void => selectNode(tree, node);
  const plot = new Icicle(tree, data, { select: pick });
  let list = outline(tree, data, "time", pick);
  const metrics: (readonly [Metric, string])[] = [["time", "Time"], ["bytes", "Bytes"], ["conflicts", "Conflicts"]];
  if (data.has_energy) metrics.splice(2, 0, ["energy", "Energy"]);
  const bar = element("div", { class: "toolbar" },
    switchOf<Metric>("Layers by", metrics, "time", (metric) => {
      plot.metric = metric;
      plot.draw();
      const next = outline(tree, data, metric, pick);
      list.replaceWith(next);
      list = next;
    }),
    switchOf<StripeKind>("Stripe shows", [["cause", "Cause"], ["class", "Tensor class"]], "cause", (stripe) => {
      plot.stripe = stripe;
      plot.draw();
      keys.hidden = stripe === "cause";
    }));
  const keys = classKeys(tree, data);
  place.replaceChildren(bar, plot.root, keys, list);
  return plot;
}

/** Names of the classes beside the tree: the stripe alone would be colour without words. */
function classKeys(tree: LayerTree, data: RunData): HTMLElement {
  const line = element("p", { class: "path", hidden: "" });
  data.classes.forEach((token, i) => {
    if (tree.totals[0]!.bytes[i]! > 0 || tree.totals[0]!.lost[i]! > 0)
      line.append(element("i", { class: `swatch k-${token === "(none)" ? "none" : token.replace(/_/g, "-")}` }), className(token), " \u2003");
  });
  return line;
}

function selectNode(tree: LayerTree, node: number): void {
  if (node === 0) return go({ ...address, selected: {} }, false);
  const selected: Address["selected"] = { phase: tree.phase(node) };
  const layer = tree.layer(node);
  if (layer !== "") selected.layer = layer;
  if (tree.isOp(node)) selected.op = tree.name(node);
  const isSame = (["phase", "layer", "op"] as const).every((field) => address.selected[field] === selected[field]);
  go({ ...address, selected: isSame ? {} : selected }, false);
}

function showSelection(tree: LayerTree, data: RunData, plot: Icicle | null): void {
  const chosen = address.selected;
  const isAny = Object.keys(chosen).length > 0;
  const cause = chosen.cause === undefined ? -1 : data.causes.indexOf(chosen.cause);
  const tensorClass = chosen.class === undefined ? -1 : data.classes.indexOf(chosen.class);
  const nodes = tree.find(chosen.phase, chosen.layer, chosen.op);
  const isPart = chosen.phase !== undefined || chosen.layer !== undefined || chosen.op !== undefined;
  const root = document.documentElement;
  root.classList.toggle("dim-cause", cause >= 0);
  root.classList.toggle("dim-class", tensorClass >= 0);
  root.classList.toggle("dim-part", chosen.phase !== undefined && chosen.layer === undefined);
  const lit = document.head.querySelector("style.lit") ?? document.head.appendChild(element("style", { class: "lit" }));
  lit.textContent =
    (cause >= 0 ? `.dim-cause .c-${data.causes[cause]!.replace(/[._]/g, "-")}{opacity:1!important}` : "") +
    (tensorClass >= 0 ? `.dim-class .bar i.k-${data.classes[tensorClass]!.replace(/_/g, "-")}{opacity:1!important}` : "");
  for (const row of document.querySelectorAll<HTMLElement>("[data-phase]"))
    row.classList.toggle("chosen", row.dataset["phase"] === chosen.phase);
  for (const part of document.querySelectorAll<HTMLElement>(".bar.run [data-cause]"))
    part.setAttribute("aria-pressed", String(part.dataset["cause"] === chosen.cause));
  plot?.highlight(isPart ? nodes : null, cause < 0 ? null : cause, tensorClass < 0 ? null : tensorClass);
  selectionBar(tree, data, nodes, isAny, cause, tensorClass);
  selectedRow(tree, data, nodes, isPart);
  const table = byId("groups") as HTMLTableElement | null;
  const render = (): number =>
    table ? renderGroups(table, tree, data, nodes, isPart ? ` in ${chosen.op ?? chosen.layer ?? chosen.phase}` : "") : 0;
  const rows = render();
  const tools = document.querySelector<HTMLElement>('[data-table="groups"]');
  if (tools) fillTools(tools, { rows, table, opened: () => void render(), csv: () => leavesCsv(tree, data, nodes), name: `${data.workload}-ops` });
}

function selectionBar(tree: LayerTree, data: RunData, nodes: number[], isAny: boolean, cause: number, tensorClass: number): void {
  const bar = byId("selection")!;
  bar.hidden = !isAny;
  if (!isAny) return;
  const run = tree.totals[0]!;
  const totals = tree.sumOf(nodes);
  const facts: string[] = [];
  const channelSeconds = (cycles: number): string => format.seconds((cycles / data.channels) * data.period_s);
  if (cause >= 0) facts.push(`${channelSeconds(totals.causes[cause]!)} of channel time (${format.share(totals.causes[cause]!, sum(run.causes))})`);
  if (tensorClass >= 0) {
    facts.push(`${channelSeconds(totals.lost[tensorClass]!)} of channel time (${format.share(totals.lost[tensorClass]!, sum(run.lost))})`,
      format.bytes(totals.bytes[tensorClass]!));
    if (data.has_energy) facts.push(format.energy(totals.energy[tensorClass]!));
    facts.push(`${format.count(totals.conflicts[tensorClass]!)} conflicts`);
  }
  if (cause < 0 && tensorClass < 0) {
    facts.push(`${format.seconds(totals.time * data.period_s)} of ${format.seconds(run.time * data.period_s)} (${format.share(totals.time, run.time)})`,
      format.bytes(sum(totals.bytes)));
    if (data.has_energy) facts.push(format.energy(sum(totals.energy)));
    facts.push(`${format.count(sum(totals.conflicts))} conflicts`);
  }
  const chips = fields.flatMap((field) => {
    const value = address.selected[field];
    return value === undefined ? [] : [button("", () => select(field, undefined, true), { class: "chip", "aria-label": `Remove ${field} ${value}` })].map((chip) => {
      chip.append(`${field} `, element("code", {}, value));
      return chip;
    });
  });
  bar.replaceChildren(element("span", { class: "name" }, "Selected"), ...chips, element("span", {}, facts.join(" · ")),
    button("Copy explain command", () => void copy(explainCommand(`${data.workload}.dfr`, address.selected), "Command copied"), { class: "plain" }),
    button("Clear (Esc)", () => go({ ...address, selected: {} }, false), { class: "plain" }));
}

function selectedRow(tree: LayerTree, data: RunData, nodes: number[], isPart: boolean): void {
  const place = byId("selected-row");
  if (!place) return;
  place.hidden = !isPart;
  if (!isPart) return;
  const totals = tree.sumOf(nodes);
  const part = totals.time / Math.max(1, tree.totals[0]!.time);
  const meter = element("i");
  meter.style.width = `${part * 100}%`;
  place.replaceChildren(element("table", { class: "phases" }, element("tbody", {}, element("tr", { class: "chosen" },
    element("th", { scope: "row" }, address.selected.op !== undefined ? "Selected op" : address.selected.layer !== undefined ? "Selected layer" : "Selected phase"),
    element("td", { class: "number" }, format.seconds(totals.time * data.period_s)),
    element("td", { class: "track" }, element("span", { class: "meter", role: "img", "aria-label": format.share(totals.time, tree.totals[0]!.time) }, meter)),
    element("td", { class: "stack" }, causeBar(data, totals.causes, "row"))))));
}

function startClicks(): void {
  const run = document.querySelector<HTMLElement>(".bar.run");
  const parts = run ? [...run.querySelectorAll<HTMLButtonElement>("button")] : [];
  parts.forEach((part) => part.addEventListener("click", (event) => select("cause", part.dataset["cause"], event.shiftKey)));
  run?.addEventListener("keydown", (event) => {
    const at = parts.indexOf(document.activeElement as HTMLButtonElement);
    const next = event.key === "ArrowRight" ? parts[at + 1] : event.key === "ArrowLeft" ? parts[at - 1] : undefined;
    if (!next) return;
    event.preventDefault();
    parts.forEach((part) => (part.tabIndex = part === next ? 0 : -1));
    next.focus();
  });
  for (const row of document.querySelectorAll<HTMLElement>(".legend tr"))
    row.addEventListener("click", (event) => select("cause", row.dataset["cause"], event.shiftKey));
  for (const row of document.querySelectorAll<HTMLElement>("tr[data-phase]"))
    row.addEventListener("click", (event) => select("phase", row.dataset["phase"], event.shiftKey));
}

/** The table behind the maps of the dies. */
function startHeat(workload: string): void {
  const tools = document.querySelector<HTMLElement>('[data-table="heat"]');
  const layers = byId("layers") as HTMLTableElement | null;
  if (!tools || !layers) return;
  const rows = layers.querySelector("tr.more") ? layers.tBodies[0]!.rows.length : 0;
  fillTools(tools, { rows, table: layers, csv: () => tableCsv(layers), name: `${workload}-heat` });
}

async function start(): Promise<void> {
  startFrame();
  await new Promise((painted) => requestAnimationFrame(() => setTimeout(painted, 0)));
  const store = byId("data")!;
  let data: RunData;
  try {
    data = await readData(store);
  } catch (error) {
    byId("tree")?.replaceChildren(element("p", { class: "limits error" }, `This part could not be read (${(error as Error).message}).`));
    return;
  }
  store.remove();
  const tree = new LayerTree(data);
  const plot = startTree(tree, data);
  document.querySelector(".actions")!.prepend(findBox(tree, (node) => {
    selectNode(tree, node);
    byId("tree")?.scrollIntoView({ block: "center" });
  }));
  startClicks();
  startEvictions(data);
  startEnergy((token) => select("class", token, false));
  const evict = document.querySelector<HTMLElement>('[data-table="evict"]');
  if (evict) fillTools(evict, { rows: 0, table: null, csv: () => evictCsv(data), name: `${data.workload}-evictions` });
  const energy = document.querySelector<HTMLElement>('[data-table="energy"]');
  const components = byId("components") as HTMLTableElement | null;
  const repeated = byId("repeated") as HTMLTableElement | null;
  if (energy) fillTools(energy, {
    rows: repeated ? repeated.tBodies[0]!.rows.length : 0, table: repeated,
    csv: components ? () => tableCsv(components) : repeated ? () => tableCsv(repeated) : null, name: `${data.workload}-energy`,
  });
  startHeat(data.workload);
  const banks = document.querySelector<HTMLElement>('[data-table="banks"]');
  const bankTable = document.querySelector<HTMLTableElement>(".banks table");
  if (banks && bankTable) fillTools(banks, { rows: 0, table: null, csv: () => tableCsv(bankTable), name: `${data.workload}-banks` });
  const run = document.querySelector<HTMLElement>('[data-table="run"]');
  const command = byId("command");
  if (run && command) run.append(button("Copy command", () => void copy(command.textContent ?? "", "Command copied")));
  redraw = () => showSelection(tree, data, plot);
  redraw();
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
  document.documentElement.dataset["ready"] = "true";
}

void start();

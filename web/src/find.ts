// Find a layer or an op by part of its name: "/" opens it, arrows and Enter choose.

import { element } from "./dom";
import * as format from "./format";
import type { LayerTree } from "./tree";

const shown = 12;

export function findBox(tree: LayerTree, choose: (node: number) => void): HTMLElement {
  const input = element("input", {
    type: "search", placeholder: "Find a layer or op   /", "aria-label": "Find a layer or op", role: "combobox",
    "aria-expanded": "false", "aria-controls": "found", "aria-autocomplete": "list", autocomplete: "off",
  });
  const list = element("ul", { id: "found", role: "listbox", "aria-label": "Found", hidden: "" });
  let nodes: number[] = [];
  let active = 0;
  const close = (): void => {
    list.hidden = true;
    input.setAttribute("aria-expanded", "false");
    input.removeAttribute("aria-activedescendant");
  };
  const mark = (): void => {
    [...list.children].forEach((item, i) => item.setAttribute("aria-selected", String(i === active)));
    input.setAttribute("aria-activedescendant", `found-${active}`);
  };
  const take = (node: number): void => {
    close();
    input.value = "";
    choose(node);
  };
  input.addEventListener("input", () => {
    nodes = matches(tree, input.value);
    active = 0;
    list.replaceChildren(...nodes.map((node, i) => {
      const item = element("li", { id: `found-${i}`, role: "option" },
        element("code", {}, tree.line(node).slice(1).map((at) => tree.name(at)).join(".")),
        element("span", {}, format.share(tree.totals[node]!.time, tree.totals[0]!.time)));
      item.addEventListener("mousedown", (event) => {
        event.preventDefault();
        take(node);
      });
      return item;
    }));
    list.hidden = nodes.length === 0;
    input.setAttribute("aria-expanded", String(nodes.length > 0));
    if (nodes.length > 0) mark();
  });
  input.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown") active = Math.min(nodes.length - 1, active + 1);
    else if (event.key === "ArrowUp") active = Math.max(0, active - 1);
    else if (event.key === "Enter" && nodes[active] !== undefined && !list.hidden) return take(nodes[active]!);
    else if (event.key === "Escape") {
      close();
      event.stopPropagation();
      return;
    } else return;
    event.preventDefault();
    mark();
  });
  input.addEventListener("blur", close);
  document.addEventListener("keydown", (event) => {
    if (event.key !== "/" || event.target instanceof HTMLInputElement) return;
    event.preventDefault();
    input.focus();
  });
  return element("div", { class: "find" }, input, list);
}

/** Every word must occur in the path; longest time first. */
export function matches(tree: LayerTree, text: string): number[] {
  const words = text.toLowerCase().split(/\s+/).filter((word) => word !== "");
  if (words.length === 0) return [];
  const found: number[] = [];
  for (let node = 1; node < tree.size; node++) {
    const path = tree.line(node).map((at) => tree.name(at)).join(".").toLowerCase();
    if (words.every((word) => path.includes(word))) found.push(node);
  }
  return found.sort((a, b) => tree.totals[b]!.time - tree.totals[a]!.time).slice(0, shown);
}

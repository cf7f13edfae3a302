// The energy table: a click on a column's name sorts, on a class's cell selects the class.

import { byId, element } from "./dom";

export function startEnergy(selectClass: (token: string) => void): void {
  const table = byId("components") as HTMLTableElement | null;
  if (!table) return;
  const head = table.tHead!.rows[0]!;
  [...head.cells].forEach((cell, column) => {
    if (column === 0 || cell.classList.contains("stack") || cell.textContent === "Share") return;
    const sort = element("button", { type: "button" });
    sort.append(...cell.childNodes);
    cell.append(sort);
    cell.classList.add("sort");
    sort.addEventListener("click", () => {
      const order = cell.getAttribute("aria-sort") === "descending" ? "ascending" : "descending";
      for (const other of head.cells) other.removeAttribute("aria-sort");
      cell.setAttribute("aria-sort", order);
      const value = (row: HTMLTableRowElement): number => Number(row.cells[column]!.dataset["value"] ?? 0);
      const rows = [...table.tBodies[0]!.rows].sort((a, b) => value(b) - value(a));
      table.tBodies[0]!.append(...(order === "descending" ? rows : rows.reverse()));
    });
  });
  table.tBodies[0]!.addEventListener("click", (event) => {
    const cell = (event.target as HTMLElement).closest<HTMLElement>("td[data-class]");
    if (cell?.dataset["class"]) selectClass(cell.dataset["class"]);
  });
}

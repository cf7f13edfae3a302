// Under each plot: Show as table (n rows) · Download CSV · Copy link.

import { button, say } from "./dom";
import { download } from "./csv";

export interface Tools {
  rows: number;
  table: HTMLElement | null; // gets the class "open"
  opened?: () => void;
  csv: (() => string) | null;
  name: string;
}

export function fillTools(line: HTMLElement, tools: Tools): void {
  line.replaceChildren();
  const { table, csv } = tools;
  if (table && tools.rows > 0) {
    const label = (): string => (table.classList.contains("open") ? "Show fewer rows" : `Show as table (${tools.rows} rows)`);
    const toggle = button(label(), () => {
      table.classList.toggle("open");
      toggle.textContent = label();
      toggle.setAttribute("aria-expanded", String(table.classList.contains("open")));
      tools.opened?.();
    }, { "aria-expanded": String(table.classList.contains("open")) });
    line.append(toggle);
  }
  if (csv) line.append(button("Download CSV", () => download(`${tools.name}.csv`, csv())));
  line.append(button("Copy link", () => void copy(location.href.replace(/#.*$/, "") + linkTo(line), "Link copied")));
}

function linkTo(line: HTMLElement): string {
  const part = line.closest("section")?.id ?? "";
  const rest = location.hash.replace(/^#/, "").split("&").filter((piece) => piece.includes("="));
  return "#" + [part, ...rest].join("&");
}

export async function copy(text: string, done: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    say(done);
  } catch {
    say("The browser does not allow copying here");
  }
}

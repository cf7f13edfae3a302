// The stack of causes, as every row of the page shows it.

import { cssToken, stack } from "./dom";
import type { RunData } from "./data";
import { share } from "./format";
import { sum } from "./tree";

export function causeBar(data: RunData, causes: readonly number[], kind: string): HTMLElement {
  const all = sum(causes);
  const label = data.families
    .map((family) => ({ title: family.title, part: sum(family.causes.map((cause) => causes[cause]!)) }))
    .filter((family) => family.part > 0)
    .map((family) => `${family.title} ${share(family.part, all)}`)
    .join(", ");
  const parts = causes.map((value, i) => ({ kind: `c-${cssToken(data.causes[i]!)}`, value }));
  return stack(parts, kind, label || "no channel time");
}

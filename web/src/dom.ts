// Small words for making elements.

export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Record<string, string> = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

export function button(label: string, action: () => void, attributes: Record<string, string> = {}): HTMLButtonElement {
  const made = element("button", { type: "button", ...attributes }, label);
  made.addEventListener("click", action);
  return made;
}

export const byId = (id: string): HTMLElement | null => document.getElementById(id);

export const cssToken = (name: string): string => (name === "(none)" ? "none" : name.replace(/[._]/g, "-"));
export const className = (token: string): string => (token === "(none)" ? "no tensor" : token.replace(/_/g, " "));

/** Tell people who do not see the page what just happened. */
export function say(text: string): void {
  const line = byId("say");
  if (line) line.textContent = text;
}

/** A stacked bar of flex parts; the class says what fills them. */
export function stack(parts: { kind: string; value: number }[], kind: string, label: string): HTMLElement {
  const bar = element("div", { class: `bar ${kind}`, role: "img", "aria-label": label });
  const all = parts.reduce((total, part) => total + part.value, 0);
  for (const part of parts) {
    if (part.value <= 0) continue;
    const fill = element("i", { class: part.kind });
    fill.style.flexGrow = String((part.value / all) * 100);
    bar.append(fill);
  }
  return bar;
}

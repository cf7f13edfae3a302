// One selection for all views, kept in the address: "#time&layer=unet.mid_block&cause=refresh".

export const fields = ["phase", "layer", "op", "class", "cause"] as const;
export type Field = (typeof fields)[number];
export type Theme = "light" | "dark";

export interface Address {
  part: string;
  theme?: Theme;
  selected: Partial<Record<Field, string>>;
}

export function readAddress(hash: string): Address {
  const address: Address = { part: "", selected: {} };
  for (const piece of hash.replace(/^#/, "").split("&")) {
    const equals = piece.indexOf("=");
    if (equals < 0) {
      if (piece !== "") address.part = decode(piece);
      continue;
    }
    const key = piece.slice(0, equals);
    const value = decode(piece.slice(equals + 1));
    if (key === "theme" && (value === "light" || value === "dark")) address.theme = value;
    const field = fields.find((name) => name === key);
    if (field !== undefined && value !== "") address.selected[field] = value;
  }
  return address;
}

export function writeAddress(address: Address): string {
  const pieces = [encode(address.part)].filter((piece) => piece !== "");
  for (const field of fields) {
    const value = address.selected[field];
    if (value !== undefined) pieces.push(`${field}=${encode(value)}`);
  }
  if (address.theme !== undefined) pieces.push(`theme=${address.theme}`);
  return "#" + pieces.join("&");
}

/** The command line that prints the same part of the run. */
export function explainCommand(run: string, selected: Address["selected"]): string {
  const axes = fields.filter((field) => selected[field] !== undefined);
  return `diffram explain ${run} --by ${axes.length > 0 ? axes.join(",") : "layer"} --of time`;
}

const encode = (text: string): string => encodeURIComponent(text).replace(/%20/g, "+");

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replace(/\+/g, " "));
  } catch {
    return text;
  }
}

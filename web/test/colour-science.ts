// Contrast (WCAG 2.2), CIEDE2000 (Sharma, Wu, Dalal 2005) and colour blindness (Machado, Oliveira,
// Fernandes 2009, severity 1.0, in linear RGB).

export type Rgb = readonly [number, number, number];
export type Lab = readonly [number, number, number];
export type Vision = "normal" | "protan" | "deutan" | "tritan";
export const visions: Vision[] = ["normal", "protan", "deutan", "tritan"];

const machado: Record<Exclude<Vision, "normal">, readonly Rgb[]> = {
  protan: [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
  deutan: [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.01182, 0.04294, 0.968881]],
  tritan: [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.3039]],
};

export function linear(hex: string): Rgb {
  const full = hex.length === 4 ? "#" + [...hex.slice(1)].map((digit) => digit + digit).join("") : hex;
  const part = (at: number): number => {
    const value = parseInt(full.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  return [part(1), part(3), part(5)];
}

const luminance = (hex: string): number => {
  const [r, g, b] = linear(hex);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};

export function contrast(a: string, b: string): number {
  const [dark, light] = [luminance(a), luminance(b)].sort((x, y) => x - y) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

export function seen(hex: string, vision: Vision): Lab {
  const rgb = linear(hex);
  if (vision === "normal") return lab(rgb);
  const mixed = machado[vision].map((row) => Math.min(1, Math.max(0, row[0] * rgb[0] + row[1] * rgb[1] + row[2] * rgb[2])));
  return lab(mixed as unknown as Rgb);
}

function lab([r, g, b]: Rgb): Lab {
  const f = (t: number): number => (t > 216 / 24389 ? Math.cbrt(t) : ((24389 / 27) * t + 16) / 116);
  const x = f((0.4124564 * r + 0.3575761 * g + 0.1804375 * b) / 0.95047);
  const y = f(0.2126729 * r + 0.7151522 * g + 0.072175 * b);
  const z = f((0.0193339 * r + 0.119192 * g + 0.9503041 * b) / 1.08883);
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

export function ciede2000([l1, a1, b1]: Lab, [l2, a2, b2]: Lab): number {
  const radians = (degrees: number): number => (degrees * Math.PI) / 180;
  const mean = (Math.hypot(a1, b1) + Math.hypot(a2, b2)) / 2;
  const g = 0.5 * (1 - Math.sqrt(mean ** 7 / (mean ** 7 + 25 ** 7)));
  const c1 = Math.hypot((1 + g) * a1, b1);
  const c2 = Math.hypot((1 + g) * a2, b2);
  const hue = (b: number, a: number): number => ((Math.atan2(b, a) * 180) / Math.PI + 360) % 360;
  const h1 = hue(b1, (1 + g) * a1);
  const h2 = hue(b2, (1 + g) * a2);
  let dh = c1 * c2 === 0 ? 0 : h2 - h1;
  if (dh > 180) dh -= 360;
  if (dh < -180) dh += 360;
  const dL = l2 - l1;
  const dC = c2 - c1;
  const dH = 2 * Math.sqrt(c1 * c2) * Math.sin(radians(dh / 2));
  const L = (l1 + l2) / 2;
  const C = (c1 + c2) / 2;
  let h = h1 + h2;
  if (c1 * c2 !== 0) h = Math.abs(h1 - h2) <= 180 ? h / 2 : h < 360 ? (h + 360) / 2 : (h - 360) / 2;
  const t = 1 - 0.17 * Math.cos(radians(h - 30)) + 0.24 * Math.cos(radians(2 * h)) + 0.32 * Math.cos(radians(3 * h + 6)) - 0.2 * Math.cos(radians(4 * h - 63));
  const sL = 1 + (0.015 * (L - 50) ** 2) / Math.sqrt(20 + (L - 50) ** 2);
  const sC = 1 + 0.045 * C;
  const sH = 1 + 0.015 * C * t;
  const rT = -2 * Math.sqrt(C ** 7 / (C ** 7 + 25 ** 7)) * Math.sin(radians(60 * Math.exp(-(((h - 275) / 25) ** 2))));
  return Math.sqrt((dL / sL) ** 2 + (dC / sC) ** 2 + (dH / sH) ** 2 + rT * (dC / sC) * (dH / sH));
}

/** The smallest distance under every vision. */
export const distance = (a: string, b: string): number =>
  Math.min(...visions.map((vision) => ciede2000(seen(a, vision), seen(b, vision))));

// How figures are printed: the rules of src/report/number_format.h, for what the page computes.

const noBreak = "\u00a0";
const thin = "\u202f";
const minus = "\u2212";
export const doesNotApply = "\u2013";

type Unit = readonly [size: number, name: string];

const timeUnits: Unit[] = [[1e-9, "ns"], [1e-6, "µs"], [1e-3, "ms"], [1, "s"]];
const byteUnits: Unit[] = [[1e3, "kB"], [1e6, "MB"], [1e9, "GB"], [1e12, "TB"], [1e15, "PB"]];
const energyUnits: Unit[] = [[1e-12, "pJ"], [1e-9, "nJ"], [1e-6, "µJ"], [1e-3, "mJ"], [1, "J"], [1e3, "kJ"]];
const countUnits: Unit[] = [[1e6, "M"], [1e9, "G"], [1e12, "T"]];

export function threeDigits(value: number): string {
  if (value < 9.995) return value.toFixed(2);
  if (value < 99.95) return value.toFixed(1);
  return grouped(Math.round(value));
}

export function grouped(value: number): string {
  const digits = Math.abs(Math.round(value)).toString();
  return (value < 0 ? minus : "") + digits.replace(/\B(?=(\d{3})+$)/g, thin);
}

function inUnit(value: number, units: Unit[]): string {
  if (value === 0) return "0";
  const size = Math.abs(value);
  let chosen = units[units.length - 1]!;
  for (const unit of units) {
    if (size < unit[0] * 999.5) {
      chosen = unit;
      break;
    }
  }
  return (value < 0 ? minus : "") + threeDigits(size / chosen[0]) + noBreak + chosen[1];
}

export const seconds = (value: number): string => inUnit(value, timeUnits);
export const energy = (joules: number): string => inUnit(joules, energyUnits);
export const bytes = (value: number): string =>
  Math.abs(value) < 1000 ? (value === 0 ? "0" : grouped(value) + noBreak + "B") : inUnit(value, byteUnits);
export const count = (value: number): string =>
  Math.abs(value) < 1e6 ? grouped(value) : inUnit(value, countUnits);

export function share(part: number, whole: number): string {
  if (!(whole > 0)) return doesNotApply;
  const percent = (part / whole) * 100;
  if (percent === 0) return "0";
  if (percent < 0.1) return "<0.1" + noBreak + "%";
  return (percent < 9.95 ? percent.toFixed(1) : percent.toFixed(0)) + noBreak + "%";
}

/** Whole numbers in the proportion of `values` that sum to `units` exactly; ties to the earlier. */
export function largestRemainder(values: readonly number[], units: number): number[] {
  const total = values.reduce((sum, value) => sum + value, 0);
  if (!(total > 0)) return values.map(() => 0);
  const exact = values.map((value) => (value / total) * units);
  const parts = exact.map(Math.floor);
  let left = units - parts.reduce((sum, part) => sum + part, 0);
  const order = exact.map((value, i) => [value - Math.floor(value), i] as const).sort((a, b) => b[0] - a[0]);
  for (const [, i] of order) {
    if (left-- <= 0) break;
    parts[i]! += 1;
  }
  return parts;
}

import { expect, test } from "vitest";
import { bytes, count, energy, grouped, largestRemainder, seconds, share, threeDigits } from "../src/format";

const plain = (text: string): string => text.replace(/[\u00a0\u202f]/g, " ");

test.each([
  [28.17, "28.2 s"], [0.56, "560 ms"], [4.32e-6, "4.32 µs"], [0.9996, "1.00 s"], [0, "0"], [5e-9, "5.00 ns"], [1234, "1 234 s"],
])("%d s prints as %s", (value, text) => expect(plain(seconds(value))).toBe(text));

test.each([[907e9, "907 GB"], [59.0e6, "59.0 MB"], [512, "512 B"], [0, "0"], [999.6e6, "1.00 GB"]])(
  "%d bytes print as %s", (value, text) => expect(plain(bytes(value))).toBe(text));

test.each([[47.1, "47.1 J"], [0.488, "488 mJ"], [3.2e-12, "3.20 pJ"]])(
  "%d J prints as %s", (value, text) => expect(plain(energy(value))).toBe(text));

test.each([[0, 1, "0"], [0.0005, 1, "<0.1 %"], [0.093, 1, "9.3 %"], [0.63, 1, "63 %"], [0.0996, 1, "10 %"], [1, 0, "–"]])(
  "%d of %d is %s", (part, whole, text) => expect(plain(share(part, whole))).toBe(text));

test("counts are whole below a million and three digits above", () => {
  expect(plain(count(1204))).toBe("1 204");
  expect(plain(count(215_400_000))).toBe("215 M");
});

test("groups of three digits have thin no-break spaces", () => expect(grouped(82304118016)).toBe("82\u202f304\u202f118\u202f016"));

test("three significant digits", () => expect([9.994, 9.996, 99.94, 99.96].map(threeDigits)).toEqual(["9.99", "10.0", "99.9", "100"]));

test("largest remainder gives parts that sum to the whole", () => {
  expect(largestRemainder([1, 1, 1], 100)).toEqual([34, 33, 33]);
  expect(largestRemainder([0, 0], 100)).toEqual([0, 0]);
  for (let n = 1; n < 40; n++) {
    const values = Array.from({ length: n }, (_, i) => ((i * 7919) % 101) + 0.3);
    expect(largestRemainder(values, 1000).reduce((a, b) => a + b, 0)).toBe(1000);
  }
});

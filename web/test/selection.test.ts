import { expect, test } from "vitest";
import { explainCommand, readAddress, writeAddress } from "../src/selection";

test.each(["#", "#time", "#time&layer=unet.mid_block", "#evict&phase=text+encoder&class=parameter&cause=row.conflict&theme=dark"])(
  "the address %s survives reading and writing", (hash) => expect(writeAddress(readAddress(hash))).toBe(hash));

test("a layer with any sign in its name survives", () => {
  const selected = { layer: "a&b=c d+e#f%" };
  expect(readAddress(writeAddress({ part: "time", selected })).selected).toEqual(selected);
});

test("an unknown field or theme is left out", () => {
  expect(readAddress("#time&colour=red&theme=pink")).toEqual({ part: "time", selected: {} });
});

test("a broken escape does not stop the page", () => expect(readAddress("#time&layer=%E0%A4%A").selected.layer).toBe("%E0%A4%A"));

test("the explain command asks for the fields of the selection", () => {
  expect(explainCommand("sd14.dfr", { layer: "x", cause: "refresh" })).toBe("diffram explain sd14.dfr --by layer,cause --of time");
});

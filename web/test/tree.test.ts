import { expect, test } from "vitest";
import { checked } from "../src/data";
import { csvText, evictCsv, leavesCsv } from "../src/csv";
import { matches } from "../src/find";
import { groupRows } from "../src/groups";
import { layout, LayerTree, narrowest, sum } from "../src/tree";
import { outlineRows } from "../src/outline";
import { smallRun } from "./small-run";

const tree = new LayerTree(smallRun());

test("every node holds the sum of its children", () => {
  for (let node = 0; node < tree.size; node++) {
    const children = tree.children[node]!;
    if (children.length === 0) continue;
    expect(tree.totals[node]!.time).toBe(sum(children.map((child) => tree.totals[child]!.time)));
    expect(sum(tree.totals[node]!.causes)).toBe(sum(children.map((child) => sum(tree.totals[child]!.causes))));
  }
  expect(tree.totals[0]!.time).toBe(1000);
});

test("a node knows its phase and its module path", () => {
  expect([tree.phase(6), tree.layer(6), tree.isOp(6)]).toEqual(["forward", "down.0", true]);
  expect([tree.phase(8), tree.layer(8)]).toEqual(["optimizer", ""]);
});

test.each([
  [{}, [0]], [{ phase: "forward" }, [1]], [{ layer: "down.0" }, [3]], [{ phase: "optimizer", layer: "down.0" }, []],
  [{ layer: "down.0", op: "aten._softmax.default" }, [6]], [{ op: "aten.convolution.default" }, [5, 7]],
] as const)("the selection %o names the nodes %o", (selected, nodes) => {
  const { phase, layer, op } = selected as { phase?: string; layer?: string; op?: string };
  expect(tree.find(phase, layer, op)).toEqual(nodes);
});

test("cells keep program order, fill their parent and merge what is too narrow", () => {
  const cells = layout(tree, 0, "time", 1000, 9);
  const down = cells.filter((cell) => cell.depth === 3 && cell.x < 401);
  expect(down.map((cell) => [cell.node, cell.merged, cell.x, cell.width])).toEqual([[5, 0, 0, 100], [6, 0, 100, 300], [3, 1, 400, 1]]);
  for (const cell of cells) expect(cell.merged > 0 || cell.width >= narrowest).toBe(true);
});

test("equal ops of several layers are one group", () => {
  const rows = groupRows(tree, [0]);
  expect(rows.map((row) => [row.group, row.places, row.totals.time])).toEqual([[2, 1, 499], [1, 1, 300], [0, 2, 200], [3, 1, 1]]);
});

test("find needs every word and puts the longest first", () => {
  expect(matches(tree, "down softmax")).toEqual([6]);
  expect(matches(tree, "forward")[0]).toBe(1);
  expect(matches(tree, "")).toEqual([]);
});

test("the outline leaves out trifles", () => expect(outlineRows(tree).every((row) => row.totals.time >= 30)).toBe(true));

test("the CSV has every leaf in SI base units", () => {
  const lines = leavesCsv(tree, tree.data, [0]).trim().split("\n");
  expect(lines).toHaveLength(1 + 5);
  expect(lines[1]).toMatch(/^forward,down\.0,aten\.convolution\.default,1,0\.000095367431640625,0\.0000476837158203125,6400,/);
});

test("a CSV cell with a comma or a quote is quoted", () => expect(csvText([["a,b", 'c"d', 1]])).toBe('"a,b","c""d",1\n'));

test("conflict time is divided by the channels", () => expect(evictCsv(tree.data)).toContain("a,b,0.0000095367431640625\n"));

test("a column of another length is refused with both numbers", () => {
  const broken = smallRun();
  broken.tree.time.pop();
  expect(() => checked(broken)).toThrow("column time: expected 10 rows, found 9");
});

test("data of another version is refused", () => {
  expect(() => checked({ ...smallRun(), version: 2 })).toThrow("data version: expected 1, found 2");
});

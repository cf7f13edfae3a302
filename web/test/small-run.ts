// A run of five leaves, small enough to add up by hand.

import type { RunData } from "../src/data";

const causes = 20;
const classes = 13;

export function smallRun(): RunData {
  //      0 run, 1 forward, 2 optimizer, 3 down.0, 4 up.0, 5 conv, 6 softmax, 7 conv, 8 adamw, 9 tiny
  const parent = [-1, 0, 0, 1, 1, 3, 3, 4, 2, 3];
  const names = ["run", "forward", "optimizer", "down.0", "up.0", "aten.convolution.default", "aten._softmax.default", "aten._fused_adamw_.default", "tiny"];
  const name = [0, 1, 2, 3, 4, 5, 6, 5, 7, 8];
  const time = [0, 0, 0, 0, 0, 100, 300, 100, 499, 1];
  const column = (at: number): number[][] =>
    Array.from({ length: at === 0 ? causes : classes }, (_, i) => time.map((value) => (i === at ? value * 4 : 0)));
  const byClass = Array.from({ length: classes }, (_, i) => time.map((value) => (i === 8 ? value * 64 : 0)));
  return {
    version: 1, workload: "small", channels: 4, period_s: 2 ** -20, has_energy: true,
    causes: ["data.read", "data.write", "row.conflict", "row.miss", "row.hold", "act.window", "turn.wr", "turn.rw", "bank_group", "rank.switch",
      "command.bus", "refresh", "power.exit", "idle.throttle", "policy", "front", "dispatch", "cas", "idle.compute", "idle.end"],
    cause_names: [], families: [{ token: "data", title: "Moving data", causes: [0, 1] }],
    classes: ["parameter", "buffer", "optimizer_state", "gradient", "ema", "input", "weight_cast", "recomputed_activation", "activation",
      "activation_gradient", "external", "temporary", "(none)"],
    tree: {
      parent, name, names, is_op: [0, 0, 0, 0, 0, 1, 1, 1, 1, 1], group: [-1, -1, -1, -1, -1, 0, 1, 0, 2, 3],
      time, wait: time.map((value) => value / 2), again: time.map(() => 0), hits: time, columns: time, ops: time.map((value) => (value > 0 ? 1 : 0)),
      causes: column(0), lost: byClass, bytes: byClass, conflicts: byClass, energy: byClass,
    },
    groups: { label: ["conv", "softmax", "adamw", "tiny"], where: ["down 0, up 0", "down 0", "optimizer", "down 0"], places: [2, 1, 1, 1] },
    evict: { operands: ["a", "b"], classes: ["activation", ""], cycles: [[0, 40], [4, 0]] },
    repeated: [],
  };
}

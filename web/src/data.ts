// The run's data: columns written by src/report/page_data.cpp, gzip in base64, inflated after the
// first paint.

export interface TreeColumns {
  parent: number[];
  name: number[];
  is_op: number[];
  group: number[];
  names: string[];
  time: number[];
  wait: number[];
  again: number[];
  hits: number[];
  columns: number[];
  ops: number[];
  causes: number[][];
  lost: number[][];
  bytes: number[][];
  conflicts: number[][];
  energy: number[][];
}

export interface Family {
  token: string;
  title: string;
  causes: number[];
}

export interface RunData {
  version: number;
  workload: string;
  channels: number;
  period_s: number;
  has_energy: boolean;
  causes: string[];
  cause_names: string[];
  families: Family[];
  classes: string[];
  tree: TreeColumns;
  groups: { label: string[]; where: string[]; places: number[] };
  evict: { operands: string[]; classes: string[]; cycles: number[][] };
  repeated: [name: string, tensorClass: string, size: number, loads: number, again: number][];
}

const supportedVersion = 1;

/** Throws with a sentence for the reader when the data is not what this page can draw. */
export function checked(data: RunData): RunData {
  if (data.version !== supportedVersion)
    throw new Error(`data version: expected ${supportedVersion}, found ${data.version}`);
  const rows = data.tree.parent.length;
  const { names: _names, ...columns } = data.tree;
  for (const [name, column] of Object.entries(columns)) {
    const parts = Array.isArray(column[0]) ? (column as number[][]) : [column as number[]];
    for (const part of parts)
      if (part.length !== rows) throw new Error(`column ${name}: expected ${rows} rows, found ${part.length}`);
  }
  return data;
}

export async function readData(element: HTMLElement): Promise<RunData> {
  const text = atob(element.textContent ?? "");
  const packed = Uint8Array.from(text, (letter) => letter.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return checked((await new Response(stream).json()) as RunData);
}

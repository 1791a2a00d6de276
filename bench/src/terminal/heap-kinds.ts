/**
 * What a page's heap holds, by kind: what its scripts made, and what the browser's engine wrote for itself while it ran them. The engine compiles again what
 * runs often, for as long as a page is open; what the scripts made is what a leak of theirs would be seen in.
 */

/** As the debugger of Chromium describes a heap: fields of each node one after the other, names by their place in a list. */
export interface HeapSnapshot {
  readonly snapshot: {
    readonly meta: { readonly node_fields: readonly string[]; readonly node_types: readonly [readonly string[], ...unknown[]] };
  };
  readonly nodes: readonly number[];
}

/** In bytes. */
export interface HeapKinds {
  /** Objects, arrays, texts, numbers and functions of the page's scripts. */
  readonly data: number;
  /** Bytecode, machine code and what they were compiled from and for. */
  readonly code: number;
}

const OF_DATA = new Set([
  'object',
  'array',
  'string',
  'concatenated string',
  'sliced string',
  'closure',
  'number',
  'bigint',
  'regexp',
  'symbol',
]);

export function heapKinds({ snapshot: { meta }, nodes }: HeapSnapshot): HeapKinds {
  const width = meta.node_fields.length;
  const [typeAt, sizeAt] = [meta.node_fields.indexOf('type'), meta.node_fields.indexOf('self_size')];
  const [types] = meta.node_types;
  const kinds = { data: 0, code: 0 };
  for (let node = 0; node < nodes.length; node += width) {
    const type = types[nodes[node + typeAt] ?? 0] ?? '';
    const size = nodes[node + sizeAt] ?? 0;
    if (OF_DATA.has(type)) kinds.data += size;
    else if (type === 'code') kinds.code += size;
  }
  return kinds;
}

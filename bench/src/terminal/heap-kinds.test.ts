import { expect, test } from 'vitest';
import { heapKinds } from './heap-kinds.ts';

const META = {
  node_fields: ['type', 'name', 'id', 'self_size', 'edge_count'],
  node_types: [['hidden', 'array', 'string', 'object', 'code', 'closure', 'native', 'number', 'object shape'], 'string'],
} as const;
const node = (type: (typeof META.node_types)[0][number], size: number): number[] => [META.node_types[0].indexOf(type), 7, 9, size, 3];

test('objects, arrays, texts, functions and numbers are data; bytecode and machine code are code; what the browser draws with is neither', () => {
  const nodes = [
    ...node('object', 10),
    ...node('array', 200),
    ...node('string', 3_000),
    ...node('closure', 40_000),
    ...node('number', 500_000),
    ...node('code', 77),
    ...node('code', 700),
    ...node('native', 9_000_000),
    ...node('object shape', 9_000_000),
  ];
  expect(heapKinds({ snapshot: { meta: META }, nodes })).toEqual({ data: 543_210, code: 777 });
});

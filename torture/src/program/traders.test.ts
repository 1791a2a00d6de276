import { expect, test } from 'vitest';
import { contradictions, Memory } from './traders.ts';

const order = (clientOrderId: string, orderId: string) => ({ clientOrderId, orderId });

function memoryOf({ placed = {}, canceled = [], refused = {} }: Remembered): Memory {
  const memory = new Memory();
  for (const [name, orderId] of Object.entries(placed)) memory.placed.set(name, orderId);
  for (const orderId of canceled) memory.canceled.add(orderId);
  for (const [name, reason] of Object.entries(refused)) memory.refused.set(name, reason);
  return memory;
}

interface Remembered {
  readonly placed?: Readonly<Record<string, string>>;
  readonly canceled?: readonly string[];
  readonly refused?: Readonly<Record<string, string>>;
}

test('history that is what was answered contradicts nothing', () => {
  const memory = memoryOf({ placed: { a: '1', b: '2' }, canceled: ['2'], refused: { c: 'Overloaded' } });
  expect(contradictions(memory, { open: [order('a', '1')], closed: [order('b', '2')] })).toEqual([]);
});

test.each([
  ['an order that is not there', { placed: { a: '1' } }, [], [], 'a was answered as order 1, and is not there'],
  ['another order of this name', { placed: { a: '1' } }, [], [order('a', '2')], 'a was answered as order 1, and is order 2'],
  ['an order open and closed', {}, [order('a', '1')], [order('a', '1')], 'order 1 is there twice'],
  ['two orders of one name', {}, [order('a', '1')], [order('a', '2')], 'there are two orders a'],
  ['a cancelled order that is open', { canceled: ['1'] }, [order('a', '1')], [], 'order 1 was cancelled and is open'],
  ['a refused order that is there', { refused: { a: 'NotNow' } }, [], [order('a', '1')], 'a was refused (NotNow), and is order 1'],
])('%s is found', (_, remembered, open, closed, sentence) => {
  expect(contradictions(memoryOf(remembered), { open, closed })).toContain(sentence);
});

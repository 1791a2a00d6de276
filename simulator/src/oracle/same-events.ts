/** Whether two exchanges emit the same events. */
import { isDeepStrictEqual } from 'node:util';
import type { Event } from '@orrery/protocol';

/** The first difference in words; undefined when there is none. */
export function differenceOf(left: readonly Event[], right: readonly Event[]): string | undefined {
  for (let index = 0; index < Math.max(left.length, right.length); index += 1) {
    const [one, other] = [left[index], right[index]];
    if (one === undefined || other === undefined || !isSame(one, other)) return `${print(one)} against ${print(other)}`;
  }
  return undefined;
}

function isSame(left: Event, right: Event): boolean {
  const [one, other]: [Record<string, unknown>, Record<string, unknown>] = [{ ...left }, { ...right }];
  const names = Object.keys(one);
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => one[name] === other[name] || isDeepStrictEqual(one[name], other[name]))
  );
}

const print = (event: Event | undefined): string =>
  event === undefined ? 'nothing' : JSON.stringify(event, (_, field: unknown) => (typeof field === 'bigint' ? `${field}n` : field));

import { expect, test } from 'vitest';
import { EventLog, EVENTS_KEPT } from './event-log.ts';

test('the last fifty events are kept, oldest first', () => {
  let now = 0;
  const log = new EventLog(() => (now += 1));
  for (let count = 1; count <= EVENTS_KEPT + 10; count += 1) log.add('call', `event ${count}`);
  expect(log.events).toHaveLength(50);
  expect(log.events[0]).toEqual({ at: 11, kind: 'call', words: 'event 11' });
  expect(log.events.at(-1)?.words).toBe('event 60');
});

test('addresses and hashes are no part of a report, and no event is long', () => {
  const log = new EventLog(() => 0);
  log.add('page', '/explorer/address/0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed');
  log.add('error', 'x'.repeat(1_000));
  expect(log.events.map(({ words }) => words.length)).toEqual(['/explorer/address/0x…'.length, 160]);
});

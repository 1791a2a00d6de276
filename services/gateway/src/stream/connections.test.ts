import { expect, test } from 'vitest';
import { LIMITS } from '../limits/limits.ts';
import type { Connection } from './connection.ts';
import { Connections } from './connections.ts';

test('who gives no sign of life is given up, but not for a time in which nothing was read', () => {
  const { stream } = LIMITS;
  let now = 0;
  const acts: string[] = [];
  const connections = new Connections(stream, () => now);
  const connection = {
    network: 'a',
    heardAt: 0,
    socket: { ping: () => acts.push('ping'), terminate: () => acts.push('terminate') },
  };
  connections.add(connection as unknown as Connection);
  const beatAt = (ms: number): string | undefined => {
    now = ms;
    connections.heartbeat();
    return acts.at(-1);
  };
  const { pingMs, deadMs } = stream;
  expect(beatAt(pingMs)).toBe('ping');
  // Stopped for ten minutes, and nothing of what came meanwhile is read yet.
  const back = pingMs + 600_000;
  expect(beatAt(back)).toBe('ping');
  connection.heardAt = back + 1;
  expect(beatAt(back + pingMs)).toBe('ping');
  expect(beatAt(back + 2 * pingMs)).toBe('ping');
  expect(beatAt(back + deadMs + pingMs)).toBe('terminate');
});

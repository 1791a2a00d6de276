import { expect, test } from 'vitest';
import { nearest } from './nearest.ts';

const NAMES = ['port', 'host', 'log', 'rpcUrl', 'blockIntervalMs', 'blockedAddresses', 'bugLink'];

test.each([
  ['prot', 'port'],
  ['hsot', 'host'],
  ['ORRERY_RPC_URL', 'rpcUrl'],
  ['rpc', 'rpcUrl'],
  ['bloked', 'blockedAddresses'],
  ['blockInterval', 'blockIntervalMs'],
])('who writes %s means %s', (wrong, meant) => {
  expect(nearest(wrong, NAMES)).toBe(meant);
});

import { describe, expect, test } from 'vitest';
import { createFollower } from './follow-wallet.ts';
import type { SessionEvent } from './session-state.ts';

const ALICE = '0x00000000000000000000000000000000000A11ce';
const BOB = '0x0000000000000000000000000000000000000b0b';
const walletOf = (address: `0x${string}`) => ({ address, chainId: 1, type: 'injected', name: 'Sundial' }) as const;

function followed() {
  const events: SessionEvent[] = [];
  const configuration = Promise.withResolvers<readonly string[]>();
  const follow = createFollower({ blockedAddresses: () => configuration.promise, dispatch: (event) => void events.push(event) });
  return { events, configuration, follow };
}

describe('following the wallet', () => {
  test('a wallet that was let go while the configuration was on its way is not connected afterwards', async () => {
    const { events, configuration, follow } = followed();
    const connecting = follow(walletOf(ALICE));
    await follow(undefined);
    configuration.resolve([]);
    await connecting;
    expect(events).toEqual([{ type: 'walletDisconnected' }]);
  });

  test('of two accounts chosen one after the other the last one counts', async () => {
    const { events, configuration, follow } = followed();
    const both = [follow(walletOf(ALICE)), follow(walletOf(BOB))];
    configuration.resolve([]);
    await Promise.all(both);
    expect(events).toEqual([{ type: 'walletConnected', address: BOB, isBlocked: false }]);
  });

  test('[L1] a blocked address is recognised in any case of its letters', async () => {
    const { events, configuration, follow } = followed();
    configuration.resolve([ALICE.toUpperCase()]);
    await follow(walletOf(ALICE));
    expect(events).toEqual([{ type: 'walletConnected', address: ALICE.toLowerCase(), isBlocked: true }]);
  });
});

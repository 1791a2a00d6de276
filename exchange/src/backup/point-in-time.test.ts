import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Command, Event } from '@orrery/protocol';
import { nodeDisk, openSequencer, type Sequencer } from '@orrery/sequencer';
import { dayOf } from '@orrery/rules';
import { accountId, addressOf, atoms, millis } from '@orrery/units';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ENGINES } from '../engines.ts';
import { PRACTICE_ASSET, PRACTICE_CONTRACTS, registerListing, USUAL_LISTING } from '../listing.ts';
import { findPoint, parseUntil, refuseTraces } from './point-in-time.ts';

const LIMITS = { segmentBytes: 1 << 20, reserveBytes: 1 << 16, minFreeRatio: 0 };
const NOW = 1_764_460_800_000;
const PERSON = accountId(1);

let directory = '';
let heart: Sequencer;
beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'orrery-point-'));
  let now = NOW;
  const clock = { wallMs: () => (now += 1), monotonicMs: () => (now += 1) };
  const raise = (error: Error): never => expect.fail(error.message);
  heart = await openSequencer({ directory, engines: ENGINES, disk: nodeDisk, clock, onFatal: raise, log: () => undefined, limits: LIMITS });
  await registerListing(heart, { ...USUAL_LISTING, practice: PRACTICE_CONTRACTS });
  await must({ type: 'OpenAccount', address: addressOf(`0x${'11'.repeat(20)}`) });
  await must({ type: 'SetAccountFlag', account: PERSON, flag: 'termsAccepted', value: true });
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

async function must(command: Command): Promise<readonly Event[]> {
  const { events } = await heart.submit(command);
  expect(events.filter(({ type }) => type === 'CommandRejected')).toEqual([]);
  return events;
}

const STOCK: Command = { type: 'StockPractice', account: PERSON, upTo: atoms(10n ** BigInt(PRACTICE_ASSET.decimals)) };

/** What a restore to the present end says after these commands. */
async function restoredAfter(commands: readonly Command[]): Promise<string> {
  const until = parseUntil(`${heart.status().seq}`);
  for (const command of commands) await must(command);
  await heart.stop();
  const cut = findPoint(directory, until);
  if (cut === undefined) return 'nothing to cut';
  try {
    refuseTraces(directory, cut);
    return 'restored';
  } catch (error) {
    return (error as Error).message;
  }
}

test('a set goes back behind the stock of practice coins, which the exchange looks at each minute, and behind those that a tester was given', async () => {
  const grant: Command = { type: 'GrantPractice', account: PERSON, day: dayOf(millis(NOW)) };
  expect(await restoredAfter([STOCK, STOCK, grant, grant])).toBe('restored');
});

test('a set does not go back behind a flag of an account, which the services keep too', async () => {
  const seq = heart.status().seq + 2;
  const flag: Command = { type: 'SetAccountFlag', account: PERSON, flag: 'connected', value: true };
  expect(await restoredAfter([STOCK, flag, STOCK])).toContain(`command ${seq} (SetAccountFlag) left in it what no journal takes back`);
});

/** An order of the OTC desk goes on wherever the process ends, and each of its steps is taken once, whatever is asked again after the start. */
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { createEngine, decodeState } from '@orrery/engine';
import type { Command } from '@orrery/protocol';
import { seq } from '@orrery/units';
import { opening } from '../../../core/engine/src/testing/tape.ts';
import { parseCommand } from '../../../core/engine/src/testing/tape-command.ts';
import { newFolder, openHeart, removeFolders } from './testing/open-heart.ts';
import type { Sequencer } from './sequencer.ts';
import { verifyFolder } from './verify.ts';

afterEach(removeFolders);

const engines = { createEngine, decodeState };
const START = 1_700_000_000_000;
const HEARD_MS = 30_000;
const lockFolder = () => Promise.resolve({ release: () => Promise.resolve() });

type Line = readonly [second: number, who: string, words: string];

const PREPARED: readonly Command[] = [
  ...opening(),
  { type: 'UpgradeRules', version: 9 },
  ...[
    ['exchange', 'otc opens'],
    ['alice', 'transfer 500 BTC spot>funding t'],
    ['bob', 'transfer 500 BTC spot>funding t'],
    ['alice', 'otc sells 100 BTC @ 7.50 usd 10-500 as a1'],
  ].map(([who = '', words = '']) => parseCommand(who, words.split(' '))),
];

/** Nobody asks for the timers: the last line of each is about something else. */
const JOURNEYS: readonly (readonly [string, readonly Line[], readonly string[], Money])[] = [
  [
    'paid and released',
    [
      [1, 'bob', 'otc takes 1 20 BTC @ 7.50 as o1'],
      [2, 'bob', 'otc paid 1'],
      [3, 'alice', 'otc releases 1'],
    ],
    ['PAID', 'RELEASED'],
    { alice: 400n, bob: 520n, escrow: 80n },
  ],
  [
    'cancelled',
    [
      [1, 'bob', 'otc takes 1 20 BTC @ 7.50 as o1'],
      [2, 'bob', 'otc paid 1'],
      [3, 'bob', 'otc cancels 1'],
    ],
    ['PAID', 'CANCELLED'],
    { alice: 400n, bob: 500n, escrow: 100n },
  ],
  [
    'not paid',
    [
      [1, 'bob', 'otc takes 1 20 BTC @ 7.50 as o1'],
      [901, 'exchange', 'index 100'],
    ],
    ['EXPIRED'],
    { alice: 400n, bob: 500n, escrow: 100n },
  ],
  [
    'disputed, decided, appealed and decided again',
    [
      [1, 'bob', 'otc takes 1 20 BTC @ 7.50 as o1'],
      [2, 'bob', 'otc paid 1'],
      [1_802, 'bob', 'otc disputes 1'],
      [1_803, 'exchange', 'otc decides 1 RETURNED'],
      [1_804, 'bob', 'otc appeals 1'],
      [1_805, 'exchange', 'otc decides 1 RELEASED again'],
    ],
    ['PAID', 'DISPUTED', 'RELEASED'],
    { alice: 400n, bob: 520n, escrow: 80n },
  ],
  [
    'disputed by itself, and decided once',
    [
      [1, 'bob', 'otc takes 1 20 BTC @ 7.50 as o1'],
      [2, 'bob', 'otc paid 1'],
      [86_402, 'exchange', 'otc decides 1 RELEASED'],
      [90_002, 'exchange', 'index 100'],
    ],
    ['PAID', 'DISPUTED', 'RELEASED'],
    { alice: 400n, bob: 520n, escrow: 80n },
  ],
];

interface Money {
  readonly alice: bigint;
  readonly bob: bigint;
  readonly escrow: bigint;
}

async function opened(folder: string) {
  let now = START;
  const { heart } = await openHeart(folder, { engines, lockFolder, clock: { wallMs: () => now, monotonicMs: () => now } });
  // Journaled time goes on where it was.
  now = Math.max(START, heart.status().at);
  const give = async ([second, who, words]: Line): Promise<void> => {
    // Of an exchange that is there: a longer silence would be an outage.
    for (; now + HEARD_MS < START + second * 1_000; now += HEARD_MS) await heart.submit(parseCommand('exchange', ['otc', 'opens']));
    now = START + second * 1_000;
    await heart.submit(parseCommand(who, words.split(' ')));
  };
  return { heart, give };
}

async function stepsOf(heart: Sequencer): Promise<readonly string[]> {
  const steps: string[] = [];
  for await (const batch of heart.subscribe(seq(0)))
    for (const { events } of batch) for (const event of events) if (event.type === 'OtcOrderStepped') steps.push(event.status);
  return steps;
}

function moneyOf(heart: Sequencer): Money {
  const view = heart.open();
  view.close();
  const free = (account: number): bigint =>
    view.facts.reduce(
      (found, fact) =>
        fact.type === 'BalanceChanged' && fact.account === account && fact.wallet === 'funding' && fact.asset === 2 ? fact.free : found,
      0n,
    );
  // Everything is with somebody, or in escrow: three people brought a thousand each.
  const all = view.facts.reduce(
    (sum, fact) => (fact.type === 'BalanceChanged' && fact.asset === 2 ? sum + fact.free + fact.held : sum),
    0n,
  );
  return { alice: free(1), bob: free(2), escrow: 3_000n - all };
}

test.each(JOURNEYS)('OT1, R3: an order that is %s ends once, wherever the process dies', async (_, lines, steps, money) => {
  const folder = newFolder();
  const { heart, give } = await opened(folder);
  await Promise.all(PREPARED.map((command) => heart.submit(command)));
  const copies: string[] = [];
  for (const line of lines) {
    await give(line);
    const copy = join(newFolder(), 'copy');
    cpSync(folder, copy, { recursive: true });
    copies.push(copy);
  }
  await heart.stop();
  for (const [died, copy] of copies.entries()) {
    const again = await opened(copy);
    // Its client never had the answer, nor to the ones before.
    for (const line of [
      ...lines.slice(0, died + 1).map(([, who, words]): Line => [lines[died]?.[0] ?? 0, who, words]),
      ...lines.slice(died + 1),
    ])
      await again.give(line);
    await again.heart.stop();
    expect(await stepsOf(again.heart), `died after ${died + 1}`).toEqual(steps);
    expect(moneyOf(again.heart), `died after ${died + 1}`).toEqual(money);
    expect(verifyFolder(copy, engines).seq).toBe(again.heart.status().seq);
  }
});

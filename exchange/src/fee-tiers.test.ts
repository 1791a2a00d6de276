import { localLease } from '@orrery/foundation';
import type { TradedVolume } from '@orrery/projector';
import type { Command, Event, View } from '@orrery/protocol';
import { accountId, atoms, millis, seq } from '@orrery/units';
import { expect, test } from 'vitest';
import { FeeTiers } from './fee-tiers.ts';

const MILLION = 10n ** 12n;
const [ALICE, BOB, CAROL, FUND, HOUSE] = [1, 2, 3, 8, 9].map(accountId);

const row = (account: number, millions: { perpetual?: bigint; spot?: bigint; maker?: bigint }): TradedVolume => ({
  account: accountId(account),
  perpetual: atoms((millions.perpetual ?? 0n) * MILLION),
  spot: atoms((millions.spot ?? 0n) * MILLION),
  maker: atoms((millions.maker ?? 0n) * MILLION),
});

function scene({ volumes, facts = [] }: { volumes: TradedVolume[]; facts?: readonly Event[] }) {
  const submitted: Command[] = [];
  const asked: number[] = [];
  const tiers = new FeeTiers({
    lease: localLease('timers'),
    heart: {
      submit(command) {
        submitted.push(command);
        return Promise.resolve({ seq: seq(submitted.length), at: millis(1), events: [] });
      },
      open: (): View => ({ seq: seq(0), facts, tail: (async function* () {})(), close: () => undefined }),
      end: () => Promise.resolve(seq(5)),
    },
    history: {
      reached: async () => undefined,
      contracts: {
        volumes({ now }) {
          asked.push(now);
          return Promise.resolve(volumes);
        },
      },
    },
    isHouse: (account) => account === HOUSE,
    isFund: (account) => account === FUND,
    usdcDecimals: 6,
    now: () => 86_400_000 * 20_000 + 120_000,
    onTrouble: (error) => {
      throw error;
    },
  });
  return { tiers, submitted, asked };
}

test('a tier comes of perpetual volume and twice spot volume, a rebate of the share of all maker volume, and the house and funds have none', async () => {
  const { tiers, submitted } = scene({
    // Alice: 20 + 2 × 3 = 26 million. Bob made 4 of 104 million, which is more than 3 %. Carol has exactly 5 million.
    volumes: [
      row(1, { perpetual: 20n, spot: 3n }),
      row(2, { perpetual: 4n, maker: 4n }),
      row(3, { spot: 2n, perpetual: 1n }),
      row(9, { perpetual: 900n, maker: 80n }),
      row(8, { perpetual: 700n, maker: 20n }),
    ],
  });
  tiers.start();
  await tiers.stop();
  expect(submitted).toEqual([
    { type: 'SetFeeTier', account: ALICE, tier: 2, rebateTier: 0 },
    { type: 'SetFeeTier', account: BOB, tier: 0, rebateTier: 3 },
  ]);
});

test('tiers that are as they are wanted are not set again, and an account that traded nothing falls back', async () => {
  const { tiers, submitted, asked } = scene({
    volumes: [row(1, { perpetual: 26n })],
    facts: [
      { type: 'FeeTierSet', account: accountId(1), tier: 2, rebateTier: 0 },
      { type: 'FeeTierSet', account: accountId(3), tier: 1, rebateTier: 2 },
    ],
  });
  tiers.start();
  await tiers.stop();
  expect(submitted).toEqual([{ type: 'SetFeeTier', account: CAROL, tier: 0, rebateTier: 0 }]);
  expect(asked).toHaveLength(1);
  await tiers.look();
  expect(asked).toHaveLength(1);
});

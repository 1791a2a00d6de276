/** The funds of this exchange: what stands beside them in words, and with how much they begin. */
import type { FundPlan } from '@orrery/fund';
import type { Asset } from '@orrery/protocol';
import { assetId } from '@orrery/units';

interface HouseFund extends FundPlan {
  /** Their number never changes; no other asset has one of these. */
  readonly share: Asset;
  /** What the house pays for the first shares, in whole USDC. */
  readonly stake: bigint;
  /** The most that subscriptions may bring it to, in whole USDC. */
  readonly capacity: bigint;
}

const RISKS = [
  'You can lose money, all of it too: the NAV falls when the fund loses, and nobody pays for it.',
  'You subscribe and redeem at the NAV of a valuation to come, which nobody knows before.',
  'Your shares are locked for a day after each of your subscriptions. A redemption that the fund has no cash for waits up to 24 hours while it sells, and longer where it can not sell.',
  'The manager can be wrong, late or silent. A fund whose manager is silent for an hour sells what it has and pays by share, at the prices of that hour.',
  'Contracts multiply gains and losses: together they are worth at most three times the fund, each at most 40 % of it. A liquidated fund is closed.',
];

export const HOUSE_FUNDS: readonly HouseFund[] = [
  {
    code: 'QUANTO1',
    name: 'Quanto One',
    strategy: 'OTHER',
    summary:
      'The fund of the house, led with its own money. Its manager is a client of the public API like any other; everything is settled in USDC.',
    rules: [
      'While no manager trades, the fund holds its money in USDC, and its NAV stays as it is.',
      'A manager may trade perpetual contracts that are settled in USDC, and spot markets quoted in it, within the limits that the exchange keeps.',
      'What it holds and what it has in the books is shown ten minutes later.',
    ],
    risks: RISKS,
    share: { asset: assetId(21), code: 'QUANTO1', decimals: 6, kind: 'internal' },
    stake: 10_000n,
    // Twenty times the stake: beyond it the leader would have less than its part, and a subscription would be returned.
    capacity: 200_000n,
  },
];

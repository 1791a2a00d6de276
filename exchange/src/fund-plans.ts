/** The funds of this exchange: what stands beside them in words, and with how much they begin. */
import type { FundPlan } from '@orrery/fund';
import { CARRY, MAKING } from '@orrery/fund-manager';
import type { Asset } from '@orrery/protocol';
import { assetId } from '@orrery/units';

interface HouseFund extends FundPlan {
  readonly strategy: 'CARRY' | 'MARKET_MAKER';
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
    strategy: 'CARRY',
    summary:
      'Carry: long coins, short as many of their perpetual contract, so that prices hardly matter and funding is collected. The fund of the house, led with its own money; everything is settled in USDC.',
    rules: [
      `It trades ${CARRY.coins.join(' and ')}: bought on the spot market, and as many sold short as a contract. A step of at most ${CARRY.slicePercent} % of the fund in one is followed by the same step in the other before the next one.`,
      `It enters a coin where the average funding of ${CARRY.averageOf} hours, if it were paid for ${CARRY.holdHours / 24} days, is more than the fees of both sides, in and out; it leaves when that average, of ${CARRY.leftAfter} hours at least, is below zero. While no funding has been settled, the prediction of the exchange stands for it, for entering.`,
      `It buys coins up to ${CARRY.sharePercent} % of the fund in each, leaves them alone between ${CARRY.lowPercent} % and ${CARRY.highPercent} %, and sells down to ${CARRY.sharePercent} % above that. It looks once a minute.`,
      `Coins that ${CARRY.hedgeTries} tries to sell the contract have left without one against them are sold again, and none are bought for ${CARRY.restMinutes} minutes; none are bought either while the contract takes no order that makes a position larger. Shares that wait to be redeemed count as gone.`,
      `Its orders fill at once or not at all, at most ${CARRY.slippagePpm / 10_000} % away from the index price. The other side of most of its trades is the market-maker of the house, which leads the fund.`,
      'What it holds and what it has in the books is shown ten minutes later.',
    ],
    risks: RISKS,
    share: { asset: assetId(21), code: 'QUANTO1', decimals: 6, kind: 'internal' },
    stake: 10_000n,
    // Twenty times the stake: beyond it the leader would have less than its part, and a subscription would be returned.
    capacity: 200_000n,
  },
  {
    code: 'QUANTO2',
    name: 'Quanto Two',
    strategy: 'MARKET_MAKER',
    summary:
      'A market-maker on perpetual contracts: it quotes both sides and lives of the spread, with little held at a time. The fund of the house, led with its own money; everything is settled in USDC.',
    rules: [
      `It quotes ${MAKING.coins.join(', ')} on ${MAKING.levels} levels a side, none nearer to the index price than ${MAKING.halfSpreadPpm / 10_000} %, which is more than the fee of a maker. Orders are post-only.`,
      `The level next to the market is worth about ${MAKING.levelPercent} % of the fund, those further away up to four times that; a position is at most ${MAKING.positionPercent} % of it, either way.`,
      `Quotes lean against the position, by up to ${MAKING.skewPpm / 10_000} %. They move when the price has moved by ${MAKING.movePpm / 10_000} %, are looked at again every ${MAKING.reviewSeconds} seconds, and are taken out when the index price is older than ${MAKING.staleSeconds} seconds.`,
      'It hedges nothing. The other side of most of its trades is an account of the house, which leads the fund.',
      'What it holds and what it has in the books is shown ten minutes later.',
    ],
    risks: RISKS,
    share: { asset: assetId(22), code: 'QUANTO2', decimals: 6, kind: 'internal' },
    stake: 10_000n,
    capacity: 200_000n,
  },
];

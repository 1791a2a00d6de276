/**
 * Funding: once an interval, longs and shorts of a contract pay each other by the premium of its book over the index. The exchange takes nothing: what
 * rounding leaves over goes to DUST. A settlement takes as long with 100,000 positions as with one: it says what each owes, and each pays when it is
 * touched, or when the sweep (`continue-funding.ts`) reaches it.
 */
import { accountId, addAtoms, NO_ATOMS, type Millis } from '@orrery/units';
import type { Event, ForceFunding, SettleFunding } from '@orrery/protocol';
import { fundingLateMs, fundingReceived, reject } from '@orrery/rules';
import { moveFunding, payRemainder } from '../clearing/pay-funding.ts';
import type { ListedContract } from '../instruments/listed-market.ts';
import type { Trading } from '../orders/trading.ts';
import type { Settlement } from '../positions/contract-funding.ts';
import type { ContractState } from '../positions/contract-state.ts';
import { heldLots, isLong } from '../positions/position-row.ts';
import { closeInterval, isOpenBy, predictedFunding } from '../prices/contract-prices.ts';

export function settleFunding(trading: Trading, { market, interval }: SettleFunding, at: Millis): Event[] {
  const listed = trading.contracts.get(market);
  if (listed === undefined) return [reject('UnknownMarket', 'market')];
  const { terms, prices } = listed.contract;
  if (interval === 0 || interval % terms.fundingIntervalMs !== 0) return [reject('InvalidField', 'interval')];
  if (interval <= prices.settledAt) return [{ type: 'CommandRepeated', key: `${terms.symbol} ${interval}` }];
  // Only the interval that ended last: the premium of an earlier one is not known any more.
  if (interval > at || interval + terms.fundingIntervalMs <= at || !isOpenBy(trading.rules, prices, at))
    return [reject('FundingNotDue', 'interval')];
  if (trading.rules >= 6 && at - interval > fundingLateMs(terms)) return [reject('FundingNotDue', 'interval')];
  return settle(trading, listed, interval);
}

const FIRST_ACCOUNT = accountId(1);
/** How long ago an interval may be made to end. */
const FORCED_LATE_MAX_MS = 60_000;

/** The interval that is running ends at the time that is named, and the next one begins: the next regular settlement pays for the rest of it. */
export function forceFunding(trading: Trading, { market, interval }: ForceFunding, at: Millis): Event[] {
  const listed = trading.contracts.get(market);
  if (listed === undefined) return [reject('UnknownMarket', 'market')];
  const { terms, prices } = listed.contract;
  if (interval === 0) return [reject('InvalidField', 'interval')];
  if (interval <= prices.settledAt) return [{ type: 'CommandRepeated', key: `${terms.symbol} ${interval}` }];
  if (interval > at || at - interval > FORCED_LATE_MAX_MS || !isOpenBy(trading.rules, prices, at))
    return [reject('FundingNotDue', 'interval')];
  return settle(trading, listed, interval);
}

function settle(trading: Trading, listed: ListedContract, interval: Millis): Event[] {
  const { terms, prices, funding } = listed.contract;
  // A position owes for one interval at most.
  if (funding.unpaid !== undefined) return [reject('FundingNotDue', 'interval')];
  // After this point nothing fails.
  const settlement: Settlement = { interval, ratePpb: predictedFunding({ terms, prices }), price: prices.index };
  const events: Event[] = [{ type: 'FundingSettled', market: terms.market, ...settlement }];
  if (trading.rules < 7) payAll(trading, listed, settlement, events);
  else owe(listed.contract, settlement);
  closeInterval(prices, interval);
  return events;
}

/** Every open position owes from now on; nobody is looked at. */
function owe({ funding, openPositions }: ContractState, settlement: Settlement): void {
  if (settlement.ratePpb === 0 || openPositions === 0) return;
  funding.index += 1;
  funding.unpaid = { ...settlement, left: openPositions, nextAccount: FIRST_ACCOUNT, received: NO_ATOMS };
}

/** Before rules 7 the command that settled paid everybody. */
function payAll(trading: Trading, { contract }: ListedContract, { interval, ratePpb, price }: Settlement, events: Event[]): void {
  const { terms } = contract;
  let sum = NO_ATOMS;
  for (const row of trading.positions) {
    if (row.exposure.contract !== contract || row.size === 0) continue;
    const amount = fundingReceived(heldLots(row), isLong(row), price, ratePpb, terms);
    if (amount === NO_ATOMS) continue;
    moveFunding(trading, row, amount, events);
    sum = addAtoms(sum, amount);
    const { account } = row.exposure.holder;
    events.push({ type: 'FundingPaid', account, market: terms.market, positionSide: row.positionSide, interval, amount });
  }
  payRemainder(trading, contract, sum);
}

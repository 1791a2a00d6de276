/**
 * Funding: once an interval, longs and shorts of a contract pay each other by the premium of its book over the index. The exchange takes nothing: what
 * rounding leaves over goes to DUST.
 */
import { addAtoms, atoms, negateAtoms, NO_ATOMS, type Atoms, type Millis } from '@orrery/units';
import type { Event, ForceFunding, SettleFunding } from '@orrery/protocol';
import { fundingLateMs, fundingReceived, reject } from '@orrery/rules';
import { collect } from '../clearing/payment.ts';
import type { ListedContract } from '../instruments/listed-market.ts';
import { hold, pay } from '../ledger/movements.ts';
import type { Trading } from '../orders/trading.ts';
import { heldLots, isLong, type PositionRow } from '../positions/position-row.ts';
import { areReliable, closeInterval, predictedFunding } from '../prices/contract-prices.ts';

export function settleFunding(trading: Trading, { market, interval }: SettleFunding, at: Millis): Event[] {
  const listed = trading.contracts.get(market);
  if (listed === undefined) return [reject('UnknownMarket', 'market')];
  const { terms, prices } = listed.contract;
  if (interval === 0 || interval % terms.fundingIntervalMs !== 0) return [reject('InvalidField', 'interval')];
  if (interval <= prices.settledAt) return [{ type: 'CommandRepeated', key: `${terms.symbol} ${interval}` }];
  // Only the interval that ended last: the premium of an earlier one is not known any more.
  if (interval > at || interval + terms.fundingIntervalMs <= at || !areReliable(prices, at)) return [reject('FundingNotDue', 'interval')];
  if (trading.rules >= 6 && at - interval > fundingLateMs(terms)) return [reject('FundingNotDue', 'interval')];
  return settle(trading, listed, interval);
}

/** How long ago an interval may be made to end. */
const FORCED_LATE_MAX_MS = 60_000;

/** The interval that is running ends at the time that is named, and the next one begins: the next regular settlement pays for the rest of it. */
export function forceFunding(trading: Trading, { market, interval }: ForceFunding, at: Millis): Event[] {
  const listed = trading.contracts.get(market);
  if (listed === undefined) return [reject('UnknownMarket', 'market')];
  const { terms, prices } = listed.contract;
  if (interval === 0) return [reject('InvalidField', 'interval')];
  if (interval <= prices.settledAt) return [{ type: 'CommandRepeated', key: `${terms.symbol} ${interval}` }];
  if (interval > at || at - interval > FORCED_LATE_MAX_MS || !areReliable(prices, at)) return [reject('FundingNotDue', 'interval')];
  return settle(trading, listed, interval);
}

function settle(trading: Trading, listed: ListedContract, interval: Millis): Event[] {
  const { terms, prices } = listed.contract;
  const { market } = terms;
  // After this point nothing fails.
  const ratePpb = predictedFunding({ terms, prices });
  const events: Event[] = [{ type: 'FundingSettled', market, interval, ratePpb, price: prices.index }];
  payAll(trading, listed, { interval, ratePpb }, events);
  closeInterval(prices, interval);
  return events;
}

interface Settlement {
  readonly interval: Millis;
  readonly ratePpb: number;
}

function payAll(trading: Trading, { contract }: ListedContract, { interval, ratePpb }: Settlement, events: Event[]): void {
  const { ledger, positions } = trading;
  const { terms, prices } = contract;
  const clearing = ledger.system('CLEARING', terms.settle);
  let sum = NO_ATOMS;
  for (const row of positions) {
    if (row.exposure.contract !== contract || row.size === 0) continue;
    const amount = fundingReceived(heldLots(row), isLong(row), prices.index, ratePpb, terms);
    if (amount === NO_ATOMS) continue;
    positions.touch(row);
    if (amount < NO_ATOMS) collect(trading, row, clearing, negateAtoms(amount), events);
    else receive(trading, row, amount);
    row.funding = addAtoms(row.funding, amount);
    sum = addAtoms(sum, amount);
    const { account } = row.exposure.holder;
    events.push({ type: 'FundingPaid', account, market: terms.market, positionSide: row.positionSide, interval, amount });
  }
  // P2: positions never receive more than they pay.
  if (sum < NO_ATOMS) pay(ledger, clearing, ledger.system('DUST', terms.settle), atoms(0n - sum));
}

/** An isolated position keeps what it receives as margin. */
function receive({ ledger }: Trading, row: PositionRow, amount: Atoms): void {
  const { balance, contract, mode } = row.exposure;
  pay(ledger, ledger.system('CLEARING', contract.terms.settle), balance, amount);
  if (mode !== 'isolated') return;
  hold(ledger, balance, 'positionMargin', amount);
  row.margin = addAtoms(row.margin, amount);
}

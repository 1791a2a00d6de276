/** A round of outside prices of a contract: its index, its mark, and what they cause: triggers first, so that a stop-loss comes before a liquidation. */
import { NO_TICKS, type Millis } from '@orrery/units';
import type { CommandRejected, Event, SubmitPrices } from '@orrery/protocol';
import { reject } from '@orrery/rules';
import { afterOrder } from '../aftermath.ts';
import type { Exchange } from '../exchange.ts';
import type { ListedContract } from '../instruments/listed-market.ts';
import { pricesSet } from '../instruments/prices-set.ts';
import { afterPrices } from '../liquidation/run-liquidations.ts';
import { endMissedInterval, isOpenBy, takeRound } from '../prices/contract-prices.ts';

/** The most sources of each kind. */
const SOURCES_MAX = 16;

export function submitPrices(exchange: Exchange, command: SubmitPrices, at: Millis): Event[] {
  const malformed = exchange.rules < 7 ? malformedField(command) : repeatedField(command);
  if (malformed !== undefined) return [reject('InvalidField', malformed)];
  const listed = exchange.contracts.get(command.market);
  if (listed === undefined) return [reject('UnknownMarket', 'market')];
  const outside = exchange.rules < 7 ? outOfRange(listed, command) : undefined;
  if (outside !== undefined) return [outside];
  // After this point nothing fails.
  const { contract, triggers } = listed;
  const { prices, terms } = contract;
  if (exchange.rules >= 6) endMissedInterval(contract, at);
  takeRound({ terms, prices, book: listed.book, lastPrice: listed.lastPrice }, command, exchange.rules, at);
  const events: Event[] = [pricesSet(exchange, listed, at)];
  if (prices.state === 'DEGRADED') return events;
  // Before the contract is open what is tried would only take out of the book who may not open.
  if (listed.state === 'TRADING' && isOpenBy(exchange.rules, prices, at)) triggers.stalled.begin();
  triggers.reach('mark', prices.mark);
  triggers.reach('index', prices.index);
  if (listed.state === 'TRADING') afterOrder(exchange, at, { events, market: listed });
  afterPrices({ trading: exchange, state: exchange, at, events }, contract);
  // Trades of liquidations reach triggers of every contract that was traded; later commands fire them.
  for (const { contract: one, triggers: reached } of exchange.contracts.values())
    if (reached.isPending) exchange.pending.add(one.terms.market);
  return events;
}

/** Each source counts once. Since rules 7 a sample that says nothing is dropped, and does not take the others with it. */
export function repeatedField({ index, external }: Pick<SubmitPrices, 'index' | 'external'>): 'index' | 'external' | undefined {
  if (isRepeated(index)) return 'index';
  return isRepeated(external) ? 'external' : undefined;
}

const isRepeated = (samples: SubmitPrices['external']): boolean =>
  samples.length > SOURCES_MAX || new Set(samples.map(({ source }) => source)).size < samples.length;

/** Before rules 7. */
function malformedField({ index, external }: SubmitPrices): 'index' | 'external' | undefined {
  if (isRepeated(index) || index.some(({ price, ageMs, weight }) => price === NO_TICKS || ageMs < 0 || weight < 1)) return 'index';
  if (isRepeated(external)) return 'external';
  return external.some(({ price, ageMs }) => price === NO_TICKS || ageMs < 0) ? 'external' : undefined;
}

function outOfRange({ terms }: ListedContract, { index, external }: SubmitPrices): CommandRejected | undefined {
  const isOutside = ({ price }: SubmitPrices['external'][number]): boolean => price < terms.minPrice || price > terms.maxPrice;
  if (index.some(isOutside)) return reject('InvalidPrice', 'index');
  return external.some(isOutside) ? reject('InvalidPrice', 'external') : undefined;
}

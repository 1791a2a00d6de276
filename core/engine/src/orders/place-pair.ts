/** Places two orders of which one acts, or neither: the one on the winning side of the price first, with the reservation for both, then the stop. */
import { assert, NO_ATOMS, NO_LOTS, NO_TICKS, orderId, ppm, type Millis, type OrderId, type Ticks } from '@orrery/units';
import {
  NOT_ATTACHED,
  type CommandRejected,
  type Event,
  type OrderTerms,
  type PairLeg,
  type PlacePair,
  type SpotSource,
} from '@orrery/protocol';
import { hasLimit, isStop, reject, stopMarketBound } from '@orrery/rules';
import type { Listed } from '../instruments/listed-market.ts';
import { unchanged, type OrderOutcome } from './order-outcome.ts';
import { acceptable, enterOrder } from './place-order.ts';
import { spotOrderTerms, type Kin } from './spot-terms.ts';
import { takeBack } from './take-back.ts';
import type { Trading } from './trading.ts';

export function placePair(trading: Trading, command: PlacePair, at: Millis): OrderOutcome {
  const refusal = refusePair(trading, command);
  if (refusal !== undefined) return unchanged(refusal);
  const [first, second] = legsOf(command);
  const market = trading.markets.get(command.market);
  const group = trading.orders.nextId();
  const kin: Kin = { parent: 0, group, reservedBy: 0, reservePrice: NO_TICKS };
  const firstTerms = termsOf(command, first);
  const secondTerms = termsOf(command, second);
  const reservePrice = reserveOf(firstTerms, secondTerms, market);
  const placed = enter(trading, { terms: firstTerms, source: 'takeProfit', kin: { ...kin, reservePrice }, at, orderId: group });
  const [answer] = placed.events;
  if (answer?.type === 'CommandRejected') return unchanged(named(first.name, answer, first.leg));
  const isNew = answer?.type === 'OrderAccepted';
  const further = enter(trading, {
    terms: secondTerms,
    source: 'stopLoss',
    kin: { ...kin, reservedBy: group },
    at,
    orderId: isNew ? orderId(group + 1) : group,
  });
  const [objection] = further.events;
  if (objection?.type === 'CommandRejected' || isNew !== (objection?.type === 'OrderAccepted')) {
    // One of the two was placed before, and the other was not.
    for (const { events } of [further, placed]) undo(trading, events);
    if (objection?.type === 'CommandRejected') return unchanged(named(second.name, objection, second.leg));
    return unchanged(reject('DuplicateClientOrderId', `${isNew ? second.name : first.name}.clientOrderId`));
  }
  return { events: [...placed.events, ...further.events], market };
}

interface NamedLeg {
  readonly name: 'above' | 'below';
  readonly leg: PairLeg;
}

/** The one on the winning side first. */
const legsOf = ({ side, above, below }: PlacePair): readonly [NamedLeg, NamedLeg] =>
  side === 'sell'
    ? [
        { name: 'above', leg: above },
        { name: 'below', leg: below },
      ]
    : [
        { name: 'below', leg: below },
        { name: 'above', leg: above },
      ];

function refusePair({ rules }: Trading, command: PlacePair): CommandRejected | undefined {
  if (rules < 8) return reject('RulesTooOld');
  const [first, second] = legsOf(command);
  if (first.leg.orderType === 'market') return reject('InvalidCombination', `${first.name}.orderType`);
  if (!isStop(second.leg)) return reject('InvalidCombination', `${second.name}.orderType`);
  const { clientOrderId } = second.leg;
  if (clientOrderId !== '' && clientOrderId === first.leg.clientOrderId)
    return reject('DuplicateClientOrderId', `${second.name}.clientOrderId`);
  const wins = isStop(first.leg) ? first.leg.triggerPrice : first.leg.price;
  const isApart = command.side === 'sell' ? wins > second.leg.triggerPrice : wins < second.leg.triggerPrice;
  return isApart ? undefined : reject('InvalidCombination', `${second.name}.triggerPrice`);
}

function termsOf({ account, market, side, size, selfTradePrevention }: PlacePair, { leg }: NamedLeg): OrderTerms {
  const { clientOrderId, orderType, price, triggerPrice, slippagePpm } = leg;
  const timeInForce = orderType === 'limit' ? 'GTX' : hasLimit(leg) ? 'GTC' : 'IOC';
  return {
    account,
    market,
    clientOrderId,
    side,
    orderType,
    timeInForce,
    price,
    size,
    funds: NO_ATOMS,
    triggerPrice,
    slippagePpm,
    selfTradePrevention,
  };
}

/** A buy reserves the greater of what its two orders may cost. */
function reserveOf(first: OrderTerms, second: OrderTerms, market: Listed | undefined): Ticks {
  if (first.side === 'sell' || market === undefined) return NO_TICKS;
  const boundOf = (terms: OrderTerms): Ticks => (hasLimit(terms) ? terms.price : stopMarketBound(terms, market.terms));
  const [one, other] = [boundOf(first), boundOf(second)];
  return one > other ? one : other;
}

interface Leg {
  readonly terms: OrderTerms;
  readonly source: SpotSource;
  readonly kin: Kin;
  readonly orderId: OrderId;
  readonly at: Millis;
}

function enter(trading: Trading, { terms, source, kin, orderId: id, at }: Leg): OrderOutcome {
  const asked = {
    source: isStop(terms) ? source : 'plain',
    trailingPpm: ppm(0),
    activationPrice: NO_TICKS,
    takeProfit: NOT_ATTACHED,
    stopLoss: NOT_ATTACHED,
  } as const;
  const spot = spotOrderTerms(terms, asked, trading.markets.get(terms.market), kin);
  return enterOrder(trading, acceptable(terms, { orderId: id, createdAt: at }, spot));
}

function undo(trading: Trading, [first]: readonly Event[]): void {
  if (first?.type !== 'OrderAccepted') return;
  const open = trading.orders.known(first.orderId);
  assert(open.filled === NO_LOTS, 'an order of a pair takes nothing when it comes');
  takeBack(trading, open);
}

/** What a caller may name of a leg; the rest is of the pair. A limit order that would take is refused for its price: its time in force is nobody's choice. */
function named(name: string, refusal: CommandRejected, leg: PairLeg): CommandRejected {
  const field = refusal.field === 'timeInForce' ? 'price' : refusal.field;
  return { ...refusal, field: field in leg ? `${name}.${field}` : field };
}

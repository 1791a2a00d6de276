/** Orders that clients asked gateways for, what they were answered, and what of it history does not bear out: nothing else is looked at. */
import type { Fill, Order } from '@orrery/api';

/** `unknown`: no answer came, or one that says nothing of whether it was done. */
export type Outcome =
  | { readonly kind: 'unknown' }
  | {
      readonly kind: 'refused';
      readonly reason: string;
      /** It says nothing of earlier tries for the same order. */
      readonly isOfTry?: boolean;
    }
  | { readonly kind: 'taken'; readonly orderId: string };

export interface Asked {
  readonly trader: number;
  readonly clientOrderId: string;
  /** For the first time, by the monotonic clock; milliseconds. */
  readonly askedAt: number;
  /** When its outcome was known. */
  answeredAt: number;
  outcome: Outcome;
  /** How often it was asked for again. */
  repeats: number;
}

/** What gateways say of one trader when all is over. */
export interface History {
  readonly trader: number;
  /** Open and over. */
  readonly orders: readonly Pick<Order, 'orderId' | 'clientOrderId' | 'executedQty'>[];
  readonly fills: readonly Pick<Fill, 'execId' | 'takerMaker' | 'orderId' | 'orderSide' | 'quantity' | 'value' | 'fee' | 'feeCoin'>[];
  /** In spot, before the first order and now, by coin. */
  readonly before: Readonly<Record<string, string>>;
  readonly after: Readonly<Record<string, string>>;
  /** Ids that a cancel of all has answered as cancelled. */
  readonly cancelled: readonly string[];
  readonly open: readonly string[];
}

export interface Coins {
  readonly base: string;
  readonly quote: string;
}

export interface Traded extends Coins {
  /** Others trade here too: of an execution with one of them one side is read. */
  readonly withOthers?: true;
}

/** @returns one sentence for each answer that history does not bear out */
export const compareWithHistory = (asked: readonly Asked[], histories: readonly History[], traded: Traded): readonly string[] => [
  ...histories.flatMap((history) => [
    ...answersOf(
      asked.filter(({ trader }) => trader === history.trader),
      history,
    ),
    ...sizesOf(history),
    ...balancesOf(history, traded),
    ...cancelsOf(history),
  ]),
  ...executionsOf(histories, traded),
  ...sequenceOf(asked),
];

function answersOf(asked: readonly Asked[], { orders }: History): readonly string[] {
  const found = Map.groupBy(orders, ({ clientOrderId }) => clientOrderId);
  const names = new Set(asked.map(({ clientOrderId }) => clientOrderId));
  const violations = [...found.keys()].filter((name) => !names.has(name)).map((name) => `nobody asked for the order ${name}`);
  for (const { clientOrderId: name, outcome } of asked) {
    const ids = (found.get(name) ?? []).map(({ orderId }) => orderId);
    if (ids.length > 1) violations.push(`${name} is in history ${ids.length} times, as ${ids.join(' and ')}`);
    if (outcome.kind === 'taken' && ids[0] !== outcome.orderId)
      violations.push(
        `${name} was answered as order ${outcome.orderId}, and is ${ids[0] === undefined ? 'not in history' : `order ${ids[0]}`}`,
      );
    if (outcome.kind === 'refused' && ids.length > 0) violations.push(`${name} was refused (${outcome.reason}), and is order ${ids[0]}`);
    if (outcome.kind === 'unknown') violations.push(`of ${name} nothing is known to the end`);
  }
  return violations;
}

function sizesOf({ orders, fills }: History): readonly string[] {
  const filled = new Map<string, bigint>();
  for (const { orderId, quantity } of fills) filled.set(orderId, (filled.get(orderId) ?? 0n) + exact(quantity));
  return orders.flatMap(({ orderId, executedQty }) =>
    (filled.get(orderId) ?? 0n) === exact(executedQty)
      ? []
      : [`order ${orderId} says that ${executedQty} is filled, its fills say another size`],
  );
}

function balancesOf({ trader, before, after, fills }: History, { base, quote }: Coins): readonly string[] {
  const due = new Map(Object.entries(before).map(([coin, amount]) => [coin, exact(amount)]));
  const add = (coin: string, amount: bigint): void => void due.set(coin, (due.get(coin) ?? 0n) + amount);
  for (const { orderSide, quantity, value, fee, feeCoin } of fills) {
    const sign = orderSide === 'BUY' ? 1n : -1n;
    add(base, sign * exact(quantity));
    add(quote, -sign * exact(value));
    add(feeCoin, -exact(fee));
  }
  return [...due].flatMap(([coin, amount]) =>
    exact(after[coin] ?? '0') === amount ? [] : [`trader ${trader} has ${after[coin]} ${coin}, and by its fills another amount`],
  );
}

function cancelsOf({ cancelled, open }: History): readonly string[] {
  const left = new Set(open);
  return cancelled.filter((orderId) => left.has(orderId)).map((orderId) => `order ${orderId} was answered as cancelled, and is open`);
}

/** Each execution is there for both of its sides, once. */
function executionsOf(histories: readonly History[], { withOthers }: Traded): readonly string[] {
  const sides = Map.groupBy(
    histories.flatMap(({ fills }) => fills),
    ({ execId }) => execId,
  );
  return [...sides].flatMap(([execId, fills]) => {
    const [one, other] = fills;
    if (withOthers === true && fills.length === 1) return [];
    const isWhole = fills.length === 2 && one?.takerMaker !== other?.takerMaker && one?.quantity === other?.quantity;
    return isWhole ? [] : [`execution ${execId} has ${fills.length} sides, or two that differ`];
  });
}

/** In one history an order that was answered before another was asked for has the smaller id. */
function sequenceOf(asked: readonly Asked[]): readonly string[] {
  const taken = asked.flatMap((each) => (each.outcome.kind === 'taken' ? [{ ...each, id: BigInt(each.outcome.orderId) }] : []));
  const answered = taken.toSorted((left, right) => left.answeredAt - right.answeredAt);
  const violations: string[] = [];
  let [next, newest] = [0, -1n];
  for (const { clientOrderId, askedAt, id } of taken.toSorted((left, right) => left.askedAt - right.askedAt)) {
    for (let before = answered[next]; before !== undefined && before.answeredAt < askedAt; before = answered[next]) {
      if (before.id > newest) newest = before.id;
      next += 1;
    }
    if (id <= newest) violations.push(`${clientOrderId} is order ${id}, and was asked for after order ${newest} was answered`);
  }
  return violations;
}

const DECIMALS = 18;

/** In units of 10^-18. */
function exact(text: string): bigint {
  const [whole = '0', part = ''] = text.split('.');
  const digits = BigInt(whole.replace('-', '') + part.padEnd(DECIMALS, '0'));
  return whole.startsWith('-') ? -digits : digits;
}

/** What becomes of an order on its way in: what it would trade, or why it is refused. Nothing has changed yet. */
import { atoms, lots } from '@orrery/units';
import type { CommandRejected, OrderAccepted } from '@orrery/protocol';
import { checkBounds, checkContractBounds, isByFunds, isStop } from '@orrery/rules';
import { refuseArming } from './arm.ts';
import type { Entry } from './entry.ts';
import { planEntry } from './execute.ts';
import type { MatchPlan } from './match-plan.ts';
import { referenceOf } from './reference.ts';
import { refusePlan } from './refuse-plan.ts';
import type { Trading } from './trading.ts';

export interface AcceptedEntry extends Entry {
  readonly order: OrderAccepted;
}

export interface Judged {
  readonly entry: AcceptedEntry;
  /** Undefined for an order that waits for its trigger. */
  readonly plan: MatchPlan | undefined;
  readonly objection: CommandRejected | undefined;
}

export function judge(trading: Trading, entry: AcceptedEntry): Judged {
  const plan = isStop(entry.order) ? undefined : planEntry(trading, entry);
  return { entry, plan, objection: plan === undefined ? refuseArming(trading, entry) : refusePlan(trading, entry, plan) };
}

/** An order that is smaller may be taken. */
const DEPENDS_ON_SIZE: ReadonlySet<CommandRejected['reason']> = new Set([
  'InsufficientMargin',
  'InsufficientBalance',
  'PositionTooLarge',
  'OpenInterestExceeded',
]);

const isTooLarge = ({ objection }: Judged): boolean => objection !== undefined && DEPENDS_ON_SIZE.has(objection.reason);

/**
 * The same of the largest order up to this one that is not too large, found by doubles from the least one and then by halves: what a size needs grows with it, and what it takes to
 * judge it too, so that an order for much more than there is money for takes no longer than the one that it becomes. One that would be below the least is refused for what this one is
 * refused for.
 */
export function judgeMost(trading: Trading, entry: AcceptedEntry): Judged {
  const whole = judge(trading, entry);
  if (!isTooLarge(whole)) return whole;
  let fits = 0n;
  let beyond = quantityOf(entry);
  for (let next = 1n; next < beyond; next *= 2n) {
    const smaller = ofQuantity(entry, next);
    if (isBelowLeast(trading, smaller) || !isTooLarge(judge(trading, smaller))) fits = next;
    else beyond = next;
  }
  while (beyond - fits > 1n) {
    const middle = (fits + beyond) / 2n;
    if (isTooLarge(judge(trading, ofQuantity(entry, middle)))) beyond = middle;
    else fits = middle;
  }
  const most = ofQuantity(entry, fits);
  return fits === 0n || isBelowLeast(trading, most) ? whole : judge(trading, most);
}

/** Lots, or quote atoms of an order by funds. */
const quantityOf = ({ order }: AcceptedEntry): bigint => (isByFunds(order) ? order.funds : BigInt(order.size));

function ofQuantity(entry: AcceptedEntry, quantity: bigint): AcceptedEntry {
  const { order } = entry;
  return { ...entry, order: isByFunds(order) ? { ...order, funds: atoms(quantity) } : { ...order, size: lots(Number(quantity)) } };
}

function isBelowLeast(trading: Trading, { order, market, at }: AcceptedEntry): boolean {
  const reference = referenceOf(trading, market, at);
  const { contract } = order;
  const refusal =
    contract === undefined || market.contract === undefined
      ? checkBounds(order, market.terms, reference)
      : checkContractBounds({ ...order, contract }, market.contract.terms, reference);
  return refusal !== undefined;
}

/** A view is a fold: the present facts first, then every event as it happens. It calls nothing else. */
import type { Applied, Command, Event, View } from '@orrery/protocol';
import { millis, type Millis, type Seq } from '@orrery/units';

/** When an event became true. */
export interface Moment {
  readonly seq: Seq;
  readonly at: Millis;
}

export interface Fold {
  /** What changed by the event, in the view's own words; most callers do not look. */
  apply(event: Event, moment: Moment): unknown;
}

const BEFORE_ALL = millis(0);

/** Loads folds from the facts of a heart's `open()`. Facts have no time: it is 0 until an event changes what they describe. */
export function load({ seq, facts }: Pick<View, 'seq' | 'facts'>, ...folds: readonly Fold[]): void {
  for (const fact of facts) for (const fold of folds) fold.apply(fact, { seq, at: BEFORE_ALL });
}

/** Applies the events of one command to folds. */
export function advance(applied: Applied, ...folds: readonly Fold[]): void {
  for (const event of applied.events) for (const fold of folds) fold.apply(event, applied);
}

/** Orders are by far the largest part of history: a fold that keeps nothing of them skips their events. */
export const isOfOrders = ({ command }: Applied): boolean => ORDER_COMMANDS.has(command.type);

/** Whether a command may have changed who there is and what is listed. */
export const mayRegister = (applied: Applied): boolean => !isOfOrders(applied);

const ORDER_COMMANDS: ReadonlySet<Command['type']> = new Set<Command['type']>([
  'PlaceOrder',
  'PlaceContractOrder',
  'PlaceOrders',
  'CancelOrders',
  'AmendOrder',
  'AmendTrigger',
  'CancelOrder',
  'CancelAllOrders',
  'ExpireOrders',
]);

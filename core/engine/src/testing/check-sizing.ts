/** The size that an order must have whose command names an intent, found by asking the engine that stood before it for sizes one by one. */
import { assert, lots, type Lots, type Millis } from '@orrery/units';
import type { Command, Event, OrderAccepted, PlaceContractOrder, Sequenced } from '@orrery/protocol';
import { decodeSnapshot } from '../snapshot/snapshot-codec.ts';
import { decodeBounded } from './bounded-engine.ts';

/** Refusals of an order that a smaller one may not meet. */
const OF_SIZE: ReadonlySet<string> = new Set(['InsufficientMargin', 'PositionTooLarge', 'OpenInterestExceeded']);

interface Before {
  readonly bytes: Uint8Array;
  readonly sequenced: Sequenced;
  /** Orders that a command meets. */
  readonly fills: number;
}

/**
 * An order for the most that is smaller than its bound would be refused with a lot more; one that is refused for its size would be so at the least size.
 * One that reverses has twice the size of the position.
 */
export function checkSizing(before: Before, events: readonly Event[], seen: Map<string, number>): void {
  const { command, at } = before.sequenced;
  if (command.type !== 'PlaceContractOrder' || command.sizing === undefined) return;
  const [first] = events;
  const count = (what: string): void => void seen.set(what, (seen.get(what) ?? 0) + 1);
  if (command.sizing === 'reverse') {
    if (first?.type !== 'OrderAccepted') return;
    const held = heldOf(before, command);
    assert(first.size === 2 * Math.abs(held) && held > 0 === (first.side === 'sell'), `a position of ${held} is reversed by ${first.size}`);
    count('sizing: reversed');
    return;
  }
  const isRefusedWith = (size: number): boolean => isTooLarge(before, command, lots(size), at);
  if (first?.type === 'OrderAccepted') {
    assert(first.size <= command.size, `at most ${command.size} is wanted, not ${first.size}`);
    const isWhole = first.size === Math.min(command.size, largestOf(before, command, first));
    assert(isWhole || isRefusedWith(first.size + 1), `${first.size} is less than the account may have`);
    count(isWhole ? 'sizing: whole' : 'sizing: less');
  } else if (first?.type === 'CommandRejected' && OF_SIZE.has(first.reason)) {
    assert(isRefusedWith(1), 'the least size is refused too');
    count('sizing: refused');
  }
}

/** What one order may have at most, reduced to its position where it only reduces. */
function largestOf({ bytes }: Before, { market, side, contract }: PlaceContractOrder, { size }: OrderAccepted): number {
  const { maxSize } = decodeSnapshot(bytes).contracts.find(({ terms }) => terms.market === market)!.terms;
  return contract.reduceOnly || contract.positionSide === (side === 'sell' ? 'long' : 'short') ? size : maxSize;
}

function heldOf({ bytes }: Before, { account, market }: PlaceContractOrder): number {
  return decodeSnapshot(bytes).positions.find((one) => one.account === account && one.market === market)?.size ?? 0;
}

function isTooLarge({ bytes, fills, sequenced }: Before, command: PlaceContractOrder, size: Lots, at: Millis): boolean {
  const { sizing: _, ...plain } = command;
  const exact: Command = { ...plain, size };
  const [first] = decodeBounded(bytes, fills).apply({ seq: sequenced.seq, at, command: exact });
  return first?.type === 'CommandRejected' && (OF_SIZE.has(first.reason) || first.reason === 'InvalidNotional');
}

/** The facts of every trade in a contract, each field written by its name: their bytes are those of `contract-event-records.ts`. */
import type { PositionChanged, PositionReduced } from '../contract-events.ts';
import { positionSide, reductionCause } from './contract-fields.ts';
import { position } from './field.ts';
import type { Writer } from './writer.ts';

export function writePositionChanged(writer: Writer, event: PositionChanged): void {
  writer.uint(event.account);
  writer.uint(event.market);
  positionSide.write(writer, event.positionSide);
  position.write(writer, event.size);
  writer.bigint(event.cost);
  writer.bigint(event.margin);
  writer.bigint(event.realised);
  writer.bigint(event.fees);
  writer.bigint(event.funding);
  writer.uint(event.openedAt);
  writer.uint(event.maxSize);
}

export function writePositionReduced(writer: Writer, event: PositionReduced): void {
  writer.uint(event.account);
  writer.uint(event.market);
  positionSide.write(writer, event.positionSide);
  writer.byte(event.isLong ? 1 : 0);
  writer.uint(event.size);
  writer.uint(event.price);
  writer.bigint(event.notional);
  writer.bigint(event.releasedCost);
  writer.bigint(event.profit);
  writer.bigint(event.fee);
  reductionCause.write(writer, event.cause);
}

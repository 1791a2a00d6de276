/** Which commands accepted, triggered and closed an order: the steps of its timeline that are not fills. */
import type { Event } from '@orrery/protocol';
import type { Millis, Seq } from '@orrery/units';
import type { Moment } from '@orrery/views';

export interface OrderMarks {
  readonly acceptedSeq?: Seq;
  readonly triggered?: { readonly seq: Seq; readonly at: Millis };
  readonly closedSeq?: Seq;
}

const NONE: OrderMarks = {};

/** The marks with what this event adds to them; most events add nothing. */
export function marked(marks: OrderMarks = NONE, event: Event, { seq, at }: Moment): OrderMarks {
  switch (event.type) {
    case 'OrderAccepted':
      return { ...marks, acceptedSeq: seq };
    case 'OrderTriggered':
      return { ...marks, triggered: { seq, at } };
    case 'OrderClosed':
      return { ...marks, closedSeq: seq };
    default:
      return marks;
  }
}

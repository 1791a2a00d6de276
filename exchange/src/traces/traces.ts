/**
 * What the parts of the program report so that one order can be followed through its processes: the request, the command that comes of it, its way to the heart, and
 * the stages of the heart. Nothing here knows how or where traces are kept; without a receiver there is no `Traces`, and the parts do nothing for it.
 */
import type { CallTraces } from '@orrery/gateway';
import type { Command, Receipt } from '@orrery/protocol';
import type { GroupTimes } from '@orrery/sequencer';

/** The header of a message over NATS: `traceparent` of W3C. */
export const TRACE_HEADER = 'traceparent';

export type SendingEnd = 'answered' | 'refused' | 'late' | 'undelivered' | 'lost';

/** One sending of a command to the heart in another process. */
export interface Sending {
  /** For `TRACE_HEADER`. */
  readonly traceparent: string;
  end(how: SendingEnd): void;
}

/** A command that came from another process. */
export interface TakenCommand {
  /** The first sending of a command; a repetition is only answered. */
  submit(command: Command, submit: () => Promise<Receipt>): Promise<Receipt>;
  answered(): void;
}

export interface HeartTraces {
  /** In the process that sends: undefined while what it serves is not traced. */
  sending(): Sending | undefined;
  /** In the process of the heart. @param traceparent of the sender: undefined or not sampled leaves the command untraced */
  taken(traceparent: string | undefined): TakenCommand | undefined;
}

export interface Traces extends CallTraces, HeartTraces {
  /** Around the submission of a command in this process. The answer is that of `submit`, whatever becomes of the trace. */
  submitted(command: Command, submit: () => Promise<Receipt>): Promise<Receipt>;
  /** Of the heart in this process, in the same turn as the answers of the group. */
  readonly onGroup: (times: GroupTimes) => void;
}

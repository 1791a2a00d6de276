/** How a call fails: refused by the exchange, or lost on the way. */
import type { FaultFigures, FaultName } from '@orrery/api';

const BROKEN = 500;
const MAY_BE_DONE: ReadonlySet<FaultName> = new Set(['OutcomeUnknown', 'Internal', 'Upstream']);

/** The exchange answered, and refused: nothing changed, unless `outcomeUnknown`. */
export class CallError extends Error {
  override readonly name = 'CallError';
  readonly code: number;
  readonly msg: string;
  /** Of HTTP; 0 when the answer came over the stream. */
  readonly status: number;
  /** The name of the refusal; undefined when the answer did not come from the exchange itself. */
  readonly reason: FaultName | undefined;
  /** The field at fault; empty when it is no single one. */
  readonly field: string;
  /** Of a number beyond another one: both. */
  readonly figures: FaultFigures | undefined;
  /** How long to wait before the next try, when the exchange said so. */
  readonly retryAfterMs: number | undefined;
  /** Whether the call may have been done all the same: the exchange says so, or something broke on the way. */
  readonly outcomeUnknown: boolean;

  constructor(options: {
    readonly code: number;
    readonly msg: string;
    readonly status: number;
    readonly reason?: FaultName | undefined;
    readonly field?: string;
    readonly figures?: FaultFigures | undefined;
    readonly retryAfterMs?: number | undefined;
  }) {
    super(options.msg);
    this.code = options.code;
    this.msg = options.msg;
    this.status = options.status;
    this.reason = options.reason;
    this.field = options.field ?? '';
    this.figures = options.figures;
    this.retryAfterMs = options.retryAfterMs;
    this.outcomeUnknown = options.reason === undefined ? options.status >= BROKEN : MAY_BE_DONE.has(options.reason);
  }
}

/** No answer: whether the call was done is not known. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';
  readonly timedOut: boolean;

  constructor(message: string, options: { readonly timedOut: boolean; readonly cause?: unknown }) {
    super(message, { cause: options.cause });
    this.timedOut = options.timedOut;
  }
}

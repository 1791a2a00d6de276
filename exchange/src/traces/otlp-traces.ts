/** Traces as spans of OpenTelemetry. The library is called by its own interface and patches nothing; what is the current span is known by one store of this file. */
import { AsyncLocalStorage } from 'node:async_hooks';
import {
  type Attributes,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
  type Tracer,
} from '@opentelemetry/api';
import { parseTraceParent } from '@opentelemetry/core';
import type { BegunCall, TracedCall } from '@orrery/gateway';
import { type Command, HeartError, type Receipt } from '@orrery/protocol';
import type { GroupTimes } from '@orrery/sequencer';
import { commandFacts, receiptFacts } from './command-facts.ts';
import type { Sending, SendingEnd, TakenCommand, Traces } from './traces.ts';

/** The span within which something happens, and when its command was answered by the heart in another process. */
interface Scope {
  readonly span: Span;
  answeredAt?: number;
}

interface EndedGroup {
  readonly times: GroupTimes;
  readonly endedAt: number;
}

interface Begin {
  readonly name: string;
  readonly kind?: SpanKind;
  readonly parent?: SpanContext | undefined;
  readonly attributes?: Attributes;
  /** Another trace that this one belongs beside. */
  readonly beside?: SpanContext | undefined;
}

const FAILED_STATUS = 500;

export class OtlpTraces implements Traces {
  readonly #tracer: Tracer;
  readonly #nowMs: () => number;
  readonly #scopes = new AsyncLocalStorage<Scope>();
  #group: EndedGroup | undefined;

  /** @param nowMs unix milliseconds, with a fraction */
  constructor(tracer: Tracer, nowMs: () => number) {
    this.#tracer = tracer;
    this.#nowMs = nowMs;
  }

  /** A caller's own trace is named beside ours and never continued: anybody can send the header. */
  begin({ requestId, method, path, traceparent }: BegunCall): TracedCall {
    const span = this.#begin({
      name: `${method} ${path}`,
      kind: SpanKind.SERVER,
      beside: readTraceparent(traceparent),
      attributes: { 'http.request.method': method, 'http.route': path, 'orrery.request_id': requestId },
    });
    return {
      within: (work) => this.#scopes.run({ span }, work),
      end: (status) => {
        if (status !== undefined) span.setAttribute('http.response.status_code', status);
        if (status === undefined || status >= FAILED_STATUS) span.setStatus({ code: SpanStatusCode.ERROR });
        span.end(this.#nowMs());
      },
    };
  }

  submitted(command: Command, submit: () => Promise<Receipt>): Promise<Receipt> {
    const parent = this.#scopes.getStore()?.span;
    if (parent !== undefined && !isSampled(parent.spanContext())) return submit();
    // What goes on after its request was answered is a trace of its own.
    const within = parent?.isRecording() === true ? parent.spanContext() : undefined;
    const span = this.#begin({ name: `submit ${command.type}`, parent: within, attributes: commandFacts(command) });
    const scope: Scope = { span };
    return this.#scopes.run(scope, () => (span.isRecording() ? this.#answered(scope, submit) : submit()));
  }

  sending(): Sending | undefined {
    const scope = this.#scopes.getStore();
    if (scope === undefined || !isSampled(scope.span.spanContext())) return undefined;
    const span = this.#begin({ name: 'request to the heart', kind: SpanKind.CLIENT, parent: scope.span.spanContext() });
    return {
      traceparent: writeTraceparent(span.spanContext()),
      end: (how) => {
        const at = this.#nowMs();
        if (how === 'answered') scope.answeredAt = at;
        else span.setStatus({ code: SpanStatusCode.ERROR, message: how satisfies SendingEnd });
        span.end(at);
      },
    };
  }

  taken(traceparent: string | undefined): TakenCommand | undefined {
    const parent = readTraceparent(traceparent);
    if (parent === undefined || !isSampled(parent)) return undefined;
    const span = this.#begin({ name: 'heart', kind: SpanKind.SERVER, parent });
    let answeringSince: number | undefined;
    return {
      submit: (command, submit) => {
        span.updateName(`heart ${command.type}`);
        span.setAttributes(commandFacts(command));
        const settled = this.#settled({ span }, submit);
        const note = (): void => void (answeringSince = this.#nowMs());
        settled.then(note, note);
        return settled;
      },
      answered: () => {
        const at = this.#nowMs();
        if (answeringSince === undefined) span.setAttribute('orrery.submitted', false);
        else this.#stage(span, 'answer', [answeringSince, at]);
        span.end(at);
      },
    };
  }

  readonly onGroup = (times: GroupTimes): void => {
    this.#group = { times, endedAt: this.#nowMs() };
  };

  async #answered(scope: Scope, submit: () => Promise<Receipt>): Promise<Receipt> {
    try {
      const receipt = await this.#settled(scope, submit);
      if (scope.answeredAt !== undefined) this.#stage(scope.span, 'follow', [scope.answeredAt, this.#nowMs()]);
      return receipt;
    } finally {
      scope.span.end(this.#nowMs());
    }
  }

  /** The answer and what it says; the span goes on. The heart reports a group in the turn in which it answers it: no other group comes between. */
  async #settled({ span }: Scope, submit: () => Promise<Receipt>): Promise<Receipt> {
    const beganAt = this.#nowMs();
    try {
      const receipt = await submit();
      if (this.#group !== undefined) this.#stages(span, beganAt, this.#group);
      span.setAttributes(receiptFacts(receipt));
      return receipt;
    } catch (error) {
      // Never its message: that may be somebody's text.
      span.setStatus({ code: SpanStatusCode.ERROR, message: error instanceof HeartError ? error.failure : 'failed' });
      throw error;
    }
  }

  #stages(span: Span, beganAt: number, { times, endedAt }: EndedGroup): void {
    const durableAt = endedAt - times.answerMs;
    const appliedAt = durableAt - times.journalMs;
    const placedAt = appliedAt - times.applyMs;
    span.setAttribute('orrery.group_commands', times.commands);
    this.#stage(span, 'queue', [Math.min(beganAt, placedAt), placedAt]);
    this.#stage(span, 'apply', [placedAt, appliedAt]);
    this.#stage(span, 'journal', [appliedAt, durableAt]);
    this.#stage(span, 'publish', [durableAt, endedAt]);
  }

  #stage(parent: Span, name: string, [from, to]: readonly [from: number, to: number]): void {
    this.#tracer.startSpan(name, { startTime: from }, contextOf(parent.spanContext())).end(to);
  }

  #begin({ name, kind = SpanKind.INTERNAL, parent, attributes = {}, beside }: Begin): Span {
    const links = beside === undefined ? [] : [{ context: beside }];
    return this.#tracer.startSpan(name, { kind, attributes, links, startTime: this.#nowMs() }, contextOf(parent));
  }
}

const contextOf = (parent: SpanContext | undefined) => (parent === undefined ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, parent));

const isSampled = ({ traceFlags }: SpanContext): boolean => (traceFlags & TraceFlags.SAMPLED) !== 0;

const readTraceparent = (text: string | undefined): SpanContext | undefined => {
  const parsed = text === undefined ? null : parseTraceParent(text);
  return parsed === null ? undefined : { ...parsed, isRemote: true };
};

const writeTraceparent = ({ traceId, spanId, traceFlags }: SpanContext): string =>
  `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`;

/** The way of spans to their receiver, beside the program and never before it: a queue with an end, sent in the background, and dropped when nobody takes it. */
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { ExportResultCode } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { TraceReceiver } from '../trace-receiver.ts';
import { version } from '../version.ts';
import { OtlpTraces } from './otlp-traces.ts';
import { SpanClock } from './span-clock.ts';
import type { Traces } from './traces.ts';

interface TracedProcess {
  readonly receiver: TraceReceiver;
  readonly environment: string;
  readonly role: string;
}

const MILLION = 1_000_000;
/** Spans that wait for the receiver; beyond it they are dropped. One has less than 4 KiB. */
export const SPANS_MAX = 4_096;
const BATCH_SPANS = 512;
const BATCH_EVERY_MS = 1_000;
/** Of one batch, with its repetitions: a receiver that is slower is one that does not take it. */
const SEND_MS = 3_000;
/** Above `SEND_MS`: there is one batch on its way, and never two. */
const EXPORT_MS = 4_000;
/** Batches on their way: one, and at a stop what is left beside it. */
const AT_ONCE = 1 + SPANS_MAX / BATCH_SPANS;
/** What is left at a stop has this long. */
const LAST_MS = 1_500;
/** A text of a caller, such as a client order id, is cut there. */
const TEXT_MAX = 128;

/** @param onChange called when the receiver begins to fail, with why, and when it takes spans again */
export function startTraces(
  { receiver, environment, role }: TracedProcess,
  onChange: (error: Error | undefined) => void,
): { readonly traces: Traces; readonly stop: () => Promise<void> } {
  const { url, headers, ppm } = receiver;
  const exporter = new OTLPTraceExporter({ url, headers: { ...headers }, timeoutMillis: SEND_MS, concurrencyLimit: AT_ONCE });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      'service.namespace': 'orrery',
      'service.name': `orrery-${role.split(',', 1)[0] ?? role}`,
      'service.version': version,
      'service.instance.id': randomUUID(),
      'deployment.environment.name': environment,
    }),
    // Between our own processes the first one decides.
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ppm / MILLION) }),
    spanLimits: { attributeValueLengthLimit: TEXT_MAX, attributeCountLimit: 16, linkCountLimit: 1, eventCountLimit: 0 },
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: watched(exporter, onChange),
        maxQueueSize: SPANS_MAX,
        maxExportBatchSize: BATCH_SPANS,
        scheduledDelayMillis: BATCH_EVERY_MS,
        exportTimeoutMillis: EXPORT_MS,
      }),
    ],
  });
  const clock = new SpanClock({ wallMs: Date.now, monotonicMs: () => performance.now(), originMs: performance.timeOrigin });
  return {
    traces: new OtlpTraces(provider.getTracer('orrery', version), () => clock.nowMs()),
    stop: () => Promise.race([provider.shutdown().catch(onChange), pause(LAST_MS, undefined, { ref: false })]),
  };
}

/** The library itself reports nothing: that spans are lost is said once, and once when they are not any more. */
function watched(exporter: SpanExporter, onChange: (error: Error | undefined) => void): SpanExporter {
  let isFailing = false;
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        const { code, error } = result;
        const fails = code !== ExportResultCode.SUCCESS;
        if (fails !== isFailing) onChange(fails ? (error ?? new Error('no reason is known')) : undefined);
        isFailing = fails;
        done(result);
      });
    },
    shutdown: () => exporter.shutdown(),
    forceFlush: () => exporter.forceFlush?.() ?? Promise.resolve(),
  };
}

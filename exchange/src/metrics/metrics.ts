/**
 * What the program measures of itself, in the form that Prometheus reads: names and units follow its conventions, seconds, bytes and whole coins. Amounts are
 * rounded to a floating-point number here, and nowhere else.
 */
import type { AnsweredCall } from '@orrery/gateway';
import type { Applied } from '@orrery/protocol';
import type { GroupTimes } from '@orrery/sequencer';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

/** Seconds, from a tenth of a millisecond to what no caller waits for. */
const SECONDS = [0.0001, 0.000_25, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const COMMANDS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 5_000];
const MS = 1_000;
/** Milliseconds in which a gauge is read. Prometheus gives up on the whole page after five seconds, and would take the process for one that is down. */
const READ_MS = 2_000;

interface GaugeTerms<Label extends string> {
  readonly name: string;
  readonly help: string;
  readonly labels?: readonly Label[];
}

type Readings<Label extends string> = readonly { readonly of?: Readonly<Record<Label, string>>; readonly value: number }[];

/** @throws when there is no answer in time: it comes too late for this page, and is not waited for */
async function inTime<Answer>(asked: Answer | Promise<Answer>): Promise<Answer> {
  if (!(asked instanceof Promise)) return asked;
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error('it was not read in time')), READ_MS);
  return Promise.race([asked, late.promise]).finally(() => clearTimeout(timer));
}

export class Metrics {
  readonly #registry = new Registry();
  readonly #stages = this.#histogram('orrery_heart_stage_seconds', 'Time of a group of commands in the heart, by stage.', {
    labels: ['stage'],
    buckets: SECONDS,
  });
  readonly #groups = this.#histogram('orrery_heart_group_commands', 'Commands that share one write and one sync.', { buckets: COMMANDS });
  readonly #bytes = this.#counter('orrery_journal_bytes_total', 'Bytes of commands appended to the journal since the start.');
  readonly #commands = this.#counter('orrery_commands_total', 'Commands applied, by type.', ['type']);
  readonly #refused = this.#counter('orrery_commands_rejected_total', 'Commands that the engine rejected, by type and reason.', [
    'type',
    'reason',
  ]);
  readonly #trades = this.#counter('orrery_trades_total', 'Trades, by market.', ['market']);
  readonly #liquidations = this.#counter('orrery_liquidations_total', 'Steps of liquidations.');
  readonly #calls = this.#counter('orrery_http_requests_total', 'Answered requests, by path and status.', ['method', 'path', 'status']);
  readonly #answers = this.#histogram('orrery_http_request_seconds', 'From the head of a request to the last byte of its answer.', {
    labels: ['method'],
    buckets: SECONDS,
  });

  readonly #unread = this.#counter('orrery_measure_failures_total', 'Gauges that could not be read at a scrape.', ['metric']);

  constructor() {
    collectDefaultMetrics({ register: this.#registry });
  }

  /** @param read is called at each scrape. What fails, or is not answered in time, leaves this gauge without a value, and the others with theirs. */
  gauge<Label extends string>(
    { name, help, labels = [] }: GaugeTerms<Label>,
    read: () => Readings<Label> | Promise<Readings<Label>>,
  ): void {
    const unread = this.#unread;
    const gauge: Gauge<Label> = new Gauge({
      name,
      help,
      labelNames: labels,
      registers: [this.#registry],
      async collect() {
        gauge.reset();
        // A reset leaves 0 where there are no labels: that would be a value.
        if (labels.length === 0) gauge.remove();
        try {
          for (const { of, value } of await inTime(read())) gauge.set(of ?? {}, value);
        } catch {
          unread.inc({ metric: name });
        }
      },
    });
  }

  readonly onGroup = ({ commands, bytes, queueMs, applyMs, journalMs, answerMs }: GroupTimes): void => {
    this.#stages.observe({ stage: 'queue' }, queueMs / MS);
    this.#stages.observe({ stage: 'apply' }, applyMs / MS);
    this.#stages.observe({ stage: 'journal' }, journalMs / MS);
    this.#stages.observe({ stage: 'answer' }, answerMs / MS);
    this.#groups.observe(commands);
    this.#bytes.inc(bytes);
  };

  readonly onAnswer = ({ method, path, status, ms }: AnsweredCall): void => {
    this.#calls.inc({ method, path, status });
    this.#answers.observe({ method }, ms / MS);
  };

  onApplied({ command: { type }, events }: Applied): void {
    this.#commands.inc({ type });
    for (const event of events) {
      if (event.type === 'CommandRejected') this.#refused.inc({ type, reason: event.reason });
      else if (event.type === 'Trade') this.#trades.inc({ market: String(event.market) });
      else if (event.type === 'LiquidationStep') this.#liquidations.inc();
    }
  }

  /** @returns the page that Prometheus reads, and its content type */
  async page(): Promise<{ readonly type: string; readonly text: string }> {
    return { type: this.#registry.contentType, text: await this.#registry.metrics() };
  }

  #counter<Label extends string = never>(name: string, help: string, labelNames: readonly Label[] = []): Counter<Label> {
    return new Counter({ name, help, labelNames, registers: [this.#registry] });
  }

  #histogram<Label extends string>(
    name: string,
    help: string,
    { labels = [], buckets }: { labels?: readonly Label[]; buckets: readonly number[] },
  ): Histogram<Label> {
    return new Histogram({ name, help, labelNames: labels, buckets: [...buckets], registers: [this.#registry] });
  }
}

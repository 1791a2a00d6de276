/**
 * The rate of the day from a service that answers JSON such as `{"base":"USD","date":"2026-03-02","rates":{"CNY":7.085}}`, as those that
 * republish the reference rates of central banks do. While it does not answer, the rate it answered last stands, with its day; before the first
 * answer the stated one.
 */
import type { CurrencyRate } from '@orrery/api';
import { setTimeout as pause } from 'node:timers/promises';

export interface RatePortOptions {
  /** Shown until there is another. */
  readonly stated: CurrencyRate;
  readonly url: string | undefined;
  readonly log: { warn(details: object, words: string): void };
  readonly fetch?: typeof globalThis.fetch;
  /** Milliseconds between two readings. Reference rates change once a day. */
  readonly everyMs?: number;
}

const EVERY_MS = 6 * 3_600_000;
const PATIENCE_MS = 10_000;
/** Of an answer, which is some hundred bytes long. */
const LENGTH_MAX = 10_000;
const RATE = /^[1-9]\d{0,2}(?:\.\d{1,6})?$/;
const DAY = /^\d{4}-\d\d-\d\d$/;

const LOOPBACK = new Set(['127.0.0.1', 'localhost', '[::1]']);

export function isRateUrl(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && (url.protocol === 'https:' || (url.protocol === 'http:' && LOOPBACK.has(url.hostname)));
}

/** @throws Error that says what is wrong with the answer. */
export function parseRate(json: unknown, source: string): CurrencyRate {
  const { base, date, rates } = isFields(json) ? json : {};
  const perUsd = isFields(rates) ? decimalText(rates['CNY']) : undefined;
  if (base !== 'USD') throw new Error('the answer is not based on USD');
  if (typeof date !== 'string' || !DAY.test(date) || Number.isNaN(Date.parse(date))) throw new Error('the answer has no date');
  if (perUsd === undefined) throw new Error('the answer has no rate of CNY from 1 to 999');
  return { currency: 'cny', perUsd, date, source };
}

type Fields = Readonly<Record<string, unknown>>;
const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null;

/** The shortest decimal of the number that was written, at six decimals at most. Values are shown by it, nothing is computed from it. */
function decimalText(value: unknown): string | undefined {
  const text = typeof value === 'number' ? String(Number(value.toFixed(6))) : value;
  return typeof text === 'string' && RATE.test(text) ? text : undefined;
}

export class RatePort {
  readonly #options: RatePortOptions;
  readonly #abort = new AbortController();
  #rate: CurrencyRate;
  #reading: Promise<void> = Promise.resolve();

  constructor(options: RatePortOptions) {
    this.#options = options;
    this.#rate = options.stated;
  }

  now(): CurrencyRate {
    return this.#rate;
  }

  /** Reads at once and then again and again, until it is stopped. Nobody waits for it. */
  start(): void {
    const { url } = this.#options;
    if (url !== undefined) this.#reading = this.#follow(url);
  }

  async stop(): Promise<void> {
    this.#abort.abort();
    await this.#reading;
  }

  async #follow(url: string): Promise<void> {
    const { signal } = this.#abort;
    while (!signal.aborted) {
      await this.#read(url).catch((error: unknown) => {
        if (!signal.aborted) this.#options.log.warn({ err: error, url }, 'the rate in yuan was not read');
      });
      await pause(this.#options.everyMs ?? EVERY_MS, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  async #read(url: string): Promise<void> {
    const { fetch = globalThis.fetch } = this.#options;
    const signal = AbortSignal.any([this.#abort.signal, AbortSignal.timeout(PATIENCE_MS)]);
    const response = await fetch(url, { signal, headers: { accept: 'application/json' } });
    if (!response.ok) throw new Error(`it answered ${response.status}`);
    const text = await response.text();
    if (text.length > LENGTH_MAX) throw new Error(`its answer is longer than ${LENGTH_MAX} characters`);
    this.#rate = parseRate(JSON.parse(text), new URL(url).host);
  }
}

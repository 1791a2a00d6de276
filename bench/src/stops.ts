/** Stops: what arming one costs with few and with many of them, and how long one command takes when one price reaches all. */
import { createEngine, type Engine } from '@orrery/engine';
import type { Command, PlaceOrder } from '@orrery/protocol';
import { accountId, seq, lots, marketId, millis, NO_ATOMS, NO_TICKS, ppm, ticks } from '@orrery/units';
import { opening } from './engine/opening.ts';
import { collectGarbage, median, quantile, rounded, whole } from './measure.ts';
import type { Findings, Part } from './part.ts';

const STOPS = 100_000;
/** Timed at each end of the arming. */
const WINDOW = 1_000;
/** Each has as many stops as a market allows. */
const ACCOUNTS = STOPS / 1_000;
const START = 100_000;
/** Triggers lie within the band of limit prices. */
const HIGHEST = 110_000;
const PASSES = 5;

export const stopsPart: Part = { name: 'stops', about: 'arming 100,000 stops, and one price that reaches all of them', measure };

interface Pass {
  /** Microseconds, the median of each window. */
  readonly firstUs: number;
  readonly lastUs: number;
  /** The command whose trade reached the stops, and the continuations behind it. */
  readonly fired: number;
  readonly commands: number;
  readonly slowestMs: number;
  readonly slowMs: number;
}

function measure(): Findings {
  const passes = Array.from({ length: PASSES + 1 }, passOf).slice(1);
  const of = (field: keyof Pass): number => median(passes.map((pass) => pass[field]));
  const ratio = rounded(of('lastUs') / of('firstUs'), 2);
  const stops = {
    ratio,
    firstUs: rounded(of('firstUs'), 1),
    lastUs: rounded(of('lastUs'), 1),
    fired: of('fired'),
    commands: of('commands'),
    slowMs: rounded(of('slowMs'), 2),
    slowestMs: rounded(of('slowestMs'), 2),
  };
  return {
    figures: { stops },
    lines: [
      `arming one: ${stops.firstUs} µs among the first ${whole(WINDOW)}, ${stops.lastUs} µs among the last of ${whole(STOPS)}: ${ratio} x`,
      `one price reaches ${whole(stops.fired)}: ${whole(stops.commands)} commands, slowest 0.1 % from ${stops.slowMs} ms, slowest ${stops.slowestMs} ms`,
    ],
  };
}

function passOf(): Pass {
  const exchange = new Timed();
  for (const command of opening({ accounts: ACCOUNTS + 2, markets: 1 })) exchange.apply(command);
  exchange.apply({ type: 'UpgradeRules', version: 2 });
  exchange.trade(START);
  const armed = Array.from({ length: STOPS }, (_, index) => stop(index)).map((command) => exchange.apply(command));
  collectGarbage();
  const times = exchange.trade(HIGHEST);
  const us = (window: readonly number[]): number => median(window) * 1_000;
  return {
    firstUs: us(armed.slice(0, WINDOW)),
    lastUs: us(armed.slice(-WINDOW)),
    fired: exchange.triggered,
    commands: times.length,
    slowMs: quantile(times, 0.999),
    slowestMs: quantile(times, 1),
  };
}

/** Trigger prices go up and down between neighbouring orders, so that no order arms beside the one before. */
function stop(index: number): PlaceOrder {
  const triggerPrice = ticks(START + 1 + ((index * 7_919) % (HIGHEST - START)));
  return { ...limit(1 + (index % ACCOUNTS), 'buy', triggerPrice), orderType: 'stopLimit', triggerPrice };
}

function limit(account: number, side: 'buy' | 'sell', price: number): PlaceOrder {
  return {
    type: 'PlaceOrder',
    account: accountId(account),
    market: marketId(1),
    clientOrderId: '',
    side,
    orderType: 'limit',
    timeInForce: 'GTC',
    price: ticks(price),
    size: lots(1),
    funds: NO_ATOMS,
    triggerPrice: NO_TICKS,
    slippagePpm: ppm(0),
    selfTradePrevention: 'expireTaker',
  };
}

class Timed {
  readonly #engine: Engine = createEngine();
  #seq = 0;
  triggered = 0;

  /** Milliseconds that it took. */
  apply(command: Command): number {
    this.#seq += 1;
    const sequenced = { seq: seq(this.#seq), at: millis(1_000 + this.#seq), command };
    const started = performance.now();
    const events = this.#engine.apply(sequenced);
    const spent = performance.now() - started;
    for (const event of events) {
      if (event.type === 'CommandRejected') throw new Error(`${command.type}: ${event.reason} ${event.field}`);
      if (event.type === 'OrderTriggered') this.triggered += 1;
    }
    return spent;
  }

  /** One trade at a price, by two accounts without stops, and everything that it causes: milliseconds of each command from the taker's on. */
  trade(price: number): readonly number[] {
    this.apply(limit(ACCOUNTS + 1, 'sell', price));
    const times = [this.apply(limit(ACCOUNTS + 2, 'buy', price))];
    for (let next = this.#engine.continuation(); next !== undefined; next = this.#engine.continuation()) times.push(this.apply(next));
    return times;
  }
}

/**
 * A tape: one command a line, its events after the arrow. `play` performs the commands and gives the tape as it really went, so that
 * `expect(play(tape)).toBe(tape)` shows any difference as one. People are alice, bob and carol, each with 100,000 USDC and 1,000 BTC
 * in spot; `exchange` is the operator. A price of 1 tick is 1 USDC atom, a size of 1 lot 1 BTC atom, so every number can be checked by mental arithmetic.
 *
 * After every command: what `assertSound` knows holds, a refused one has changed nothing, the state restored from its bytes has the
 * same bytes; and at the end a replay has them too.
 */
import { assert, assetId, atoms, lots, marketId, millis, ppm, seq, ticks, type Millis } from '@orrery/units';
import { WALLETS, type Command, type Event, type Market, type Sequenced } from '@orrery/protocol';
import { FIRST_RULES, LATEST_RULES, type RulesVersion } from '@orrery/rules';
import { createEngine, decodeState, type Engine } from '../engine.ts';
import { decodeSnapshot } from '../snapshot/snapshot-codec.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { assertSound } from './assert-sound.ts';
import { OrderAuditor } from './order-auditor.ts';
import { printEvents } from './tape-events.ts';
import { parseCommand } from './tape-command.ts';
import { accountOf, addressOf, assetOf, ASSETS, PEOPLE } from './tape-people.ts';

/** Where a tape trades unless it says otherwise. */
export const MARKET: Market = {
  market: marketId(1),
  symbol: 'BTC_USDC',
  base: assetId(2),
  quote: assetId(1),
  pricePrecision: 0,
  sizePrecision: 0,
  lotAtoms: atoms(1n),
  tickLotAtoms: atoms(1n),
  minPrice: ticks(10),
  maxPrice: ticks(1_000),
  minSize: lots(1),
  maxSize: lots(500),
  minNotional: atoms(50n),
  maxNotional: atoms(40_000n),
  makerFeePpm: ppm(500),
  takerFeePpm: ppm(1_000),
  limitBandPpm: ppm(100_000),
  marketBandPpm: ppm(50_000),
  maxOpenOrders: 200,
};

/** Any longer is an outage. */
const HEARD_MS = 60_000;

export interface TapeOptions {
  /** Of the rules; the latest unless it is given. */
  readonly rules?: RulesVersion;
  readonly terms?: Partial<Market>;
}

/** As it really went. */
export function play(tape: string, options: TapeOptions = {}): string {
  const table = new Table(options);
  const lines = tape.split('\n').map((line) => (line.trim() === '' ? line : table.line(line)));
  table.replay();
  return lines.join('\n');
}

/** The exchange on which one tape is played. */
export class Table {
  readonly #history: Sequenced[] = [];
  readonly #auditor = new OrderAuditor();
  #engine: Engine = createEngine();
  #at = 1_000_000;

  constructor({ terms = {}, rules = LATEST_RULES }: TapeOptions = {}) {
    for (const command of opening(terms)) this.give(command);
    if (rules > FIRST_RULES) this.give({ type: 'UpgradeRules', version: rules });
  }

  /** The time of the next command. */
  get at(): Millis {
    return millis(this.#at);
  }

  get engine(): Engine {
    return this.#engine;
  }

  /** Performs the command of one line and gives the line as it went; the indent and the columns stay. */
  line(line: string): string {
    const [command = '', ...rest] = line.split('->');
    const [who = '', ...words] = command.trim().split(/\s+/);
    if (who === 'clock') this.#pass(Number(words[0]) * 1_000);
    if (who === 'outage') this.#at += Number(words[0]) * 1_000;
    if (who === 'book' || who === 'balance') return shown(line, who, this.#state(who, words));
    if (who === 'clock' || who === 'outage' || rest.length === 0) return line;
    return `${command}-> ${printEvents(this.give(parseCommand(who, words)))}`;
  }

  /** Of an exchange that is there: at an open desk there is a command at least each minute. */
  #pass(ms: number): void {
    const until = this.#at + ms;
    for (const terms of this.snapshot().otcTerms)
      for (this.#at += HEARD_MS; this.#at <= until; this.#at += HEARD_MS) this.#apply({ type: 'SetOtcTerms', ...terms });
    this.#at = until;
  }

  give(command: Command): readonly Event[] {
    const before = this.#engine.encodeState();
    const events = this.#apply(command);
    this.#auditor.follow(events);
    const bytes = this.#engine.encodeState();
    assert(events[0]?.type !== 'CommandRejected' || sameBytes(before, bytes), 'R11: a refused command changes nothing');
    assertSound(decodeSnapshot(bytes));
    this.#engine = decodeState(bytes);
    assert(sameBytes(this.#engine.encodeState(), bytes), 'a restored state has the bytes it was restored from');
    return events;
  }

  #apply(command: Command): readonly Event[] {
    const sequenced = { seq: seq(this.#history.length + 1), at: millis(this.#at), command };
    this.#history.push(sequenced);
    return this.#engine.apply(sequenced);
  }

  snapshot(): Snapshot {
    return decodeSnapshot(this.#engine.encodeState());
  }

  /** R1: the same commands make the same state. */
  replay(): void {
    const replayed = createEngine();
    for (const command of this.#history) replayed.apply(command);
    assert(sameBytes(replayed.encodeState(), this.#engine.encodeState()), 'R1: a replay has the same state bytes');
  }

  #state(what: 'book' | 'balance', words: readonly string[]): string {
    const { balances, markets, orders } = decodeSnapshot(this.#engine.encodeState());
    if (what === 'balance') {
      const [person = '', asset = '', third] = words;
      const wallet = WALLETS.find((one) => one === third);
      const found = balances.find(
        (one) => one.account === accountOf(person) && one.wallet === (wallet ?? 'spot') && one.asset === assetOf(asset),
      );
      return `${person} ${asset}${wallet === undefined ? '' : ` ${wallet}`} free ${found?.free ?? 0n} held ${found?.held ?? 0n}`;
    }
    const resting = (markets[0]?.resting ?? []).map((id) => orders.find(({ order }) => order.orderId === id));
    const side = (wanted: string): string =>
      resting.flatMap((one) => (one?.order.side === wanted ? [`${one.order.price} x ${one.remaining}`] : [])).join(', ');
    return `${side('buy')} | ${side('sell')}`.trim();
  }
}

function shown(line: string, what: string, text: string): string {
  const column = line.slice(0, line.indexOf(what) + what.length);
  return `${column}${' '.repeat(Math.max(1, line.slice(column.length).search(/\S|$/)))}${text}`;
}

function sameBytes(left: Uint8Array, right: Uint8Array): boolean {
  return left.length === right.length && left.every((byte, index) => byte === right[index]);
}

export function* opening(terms: Partial<Market> = {}): Generator<Command> {
  for (const [index, code] of ASSETS.entries()) {
    yield { type: 'RegisterAsset', asset: assetId(index + 1), code, decimals: 0, kind: index < 2 ? 'chain' : 'internal' };
  }
  yield { type: 'RegisterMarket', ...MARKET, ...terms };
  for (const person of PEOPLE) {
    const account = accountOf(person);
    yield { type: 'OpenAccount', address: addressOf(person) };
    for (const flag of ['termsAccepted', 'whitelisted', 'connected'] as const) yield { type: 'SetAccountFlag', account, flag, value: true };
    for (const [asset, amount] of [
      [assetId(1), atoms(100_000n)],
      [assetId(2), atoms(1_000n)],
    ] as const) {
      yield { type: 'CreditDeposit', key: `${person}:${asset}`, address: addressOf(person), asset, amount };
      yield { type: 'Transfer', account, transferId: `opening:${asset}`, asset, amount, from: 'funding', to: 'spot' };
    }
  }
}

/**
 * Orders for the most, on every listed market, by the number that `max-size` answered before prices moved and another order of the account came. None is refused for
 * money, with `max`; without it some are, which is the fault that the run must see.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { assert, atoms, lots, millis, NO_ATOMS, NO_TICKS, ppm, printTicks, ticks, type AccountId } from '@orrery/units';
import type { Command, Contract, Event, Market, PlaceContractOrder, Side, Wallet } from '@orrery/protocol';
import { contractNotional } from '@orrery/rules';
import { setPrice } from '../testing/contract-floor.ts';
import type { Person } from '../testing/people.ts';
import { openVenue, type Venue } from '../testing/venue.ts';

/** The whole run is 2,000 orders; a part of it runs with every test. */
const ORDERS = Number(process.env['ORRERY_MAX_ORDERS'] ?? 120);
const seed = Number(process.env['ORRERY_SEED'] ?? Math.floor(Math.random() * 1_000_000_000));

const PRICES: Readonly<Record<string, number>> = { BTC: 100_000, ETH: 4_000, SOL: 200, BNB: 900, DOGE: 0.2, WSOSO: 0.5 };
const MILLION = 1_000_000;
const DAY = 86_400_000;

/** Refusals for a price of another moment, or for money of another moment. */
const OF_MONEY = [
  'InsufficientMargin',
  'InsufficientBalance',
  'PositionTooLarge',
  'OpenInterestExceeded',
  'InvalidSize',
  'InvalidNotional',
];

let venue: Venue;
let walk: Walk;
beforeAll(async () => {
  venue = await openVenue();
  walk = new Walk(venue, seed);
  await walk.begin();
});
afterAll(() => venue.close());

test('orders for the most are placed whatever moved meanwhile: none is refused for a cent', { timeout: 1_200_000 }, async () => {
  console.log(`ORRERY_SEED=${seed}`);
  const seen = await walk.play(ORDERS, true);
  console.log([...seen].map(([what, count]) => `${what} ${count}`).join(', '));
  expect([...seen.keys()].filter((what) => !/^(placed|nothing left)/.test(what))).toEqual([]);
  for (const symbol of walk.symbols) expect(seen.get(`placed ${symbol}`)).toBeGreaterThan(0);
});

test('the same without the intent is refused for money', { timeout: 600_000 }, async () => {
  const seen = await walk.play(Math.max(120, ORDERS / 10), false);
  const refused = [...seen].filter(([what]) => what.startsWith('refused')).reduce((sum, [, count]) => sum + count, 0);
  expect(refused).toBeGreaterThan(3);
});

/** One listed market, and the tick at which it trades. */
interface Place {
  readonly terms: Market | Contract;
  readonly contract: Contract | undefined;
  tick: number;
}

class Walk {
  readonly #venue: Venue;
  readonly #trader: Person;
  readonly #house: AccountId;
  readonly #places: Place[] = [];
  readonly #assets = new Map<Market['base'], { readonly decimals: number }>();
  #state: number;
  #names = 0;

  constructor(from: Venue, start: number) {
    this.#venue = from;
    this.#trader = from.alice;
    this.#house = from.bob.account;
    this.#state = start | 0;
  }

  get symbols(): readonly string[] {
    return this.#places.map(nameOf);
  }

  /** Everybody has money everywhere, and each contract has prices. */
  async begin(): Promise<void> {
    const listed = this.#venue.heart.history.flatMap(({ events }) => [...events]);
    for (const event of listed) this.#list(event);
    for (const event of listed)
      if (event.type === 'AssetRegistered' && event.kind === 'chain') await this.#stock(event.asset, event.decimals);
    for (const account of [this.#trader.account, this.#house]) {
      const day = millis(Math.floor(this.#venue.clock.now / DAY) * DAY);
      await this.#must({ type: 'GrantPractice', account, day });
    }
    await this.#must({ type: 'StockPractice', account: this.#house, upTo: atoms(10n ** 12n) });
    for (const place of this.#places) if (place.contract !== undefined) await this.#hear(place, 3);
  }

  #list(event: Event): void {
    if (event.type === 'AssetRegistered') this.#assets.set(event.asset, event);
    if (event.type !== 'MarketRegistered' && event.type !== 'ContractRegistered') return;
    const contract = event.type === 'ContractRegistered' ? event : undefined;
    const base = contract?.baseCode ?? event.symbol.split('_')[0]!;
    const price = PRICES[base] ?? 100;
    this.#places.push({ terms: event, contract, tick: Math.round(price * 10 ** event.pricePrecision) });
  }

  async #stock(asset: Market['base'], decimals: number): Promise<void> {
    for (const [person, whole] of [
      [this.#trader, 20_000n],
      [this.#venue.bob, 10n ** 8n],
    ] as const) {
      const { account, address } = person;
      const amount = atoms(whole * 10n ** BigInt(decimals));
      const wallets: Wallet[] = ['futures', 'coinFutures'];
      await this.#must({ type: 'CreditDeposit', key: `stock:${account}:${asset}`, address, asset, amount });
      await this.#move(account, asset, { amount, from: 'funding', to: 'spot' });
      for (const to of wallets) await this.#move(account, asset, { amount: atoms(amount / 4n), from: 'spot', to });
    }
  }

  async #move(
    account: AccountId,
    asset: Market['base'],
    words: { amount: ReturnType<typeof atoms>; from: Wallet; to: Wallet },
  ): Promise<void> {
    this.#names += 1;
    await this.#venue.heart.submit({ type: 'Transfer', account, asset, transferId: `stock-${this.#names}`, ...words });
  }

  async play(orders: number, isMost: boolean): Promise<Map<string, number>> {
    const seen = new Map<string, number>();
    const count = (what: string): void => void seen.set(what, (seen.get(what) ?? 0) + 1);
    for (let index = 0; index < orders; index += 1) {
      const place = this.#places[index % this.#places.length]!;
      await this.#topUp(place);
      if (place.contract !== undefined) await this.#hear(place, 3);
      await this.#quote(place);
      const what = place.contract === undefined ? await this.#inSpot(place, isMost) : await this.#inContract(place, isMost);
      if (what !== '') count(`${what} ${nameOf(place)}`);
      await this.#clean(place);
    }
    return seen;
  }

  /** Orders for the most spend everything: somewhat more than the least order is there before each. */
  async #topUp({ terms, contract, tick }: Place): Promise<void> {
    const { account } = this.#trader;
    if (contract !== undefined && groupOf(contract) === 'practice') {
      await this.#must({ type: 'StockPractice', account, upTo: atoms(BigInt(500 + this.#below(5_000)) * 1_000_000n) });
      return;
    }
    const dollars = 100 + this.#below(5_000);
    const needs: readonly (readonly [Market['base'], number])[] =
      contract === undefined && !('settle' in terms)
        ? [
            [terms.quote, dollars],
            [terms.base, (dollars * 10 ** terms.pricePrecision) / tick],
          ]
        : contract?.payoff === 'inverse'
          ? [[contract.settle, (dollars * 10 ** terms.pricePrecision) / tick]]
          : [[contract!.settle, dollars]];
    for (const [asset, amount] of needs) await this.#give(account, asset, { whole: amount, to: walletOf(contract) });
  }

  async #give(account: AccountId, asset: Market['base'], { whole, to }: { readonly whole: number; readonly to: Wallet }): Promise<void> {
    this.#names += 1;
    const { decimals } = this.#assets.get(asset)!;
    const amount = atoms((BigInt(Math.round(whole * 1_000_000)) * 10n ** BigInt(decimals)) / 1_000_000n);
    await this.#must({ type: 'CreditDeposit', key: `more:${this.#names}`, address: this.#trader.address, asset, amount });
    await this.#move(account, asset, { amount, from: 'funding', to: 'spot' });
    if (to !== 'spot') await this.#move(account, asset, { amount, from: 'spot', to });
  }

  async #inContract(place: Place, isMost: boolean): Promise<string> {
    const { terms } = place;
    const trade = '/futures/fapi/trade/v1/order';
    const leverage = 1 + this.#below(40);
    await this.#venue.heart.submit({
      type: 'SetLeverage',
      account: this.#trader.account,
      market: terms.market,
      positionSide: 'both',
      leverage,
    });
    // Sometimes with a position, which the order closes first, or adds to.
    if (this.#below(3) === 0) await this.#take(place);
    const orderSide = this.#below(2) === 0 ? 'BUY' : 'SELL';
    const isLimit = this.#below(2) === 0;
    const price = isLimit ? printTicks(ticks(this.#near(place.tick, 3_000)), terms.pricePrecision) : undefined;
    const limited = price === undefined ? {} : { price };
    const asked = { symbol: terms.symbol, orderSide, ...limited };
    const { maxQty } = await this.#ask(`${trade}/max-size`, asked);
    await this.#happen(place);
    const body = { ...asked, orderType: isLimit ? 'LIMIT' : 'MARKET', origQty: maxQty, ...(isMost && { max: true }) };
    if (maxQty === '0') return '';
    const answer = await this.#send(`${trade}/create`, body);
    if (answer !== 'refused InsufficientMargin' || place.contract === undefined) return answer;
    // A position that has lost all that was free meanwhile leaves less than the least order.
    const now = await this.#ask(`${trade}/max-size`, asked);
    const left = lots(Math.round(Number(now['maxQty']) * 10 ** terms.sizePrecision));
    return contractNotional(ticks(place.tick), left, place.contract) < terms.minNotional ? 'nothing left' : answer;
  }

  async #inSpot(place: Place, isMost: boolean): Promise<string> {
    const { terms } = place;
    const trade = '/spot/v1/u/trade/order';
    const direction = this.#below(2) === 0 ? 'BUY' : 'SELL';
    const kind = ['LIMIT', 'MARKET', 'STOP_LIMIT', 'FUNDS'][this.#below(direction === 'BUY' ? 4 : 3)]!;
    const text = (tick: number): string => printTicks(ticks(tick), terms.pricePrecision);
    const hasLimit = kind === 'LIMIT' || kind === 'STOP_LIMIT';
    const limited = hasLimit ? { price: text(this.#near(place.tick, 3_000)) } : {};
    const waits = kind === 'STOP_LIMIT' ? { stopPrice: text(Math.round(place.tick * (direction === 'BUY' ? 1.05 : 0.95))) } : {};
    const asked = { symbol: terms.symbol, direction, ...limited, ...waits };
    const { maxAmount, free } = await this.#ask(`${trade}/max-size`, asked);
    await this.#happen(place);
    const size = kind === 'FUNDS' ? { funds: free! } : { totalAmount: maxAmount };
    const body = { ...asked, tradeType: kind === 'FUNDS' ? 'MARKET' : kind, ...size, ...(isMost && { max: true }) };
    return maxAmount === '0' ? '' : this.#send(`${trade}/create`, body);
  }

  async #send(path: string, body: object): Promise<string> {
    const { code, data } = await this.#venue.post(path, { as: this.#trader, body });
    if (code === 0) return 'placed';
    const { reason } = data as { reason: string };
    return OF_MONEY.includes(reason) ? `refused ${reason}` : `answered ${reason}`;
  }

  async #ask(path: string, query: Readonly<Record<string, string>>): Promise<Record<string, string | null>> {
    const minSeq = String(this.#venue.heart.history.length);
    const { code, data } = await this.#venue.get(path, { as: this.#trader, query: { ...query, minSeq } });
    assert(code === 0, `${path} is answered`);
    return data;
  }

  /** Between the question and the order: a tick of the mark, another book, and an order of another tab. */
  async #happen(place: Place): Promise<void> {
    const kind = this.#below(4);
    if (kind > 0) {
      place.tick = Math.max(10, this.#near(place.tick, kind === 3 ? 5_000 : 800));
      if (place.contract !== undefined) await this.#hear(place, 1);
      await this.#quote(place);
    }
    if (this.#below(3) > 0) return;
    const side: Side = this.#below(2) === 0 ? 'buy' : 'sell';
    const tick = side === 'buy' ? Math.floor(place.tick * 0.97) : Math.ceil(place.tick * 1.03);
    await this.#venue.heart.submit(orderOf(place, { account: this.#trader.account, side, tick, size: this.#sizeWorth(place, 200) }));
  }

  async #hear({ terms, tick }: Place, rounds: number): Promise<void> {
    await setPrice(this.#venue, { symbol: terms.symbol, price: printTicks(ticks(tick), terms.pricePrecision), rounds });
  }

  /** The house alone stands in the book: some levels on both sides. */
  async #quote(place: Place): Promise<void> {
    const account = this.#house;
    await this.#venue.heart.submit({ type: 'CancelAllOrders', account, market: place.terms.market });
    for (let level = 1; level <= 4; level += 1)
      for (const side of ['buy', 'sell'] as const) {
        const away = Math.max(level, Math.round((place.tick * level * 200) / MILLION));
        const tick = side === 'buy' ? place.tick - away : place.tick + away;
        await this.#venue.heart.submit(orderOf(place, { account, side, tick, size: this.#sizeWorth(place, 100_000) }));
      }
  }

  async #take(place: Place): Promise<void> {
    const side: Side = this.#below(2) === 0 ? 'buy' : 'sell';
    const tick = this.#near(place.tick, 1) + (side === 'buy' ? 1 : -1) * Math.ceil(place.tick / 200);
    const size = this.#sizeWorth(place, 100 + this.#below(4_000));
    await this.#venue.heart.submit(orderOf(place, { account: this.#trader.account, side, tick, size }));
  }

  /** The trader holds nothing: what a position needs in a contract whose prices are old is more than what a page knows. */
  async #clean(place: Place): Promise<void> {
    const account = this.#trader.account;
    await this.#venue.heart.submit({ type: 'CancelAllOrders', account, market: 0 });
    if (place.contract === undefined) return;
    await this.#quote(place);
    for (let count = 0; count < 12; count += 1) {
      this.#names += 1;
      await this.#venue.heart.submit({
        type: 'CloseAllPositions',
        account,
        payoff: groupOf(place.contract),
        mode: 'market',
        key: `c${this.#names}`,
      });
      await this.#quote(place);
    }
  }

  #sizeWorth({ terms, contract, tick }: Place, dollars: number): number {
    if (contract?.payoff === 'inverse') return dollars;
    return Math.max(1, Math.round(dollars / (tick / 10 ** (terms.pricePrecision + terms.sizePrecision))));
  }

  #near(tick: number, millionths: number): number {
    const span = Math.max(1, Math.round((tick * millionths) / MILLION));
    return tick + this.#below(2 * span + 1) - span;
  }

  async #must(command: Command): Promise<void> {
    const { events } = await this.#venue.heart.submit(command);
    const [first] = events;
    assert(first !== undefined, 'a command is answered');
    assert(
      first.type !== 'CommandRejected',
      `${command.type} is taken, not refused: ${first.type === 'CommandRejected' ? first.reason : ''}`,
    );
  }

  /** Seeded chance (mulberry32). */
  #below(limit: number): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  }
}

const nameOf = ({ terms, contract }: Place): string => `${terms.symbol}${contract === undefined ? '' : ' contract'}`;
const walletOf = (contract: Contract | undefined): Wallet =>
  contract === undefined ? 'spot' : contract.payoff === 'inverse' ? 'coinFutures' : 'futures';
const groupOf = ({ payoff, symbol }: Contract) => (symbol.endsWith('_PRACTICE') ? 'practice' : payoff);

interface Words {
  readonly account: AccountId;
  readonly side: Side;
  readonly tick: number;
  readonly size: number;
}

function orderOf({ terms, contract }: Place, { account, side, tick, size }: Words): Command {
  const order = {
    account,
    market: terms.market,
    clientOrderId: '',
    side,
    orderType: 'limit',
    timeInForce: 'GTC',
    price: ticks(tick),
    size: lots(size),
    funds: NO_ATOMS,
    triggerPrice: NO_TICKS,
    slippagePpm: ppm(0),
    selfTradePrevention: 'expireMaker',
  } as const;
  if (contract === undefined) return { type: 'PlaceOrder', ...order };
  const none = { triggerPrice: NO_TICKS, triggerBy: 'last', price: NO_TICKS } as const;
  const plain: PlaceContractOrder['contract'] = {
    positionSide: 'both',
    reduceOnly: false,
    closePosition: false,
    triggerBy: 'last',
    trailingPpm: ppm(0),
    source: 'plain',
  };
  return { type: 'PlaceContractOrder', ...order, contract: plain, takeProfit: none, stopLoss: none };
}

import { accountId, type AccountId, assert, assetId, atoms, lots, marketId, millis, ppm, ticks, type Address } from '@orrery/units';
import type { Contract, Event, FundingPaid, PlaceContractOrder, PositionSide, Trade, Wallet } from '@orrery/protocol';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { MemoryHeart } from '../../../exchange/src/testing/memory-heart.ts';
import { CONTRACTS } from '../../../exchange/src/listing.ts';
import { PEOPLE, seededRandom, trade } from './testing/market-day.ts';
import { Room } from './testing/room.ts';

const SEED = Number(process.env['SEED'] ?? Math.floor(Math.random() * 2 ** 31));
const HOUR = 3_600_000;
const MIDNIGHT = 1_795_046_400_000;
const [USDC, BTC] = [assetId(1), assetId(2)];
const SPOT = marketId(1);
const LINEAR = contractOf('BTC_USDC');
const INVERSE = contractOf('BTC_USD');
/** In hedge mode. */
const HEDGED = PEOPLE;

function contractOf(symbol: string): Contract {
  const found = CONTRACTS.find((one) => one.symbol === symbol);
  assert(found !== undefined, `${symbol} is listed`);
  return found;
}

let room: Room;
beforeAll(async () => {
  room = await Room.open();
});
afterAll(() => room.db.close());

interface NaivePosition {
  readonly contract: Contract;
  size: bigint;
  cost: bigint;
}

/** What one account has, and what has come in. */
class NaiveAccount {
  readonly #account: AccountId;
  readonly #positions = new Map<string, NaivePosition>();
  readonly #sides = new Map<number, PositionSide>();
  readonly #marks = new Map<number, bigint>();
  #usdc = 0n;
  #btc = 0n;
  #net = 0n;
  #tick = 0n;

  constructor(account: AccountId) {
    this.#account = account;
  }

  follow(event: Event): void {
    switch (event.type) {
      case 'IndexPriceSet':
        if (event.market === SPOT) this.#tick = BigInt(event.price);
        return;
      case 'PricesSet':
        return void this.#marks.set(event.market, BigInt(event.mark));
      case 'OrderAccepted':
        return void this.#sides.set(event.orderId, event.contract?.positionSide ?? 'both');
      case 'DepositCredited':
        if (event.account === this.#account) this.#come(event.asset, event.amount);
        return;
      case 'WithdrawalPosted':
        if (event.account === this.#account) this.#come(event.asset, 0n - event.amount);
        return;
      case 'FundingPaid':
        return this.#fund(event);
      case 'Trade':
        return this.#trade(event);
      default:
    }
  }

  get equity(): bigint {
    let [usdc, btc] = [this.#usdc, this.#btc];
    for (const { contract, size, cost } of this.#positions.values()) {
      if (size === 0n) continue;
      const value = notionalOf(contract, this.#marks.get(contract.market) ?? 0n, size < 0n ? -size : size);
      const profit = size > 0n === (contract.payoff === 'linear') ? value - cost : cost - value;
      if (contract === LINEAR) usdc += profit;
      else btc += profit;
    }
    return usdc + this.#worth(btc);
  }

  get net(): bigint {
    return this.#net;
  }

  #come(asset: number, amount: bigint): void {
    if (asset === USDC) this.#usdc += amount;
    else this.#btc += amount;
    this.#net += asset === USDC ? amount : this.#worth(amount);
  }

  #fund({ account, market, amount }: FundingPaid): void {
    if (account === this.#account) this.#add(market === LINEAR.market, amount);
  }

  #trade(event: Trade): void {
    const contract = [LINEAR, INVERSE].find(({ market }) => market === event.market);
    const sides = [
      { account: event.takerAccount, orderId: event.takerOrderId, buys: event.takerSide === 'buy', fee: event.takerFee },
      { account: event.makerAccount, orderId: event.makerOrderId, buys: event.takerSide === 'sell', fee: event.makerFee },
    ];
    for (const { orderId, buys, fee } of sides.filter(({ account }) => account === this.#account)) {
      if (contract === undefined) {
        this.#usdc += buys ? 0n - event.notional : event.notional - fee;
        this.#btc += buys ? BigInt(event.size) * 1_000n - fee : BigInt(event.size) * -1_000n;
      } else {
        this.#add(contract === LINEAR, 0n - fee);
        this.#fill(contract, event, { key: `${event.market} ${this.#sides.get(orderId)}`, buys });
      }
    }
  }

  /** Closes what is against it at the cost that it had, and opens with the rest. */
  #fill(contract: Contract, { size, price, notional }: Trade, { key, buys }: { readonly key: string; readonly buys: boolean }): void {
    const position = this.#positions.get(key) ?? { contract, size: 0n, cost: 0n };
    this.#positions.set(key, position);
    const filled = BigInt(size);
    const held = position.size < 0n ? -position.size : position.size;
    const isLong = position.size > 0n;
    const closed = held > 0n && isLong !== buys ? (held < filled ? held : filled) : 0n;
    const closing = closed === filled ? notional : notionalOf(contract, BigInt(price), closed);
    const released = closed === 0n ? 0n : (position.cost * closed) / held;
    const profit = isLong === (contract === LINEAR) ? closing - released : released - closing;
    if (closed > 0n) this.#add(contract === LINEAR, profit);
    position.cost += notional - closing - released;
    position.size += buys ? filled : -filled;
  }

  #add(isLinear: boolean, amount: bigint): void {
    if (isLinear) this.#usdc += amount;
    else this.#btc += amount;
  }

  /** One lot of 1,000 atoms at one tick is one atom of USDC. */
  #worth(amount: bigint): bigint {
    return (amount * this.#tick) / 1_000n;
  }
}

const notionalOf = ({ payoff, tickLotAtoms }: Contract, price: bigint, size: bigint): bigint => {
  if (size === 0n) return 0n;
  return payoff === 'linear' ? price * size * tickLotAtoms : (size * tickLotAtoms) / price;
};

/** USDC atoms. */
const atomsIn = (text: string): bigint => {
  const [whole = '', part = ''] = text.replace('-', '').split('.');
  return BigInt(whole + part.padEnd(6, '0')) * (text.startsWith('-') ? -1n : 1n);
};

const addressOf = (person: number): Address => `0x${String(person).padStart(40, '0')}` as Address;

/** Trades contracts of both kinds between five people, one of them in hedge mode, around a mark that moves, with funding at each hour. */
class Day {
  readonly #heart: MemoryHeart;
  readonly #random: () => number;
  #names = 0;
  price = 1_000_000;

  constructor(heart: MemoryHeart, random: () => number) {
    this.#heart = heart;
    this.#random = random;
  }

  async begin(): Promise<void> {
    for (let person = 1; person <= PEOPLE; person += 1) {
      await this.#move(person, { asset: USDC, amount: 2n * 10n ** 12n, to: 'futures' });
      await this.#move(person, { asset: BTC, amount: 2n * 10n ** 9n, to: 'coinFutures' });
    }
    for (const payoff of ['linear', 'inverse'] as const)
      await this.#must({ type: 'SetPositionMode', account: accountId(HEDGED), payoff, mode: 'hedge' });
    for (let round = 0; round < 3; round += 1) await this.prices();
  }

  /** Small steps, so that nobody is liquidated. */
  async prices(): Promise<void> {
    this.price += this.#below(8_001) - 4_000;
    const index = ['one', 'two', 'three'].map((source) => ({ source, price: ticks(this.price), ageMs: 0, weight: 1 }));
    for (const { market } of [LINEAR, INVERSE]) await this.#must({ type: 'SubmitPrices', market, index, external: [] });
    await this.#must({ type: 'SetIndexPrice', market: SPOT, price: ticks(this.price + this.#below(501) - 250) });
  }

  async trade(orders: number): Promise<void> {
    for (let count = 0; count < orders; count += 1) {
      await this.#heart.submit(this.#order(1 + this.#below(PEOPLE)));
      await this.#goOn();
    }
  }

  /** Pays the hour that has ended. */
  async fund(interval: number): Promise<void> {
    for (const { market } of [LINEAR, INVERSE]) await this.#heart.submit({ type: 'SettleFunding', market, interval: millis(interval) });
    await this.#goOn();
  }

  async deposit(): Promise<void> {
    this.#names += 1;
    const asset = this.#below(2) === 0 ? USDC : BTC;
    const address = addressOf(1 + this.#below(PEOPLE));
    await this.#must({
      type: 'CreditDeposit',
      key: `138565:0xc${this.#names}:1`,
      address,
      asset,
      amount: atoms(BigInt(1 + this.#below(1e9))),
    });
  }

  #order(person: number): PlaceContractOrder {
    const contract = this.#below(2) === 0 ? LINEAR : INVERSE;
    const isMarket = this.#below(4) === 0;
    const size = contract === LINEAR ? 1 + this.#below(200_000) : 1 + this.#below(100_000);
    const none = { triggerPrice: ticks(0), triggerBy: 'last', price: ticks(0) } as const;
    return {
      type: 'PlaceContractOrder',
      account: accountId(person),
      market: contract.market,
      clientOrderId: '',
      side: this.#below(2) === 0 ? 'buy' : 'sell',
      orderType: isMarket ? 'market' : 'limit',
      timeInForce: isMarket ? 'IOC' : 'GTC',
      price: ticks(isMarket ? 0 : this.price + this.#below(2_001) - 1_000),
      size: lots(size),
      funds: atoms(0n),
      triggerPrice: ticks(0),
      slippagePpm: ppm(0),
      selfTradePrevention: 'expireMaker',
      contract: {
        positionSide: person === HEDGED ? (this.#below(2) === 0 ? 'long' : 'short') : 'both',
        reduceOnly: false,
        closePosition: false,
        triggerBy: 'last',
        trailingPpm: ppm(0),
        source: 'plain',
      },
      takeProfit: none,
      stopLoss: none,
    };
  }

  #move(person: number, { asset, amount, to }: { asset: typeof USDC; amount: bigint; to: Wallet }): Promise<void> {
    this.#names += 1;
    const transfer = { account: accountId(person), transferId: `c${this.#names}`, asset, amount: atoms(amount) };
    return this.#must({ type: 'Transfer', ...transfer, from: 'spot', to });
  }

  async #must(command: Parameters<MemoryHeart['submit']>[0]): Promise<void> {
    const { events } = await this.#heart.submit(command);
    const [first] = events;
    if (first?.type === 'CommandRejected') throw new Error(`${command.type} is refused: ${first.reason} ${first.field}`);
    await this.#goOn();
  }

  async #goOn(): Promise<void> {
    for (let next = this.#heart.continuation(); next !== undefined; next = this.#heart.continuation()) await this.#heart.submit(next);
  }

  #below(limit: number): number {
    return Math.floor(this.#random() * limit);
  }
}

test(`the profit of accounts with linear and coin-margined positions is the change of equity less what came in, to the atom (seed ${SEED})`, async () => {
  const random = seededRandom(SEED);
  room.clock.now = MIDNIGHT + 20 * 60_000;
  const heart = await room.begin();
  const projector = await room.start();
  const day = new Day(heart, random);
  await day.begin();
  for (let piece = 0; piece < 14; piece += 1) {
    await day.prices();
    await day.trade(30);
    await day.deposit();
    if (random() < 0.4) await trade(heart, { random, commands: 15, label: `c${piece}` });
    if (random() < 0.3) room.clock.now += HOUR + Math.floor(random() * HOUR);
    // Across the hour with prices that can be relied on, so that it is paid.
    if (piece % 3 === 2) {
      const hour = room.clock.now - (room.clock.now % HOUR) + HOUR;
      room.clock.now = hour - 30_000;
      for (let round = 0; round < 4; round += 1) await day.prices();
      room.clock.now = hour + Math.floor(random() * 2_000);
      await day.prices();
      await day.fund(hour);
    }
  }
  await room.caughtUp(projector);
  const events = heart.history.flatMap(({ at, events: facts }) => facts.map((event) => ({ at, event })));
  const kinds = new Set<string>(events.map(({ event }) => event.type));
  for (const kind of ['FundingPaid', 'PositionReduced', 'DepositCredited']) expect(kinds).toContain(kind);
  expect(kinds).not.toContain('LiquidationStep');
  for (let person = 1; person <= PEOPLE; person += 1) {
    const account = accountId(person);
    const { points, latest } = await projector.history.portfolio.history({ account, range: '7d', scope: 'all' });
    const naive = new NaiveAccount(account);
    let step = 0;
    for (const point of [...points, latest!]) {
      const end = point === latest ? Number.POSITIVE_INFINITY : point.time;
      for (let next = events[step]; next !== undefined && next.at < end; next = events[++step]) naive.follow(next.event);
      expect([point.time, atomsIn(point.equity), atomsIn(point.net)]).toEqual([point.time, naive.equity, naive.net]);
    }
    expect(points.length).toBeGreaterThan(2);
    expect(naive.equity).not.toBe(naive.net);
  }
  await projector.stop();
  expect(room.troubles).toEqual([]);
});

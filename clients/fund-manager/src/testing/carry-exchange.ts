/** For tests: the calls that carry makes, answered by one coin and its contract; orders fill at the index price unless a test says otherwise. */
import type { Client } from '@orrery/sdk';

const LISTED = {
  pricePrecision: 1,
  quantityPrecision: 5,
  maxOpenOrders: 200,
  minPrice: '0.1',
  maxPrice: '10000000',
  minQty: '0.00001',
  maxQty: '1000',
  minNotional: '5',
  maxNotional: '100000000',
  makerFee: '0.0002',
  takerFee: '0.0005',
  multiplierUp: '1.1',
  marketTakeBound: '0.05',
};
const LOT = 100_000;

type Leg = 'spot' | 'contract';
type Outcome = 'fills' | 'isRefused' | 'fillsWithoutAnswer' | 'fillsHalf' | 'isMissed';

interface Order {
  readonly leg: Leg;
  readonly side: 'BUY' | 'SELL';
  readonly lots: number;
}

export class CarryExchange {
  /** USDC in all wallets but for profit and loss, which stays 0 at a price that stands still. */
  money = 10_000;
  coins = 0;
  short = 0;
  price: number | null = 100_000;
  /** Of the other coin, of which nothing is held. */
  otherPrice: number | null = 4_000;
  fundingRate = '0.0001';
  shares = '10000';
  waitingRedemptions = '0';
  state = 'TRADING';
  readonly orders: string[] = [];
  /** Of prices and rates. */
  publicCalls = 0;
  outcome: (order: Order) => Outcome = () => 'fills';
  refusal: () => Error = () => new Error('no refusal is set');
  /** Instead of an answer to what is read of the fund. */
  fundFailure: Error | undefined;
  readonly #names = new Set<string>();

  readonly client = {
    coins: async () => ['BTC', 'ETH'].map((coin) => ({ coin, precision: 8 })).concat({ coin: 'USDC', precision: 6 }),
    symbols: async () =>
      ['BTC', 'ETH'].map((coin) => ({
        ...LISTED,
        symbol: `${coin}_USDC`,
        sellCoin: coin,
        buyCoin: 'USDC',
        sellCoinPrecision: 8,
        buyCoinPrecision: 6,
      })),
    futuresSymbols: async () =>
      ['BTC', 'ETH'].map((coin) => ({
        ...LISTED,
        symbol: `${coin}_USDC`,
        settleCoinPrecision: 6,
        underlyingType: 'U_BASED',
        maxLeverage: 40,
        state: coin === 'BTC' ? this.state : 'TRADING',
        isDegraded: false,
      })),
    fundDetail: async () => {
      if (this.fundFailure !== undefined) throw this.fundFailure;
      return { shares: this.shares, waitingRedemptions: this.waitingRedemptions };
    },
    positions: async ({ symbol }: { readonly symbol?: string } = {}) => {
      const btc = {
        symbol: 'BTC_USDC',
        leverage: 3,
        positionSize: print(0 - this.short),
        unrealizedProfit: this.price === null ? null : '0',
        settleCoin: 'USDC',
      };
      const eth = { ...btc, symbol: 'ETH_USDC', positionSize: '0', unrealizedProfit: '0' };
      if (symbol === undefined) return this.short === 0 ? [] : [btc];
      return [symbol === 'BTC_USDC' ? btc : eth];
    },
    adjustLeverage: async () => undefined,
    futuresIndexPrices: async () => {
      this.publicCalls += 1;
      return Object.entries({ BTC_USDC: this.price, ETH_USDC: this.otherPrice }).map(([s, price]) => ({
        s,
        p: price === null ? null : String(price),
      }));
    },
    balances: async ({ coin }: { readonly coin?: string } = {}) =>
      [
        { coin: 'USDC', balanceType: 'spot', balance: this.money.toFixed(6), availableBalance: this.money.toFixed(6) },
        { coin: 'BTC', balanceType: 'spot', balance: print(this.coins), availableBalance: print(this.coins) },
      ].filter((one) => coin === undefined || one.coin === coin),
    fundingRate: async ({ symbol }: { readonly symbol: string }) => {
      this.publicCalls += 1;
      return { fundingRate: this.#rate(symbol), collectionInterval: 1 };
    },
    fundingRateRecord: async ({ symbol }: { readonly symbol: string }) => {
      this.publicCalls += 1;
      return { items: Array.from({ length: 24 }, () => ({ fundingRate: this.#rate(symbol) })) };
    },
    futuresBalance: async () => ({ transferableBalance: '0' }),
    transfer: async () => undefined,
    createOrder: async (order: { direction: 'BUY' | 'SELL'; totalAmount: string; clientOrderId: string }) =>
      this.#take({ leg: 'spot', side: order.direction, lots: parse(order.totalAmount) }, order.clientOrderId),
    createFuturesOrder: async (order: { orderSide: 'BUY' | 'SELL'; origQty: string; clientOrderId: string }) =>
      this.#take({ leg: 'contract', side: order.orderSide, lots: parse(order.origQty) }, order.clientOrderId),
  } as unknown as Client;

  /** Only one coin pays. */
  readonly #rate = (symbol: string): string => (symbol === 'BTC_USDC' ? this.fundingRate : '0');

  #take(order: Order, name: string): void {
    if (this.#names.has(name)) return;
    this.#names.add(name);
    const outcome = this.outcome(order);
    this.orders.push(`${order.leg} ${order.side} ${order.lots} ${outcome}`);
    if (outcome === 'isRefused') throw this.refusal();
    if (outcome === 'isMissed') return;
    const filled = outcome === 'fillsHalf' ? Math.floor(order.lots / 2) : order.lots;
    const signed = order.side === 'BUY' ? filled : 0 - filled;
    if (order.leg === 'spot') {
      // The fee of a purchase is taken of the coins.
      this.coins += Math.floor(order.side === 'BUY' ? signed * 0.999 : signed);
      this.money -= (signed / LOT) * (this.price ?? 0);
    } else this.short -= signed;
    if (outcome === 'fillsWithoutAnswer') throw this.refusal();
  }

  /** Of the fund, in lots of the coin. */
  percent(part: number): number {
    const worth = this.money + (this.coins / LOT) * (this.price ?? 0);
    return ((worth * part) / 100 / (this.price ?? 1)) * LOT;
  }
}

const print = (lots: number): string => (lots / LOT).toFixed(5);
const parse = (size: string): number => Math.round(Number(size) * LOT);

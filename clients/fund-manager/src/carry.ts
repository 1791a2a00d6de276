/** Carry: reads what the account has, takes one step at a time, and reads again. It remembers nothing that a restart would lose but how often a hedge was missed. */
import type { CoinInfo } from '@orrery/api';
import { type Life, smallestOrder, smallestSize } from '@orrery/market-maker';
import {
  CallError,
  type Client,
  type ContractTerms,
  contractTerms,
  type PairTerms,
  pairTerms,
  readPrice,
  readSize,
  writePrice,
  writeSize,
} from '@orrery/sdk';
import { parseAtoms, ticks, type Ticks } from '@orrery/units';
import { freeIn, LEAST_MOVE, moment, money, moveMoney, SETTLE, signed } from './amounts.ts';
import { CARRY, carryStep, type CarryStep, carryTarget, type CarryView } from './carry-plan.ts';

export interface CarryOptions {
  readonly client: Client;
  readonly life: Life;
  readonly log: (line: string) => void;
  /** Between two steps. */
  readonly stepMs: number;
}

/** One coin: where it is bought, and where it is sold short. */
interface Pair {
  readonly coin: string;
  readonly spot: PairTerms;
  readonly contract: ContractTerms;
  missedHedges: number;
  /** By the monotonic clock: nothing is bought before. */
  restsUntil: number;
  /** As they were when the round began: they change by the hour. */
  rates: Pick<CarryView, 'fundings' | 'predicted' | 'intervalHours'>;
}

const LEVERAGE = 3;
/** In one coin and one round: more than the slices of a whole entry, both legs. */
const STEPS_MAX = 20;
const RATE_DECIMALS = 9;
const NO_RATES: Pair['rates'] = { fundings: [], predicted: 0n, intervalHours: 1 };
const REST_MS = CARRY.restMinutes * 60_000;

/** Shares of the fund, all and those that wait to be redeemed. */
interface Shares {
  readonly all: bigint;
  readonly waiting: bigint;
}

/** What the account has, in atoms of the settle asset. */
interface Account {
  readonly worth: bigint;
  readonly funding: bigint;
  readonly spot: bigint;
  /** What the futures wallet is worth, with profit and loss at mark. */
  readonly futures: bigint;
}

export class Carry {
  readonly #options: CarryOptions;
  #pairs: readonly Pair[] | undefined;
  #hasBegun = false;
  #shares: Shares = { all: 1n, waiting: 0n };
  /** Index prices of contracts as they were last looked at. */
  #prices: ReadonlyMap<string, string | null> = new Map();
  /** Contracts that take no order which makes a position larger. */
  #closed: ReadonlySet<string> = new Set();
  /** Whether every price was known when the round began: without, legs that differ are brought together, and nothing else is done. */
  #isWhole = false;

  constructor(options: CarryOptions) {
    this.#options = options;
  }

  /**
   * Everything that there is to do now. @returns false while prices are missing or a hedge is. @throws what keeps it from being done; the next round begins with
   * reading.
   */
  async round(fundId: string): Promise<boolean> {
    const { life } = this.#options;
    this.#pairs ??= await this.#list();
    await this.#hear(fundId);
    this.#isWhole = true;
    const views: CarryView[] = [];
    for (const pair of this.#pairs) {
      await this.#setLeverage(pair);
      pair.rates = await this.#readRates(pair);
      const view = await this.#look(pair);
      if (view !== undefined) views.push(view);
    }
    this.#isWhole = views.length === this.#pairs.length && views.every(({ worth }) => worth !== undefined);
    if (this.#isWhole) await this.#begin(this.#pairs, views);
    for (const pair of this.#pairs) {
      for (let step = 0; step < STEPS_MAX && !life.isOver; step += 1) if (!(await this.#advance(pair))) break;
      // Nothing else is bought while a leg stands alone.
      if (pair.missedHedges > 0) return false;
    }
    return this.#isWhole;
  }

  /** Its orders fill at once or not at all. */
  end(): Promise<void> {
    return Promise.resolve();
  }

  /** What others do: who leaves the fund, and which contract is closed. Neither is needed to bring legs together, so what was known last stands where it is not heard. */
  async #hear(fundId: string): Promise<void> {
    const { client, log } = this.#options;
    try {
      const { shares, waitingRedemptions } = await client.fundDetail({ fundId });
      this.#shares = { all: money(shares), waiting: money(waitingRedemptions) };
      const contracts = await client.futuresSymbols();
      this.#closed = new Set(contracts.filter(({ state, isDegraded }) => state !== 'TRADING' || isDegraded).map(({ symbol }) => symbol));
    } catch (error) {
      log(`goes by what was known last: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  async #begin(pairs: readonly Pair[], views: readonly CarryView[]): Promise<void> {
    const { client, log } = this.#options;
    if (!this.#hasBegun)
      for (const [place, { contract }] of pairs.entries())
        log(`${contract.symbol}: begins with ${views[place]?.coins} lots of coins and ${views[place]?.short} short`);
    this.#hasBegun = true;
    await this.#moveMoney(views, await client.balances());
  }

  async #list(): Promise<readonly Pair[]> {
    const { client } = this.#options;
    const [symbols, coins, contracts] = [await client.symbols(), await client.coins(), await client.futuresSymbols()];
    return CARRY.coins.flatMap((coin): readonly Pair[] => {
      const symbol = `${coin}_${SETTLE}`;
      const [info, listed] = [symbols.find((one) => one.symbol === symbol), contracts.find((one) => one.symbol === symbol)];
      if (info === undefined || listed === undefined) return [];
      const [spot, contract] = [pairTerms(info, coins satisfies readonly CoinInfo[]), contractTerms(listed)];
      // Legs are compared in lots.
      const isEqual = spot.sizePrecision === contract.sizePrecision && spot.quoteDecimals === contract.settleDecimals;
      return contract.payoff === 'linear' && isEqual ? [{ coin, spot, contract, missedHedges: 0, restsUntil: 0, rates: NO_RATES }] : [];
    });
  }

  async #setLeverage({ contract: { symbol, maxLeverage } }: Pair): Promise<void> {
    const { client } = this.#options;
    const leverage = Math.min(LEVERAGE, maxLeverage);
    const [position] = await client.positions({ symbol });
    if (position?.leverage !== leverage) await client.adjustLeverage({ symbol, leverage });
  }

  async #readRates({ contract: { symbol } }: Pair): Promise<Pair['rates']> {
    const { client } = this.#options;
    const [rate, record] = [await client.fundingRate({ symbol }), await client.fundingRateRecord({ symbol, limit: CARRY.averageOf })];
    return {
      fundings: record.items.map(({ fundingRate }) => parseRate(fundingRate)),
      predicted: parseRate(rate.fundingRate),
      intervalHours: rate.collectionInterval,
    };
  }

  /** Undefined while a price is missing. It makes one public call: the address shares its limit with all others there. */
  async #look({ coin, spot, contract, missedHedges, restsUntil, rates }: Pair): Promise<CarryView | undefined> {
    const { client } = this.#options;
    const { symbol } = contract;
    this.#prices = new Map((await client.futuresIndexPrices()).map(({ s, p }) => [s, p]));
    const index = this.#index(contract);
    if (index === undefined) return undefined;
    const [account, [position], [held]] = [
      await this.#account(),
      await client.positions({ symbol }),
      await client.balances({ account: 'spot', coin }),
    ];
    const size = position?.positionSize ?? '0';
    const lotsHeld = readSize(size.replace(/^-/, ''), contract) ?? 0;
    const coins = parseAtoms(held?.availableBalance ?? '0', spot.baseDecimals) ?? 0n;
    return {
      worth: account === undefined || !this.#isWhole ? undefined : this.#staying(account.worth),
      coins: Number(coins / spot.lotAtoms),
      short: size.startsWith('-') ? lotsHeld : 0 - lotsHeld,
      lotWorth: BigInt(index) * contract.tickLotAtoms,
      // At the worst price of an order, too.
      least: Math.ceil(Math.max(smallestOrder(index, contract), smallestSize(index, spot)) * 1.05),
      ...rates,
      feesPpm: spot.takerFeePpm + contract.takerFeePpm,
      missedHedges,
      isResting: performance.now() < restsUntil || this.#closed.has(symbol),
    };
  }

  /** What waits to be redeemed will leave: the legs are made smaller before it is sold, and nothing of it is bought. */
  #staying(worth: bigint): bigint {
    const { all, waiting } = this.#shares;
    return all === 0n ? 0n : (worth * (all - waiting)) / all;
  }

  #index(contract: ContractTerms): Ticks | undefined {
    const price = this.#prices.get(contract.symbol) ?? null;
    return price === null ? undefined : readPrice(price, contract);
  }

  async #account(): Promise<Account | undefined> {
    const { client } = this.#options;
    const [balances, positions] = [await client.balances(), await client.positions()];
    const of = (wallet: string): bigint =>
      balances.reduce(
        (sum, { coin, balanceType, balance }) => (coin === SETTLE && balanceType === wallet ? sum + money(balance) : sum),
        0n,
      );
    let [coins, profit] = [0n, 0n];
    for (const { coin, contract, spot } of this.#pairs ?? []) {
      const held = balances.reduce(
        (sum, each) => (each.coin === coin ? sum + (parseAtoms(each.balance, spot.baseDecimals) ?? 0n) : sum),
        0n,
      );
      const index = held === 0n ? undefined : this.#index(contract);
      if (held > 0n && index === undefined) return undefined;
      if (index !== undefined) coins += (held * BigInt(index) * contract.tickLotAtoms) / spot.lotAtoms;
    }
    for (const { unrealizedProfit, settleCoin } of positions) {
      if (settleCoin !== SETTLE) continue;
      if (unrealizedProfit === null) return undefined;
      profit += money(unrealizedProfit);
    }
    const [funding, spot, futures] = [of('funding'), of('spot'), of('futures') + profit];
    return { worth: funding + spot + futures + coins, funding, spot, futures };
  }

  /** Brings what is to be bought to spot, and the rest to where the margin is. */
  async #moveMoney(views: readonly CarryView[], balances: Awaited<ReturnType<Client['balances']>>): Promise<void> {
    const { client } = this.#options;
    const account = await this.#account();
    if (account === undefined) return;
    const missing = views.reduce((sum, view) => sum + BigInt(Math.max(0, carryTarget(view) - view.coins)) * view.lotWorth, 0n);
    const wanted = (missing * 101n) / 100n;
    const funding = freeIn(balances, 'funding');
    if (funding >= LEAST_MOVE) await moveMoney(client, { amount: funding, from: 'funding', to: 'spot' });
    const spot = freeIn(balances, 'spot') + (funding >= LEAST_MOVE ? funding : 0n);
    if (spot - wanted >= LEAST_MOVE) return moveMoney(client, { amount: spot - wanted, from: 'spot', to: 'futures' });
    if (wanted - spot < LEAST_MOVE) return;
    // What the contracts of all coins leave of the fund stays where their margin is.
    const kept = (account.worth * BigInt(100 - CARRY.coins.length * CARRY.sharePercent)) / 100n;
    const { transferableBalance } = await client.futuresBalance({ coin: SETTLE });
    const spare = [account.futures - kept, money(transferableBalance), wanted - spot].reduce((least, one) => (one < least ? one : least));
    if (spare >= LEAST_MOVE) await moveMoney(client, { amount: spare, from: 'futures', to: 'spot' });
  }

  /** One step. @returns whether it has changed something */
  async #advance(pair: Pair): Promise<boolean> {
    const { life, log, stepMs } = this.#options;
    const view = await this.#look(pair);
    const step = view === undefined ? undefined : carryStep(view);
    if (view === undefined || step === undefined) return false;
    await this.#order(pair, step, view).catch((error: unknown) => {
      // A refusal has changed nothing. Without an answer the round ends, and the next one reads what became of it.
      if (!(error instanceof CallError) || error.status === 429 || error.status >= 500) throw error;
      log(`${pair.contract.symbol}: ${step.leg} ${step.side} is refused: ${error.message}`);
    });
    await life.pause(stepMs);
    const after = await this.#look(pair);
    const hasChanged = after !== undefined && (after.coins !== view.coins || after.short !== view.short);
    if (step.leg === 'contract' && step.side === 'sell' && !hasChanged) pair.missedHedges += 1;
    else if (hasChanged) pair.missedHedges = 0;
    if (hasChanged && view.missedHedges >= CARRY.hedgeTries && step.leg === 'spot') pair.restsUntil = performance.now() + REST_MS;
    if (hasChanged) log(`${pair.contract.symbol}: ${step.leg} ${step.side}, ${after.coins} lots of coins and ${after.short} short`);
    return hasChanged;
  }

  async #order({ coin, spot, contract }: Pair, { leg, side, size, reduceOnly }: CarryStep, view: CarryView): Promise<void> {
    const { client } = this.#options;
    const { symbol } = contract;
    const index = this.#index(contract);
    if (index === undefined) return;
    const away = Math.floor((index * CARRY.slippagePpm) / 1_000_000);
    const price = ticks(side === 'buy' ? index + away : Math.max(1, index - away));
    const direction = side === 'buy' ? ('BUY' as const) : ('SELL' as const);
    // Named by what was seen: who reads the same twice in a moment orders once.
    const seen = `${view.coins.toString(36)}-${view.short.toString(36)}`;
    const clientOrderId = `c${moment().toString(36)}-${coin}-${leg.slice(0, 1)}${side.slice(0, 1)}-${seen}`;
    const common = { symbol, timeInForce: 'IOC' as const, clientOrderId };
    if (leg === 'spot') {
      await client.createOrder({
        ...common,
        direction,
        tradeType: 'LIMIT',
        price: writePrice(price, spot),
        totalAmount: writeSize(size, spot),
      });
      return;
    }
    await client.createFuturesOrder({
      ...common,
      orderSide: direction,
      orderType: 'LIMIT',
      price: writePrice(price, contract),
      origQty: writeSize(size, contract),
      unit: 'COIN',
      reduceOnly,
    });
  }
}

const parseRate = (text: string): bigint => signed(text, RATE_DECIMALS);

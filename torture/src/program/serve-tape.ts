/**
 * The whole program, with a tape of a given rate: two accounts of ours trade one lot after the other through the heart's port.
 * Reads the tape's length in milliseconds from standard input; answers with a line when the tape has run.
 */
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { Closing } from '@orrery/exchange/closing';
import { readConfig } from '@orrery/exchange/config';
import { MARKETS } from '@orrery/exchange/listing';
import { startExchange } from '@orrery/exchange/start';
import type { PlaceOrder, Side } from '@orrery/protocol';
import { type AccountId, assert, atoms, lots, ppm, type Ticks, ticks } from '@orrery/units';
import { openFundedTrader } from './open-trader.ts';

/** The result of one piece of the tape. */
export interface TapePiece {
  readonly trades: number;
  /** Live memory after it, heap and buffers, after a collection. */
  readonly liveBytes: number;
}

export interface ServedTape {
  readonly url: string;
  readonly pid: number;
}

const SYMBOL = 'SOL_USDC';
const TRADES_A_TURN = 60;
const TURN_MS = 10;
/** Worth more than the least order, and less than the largest. */
const TRADE_LOTS = 10;
const STOCK_LOTS = 1_000_000;
const UNITS = 1_000_000_000n;

const complain = (line: string): void => void process.stderr.write(`${line}\n`);
const report = (answer: object): void => void process.stdout.write(`${JSON.stringify(answer)}\n`);

const closing = new Closing((part, error) => complain(`${part}: ${String(error)}`));
const { url, heart, accounts } = await startExchange({
  config: readConfig(process.env),
  say: () => undefined,
  closing,
  onFatal(error) {
    complain(error.message);
    process.exit(1);
  },
});
const market = MARKETS.find(({ symbol }) => symbol === SYMBOL);
assert(market !== undefined, `${SYMBOL} is listed`);

/** The market's outside price: quotes must be near it. */
function outsidePrice(): Ticks {
  const view = heart.open();
  view.close();
  for (const fact of view.facts) if (fact.type === 'IndexPriceSet' && fact.market === market?.market) return fact.price;
  throw new Error(`${SYMBOL} has no outside price`);
}

async function openTrader(index: number): Promise<AccountId> {
  const { account } = await openFundedTrader({ heart, accounts }, { digits: String(index).padStart(40, 'd'), units: UNITS });
  return account;
}

const order = (parts: { account: AccountId; side: Side; price: Ticks; size: number; rests: boolean }): PlaceOrder => {
  assert(market !== undefined, `${SYMBOL} is listed`);
  return {
    type: 'PlaceOrder',
    account: parts.account,
    market: market.market,
    clientOrderId: '',
    side: parts.side,
    orderType: 'limit',
    timeInForce: parts.rests ? 'GTC' : 'IOC',
    price: parts.price,
    size: lots(parts.size),
    funds: atoms(0n),
    triggerPrice: ticks(0),
    slippagePpm: ppm(0),
    selfTradePrevention: 'expireTaker',
  };
};

async function runTape(ms: number): Promise<number> {
  const price = outsidePrice();
  await heart.submit(order({ account: maker, side: 'sell', price, size: STOCK_LOTS, rests: true }));
  const deadline = performance.now() + ms;
  let trades = 0;
  while (performance.now() < deadline) {
    const turn = Array.from({ length: TRADES_A_TURN }, () =>
      heart.submit(order({ account: taker, side: 'buy', price, size: TRADE_LOTS, rests: false })),
    );
    const receipts = await Promise.all(turn);
    trades += receipts.filter(({ events }) => events.some(({ type }) => type === 'Trade')).length;
    await pause(TURN_MS);
  }
  await heart.submit({ type: 'CancelAllOrders', account: maker, market: market?.market ?? 0 });
  return trades;
}

async function pieceOf(ms: number): Promise<TapePiece> {
  const trades = ms > 0 ? await runTape(ms) : 0;
  assert(globalThis.gc !== undefined, 'the tape is served with --expose-gc');
  globalThis.gc();
  const { heapUsed, external } = process.memoryUsage();
  return { trades, liveBytes: heapUsed + external };
}

const maker = await openTrader(1);
const taker = await openTrader(2);
process.on('SIGTERM', () => void closing.run().then(() => process.exit(0)));
report({ url, pid: process.pid } satisfies ServedTape);
for await (const line of createInterface({ input: process.stdin })) report(await pieceOf(Number(line)));

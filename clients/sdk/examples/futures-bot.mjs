/**
 * A small bot for perpetual contracts: it keeps one bid and one ask around the index price, and closes its position when that has grown too large.
 *
 *     ORRERY_KEY=… ORRERY_SECRET=… node clients/sdk/examples/futures-bot.mjs BTC_USDC 0.001
 *
 * The key needs the permission TRADE, and its account USDC in futures. `Ctrl-C` cancels what rests and ends it.
 */
import { ApiKeyCredentials, CallError, createClient, FuturesStream } from '../src/index.ts';

/** Distance of each quote from the index, as a ratio. */
const SPREAD = 0.002;
/** Quotes are moved when the index has moved by this ratio. */
const MOVE = 0.0005;
/** Above this number of quotes the position is closed at the market. */
const POSITION_MAX = 5;

const print = (line) => void process.stdout.write(`${line}\n`);

export class FuturesBot {
  /** @param {{ baseUrl: string, accessKey: string, secret: string, symbol: string, size: string, log?: (line: string) => void, now?: () => number }} options */
  constructor({ baseUrl, accessKey, secret, symbol, size, log = print, now = Date.now }) {
    this.symbol = symbol;
    this.size = size;
    this.log = log;
    this.position = 0;
    this.quotedAt = 0;
    this.work = Promise.resolve();
    this.client = createClient({ baseUrl, credentials: new ApiKeyCredentials({ accessKey, secret, now }) });
    this.stream = new FuturesStream({
      baseUrl,
      listenKey: () => this.client.listenKey({ type: 'futures' }),
      onFault: ({ message }) => log(`the stream: ${message}`),
    });
  }

  async start() {
    this.rules = await this.client.futuresSymbol({ symbol: this.symbol });
    await this.client.cancelAllFuturesOrders({ symbol: this.symbol });
    this.stream.account({
      onReset: () => (this.position = 0),
      onPosition: (position) => {
        if (position.symbol === this.symbol) this.position = Number(position.positionSize);
      },
      onTrade: (fill) => this.log(`${fill.orderSide} ${fill.quantity} at ${fill.price}, fee ${fill.fee} ${fill.feeCoin}`),
      onLiquidation: (step) => this.log(`liquidated ${step.size} at ${step.price ?? step.markPrice}`),
    });
    // One step at a time, in the order in which prices come.
    this.stream.tickers((tickers) => {
      const ticker = tickers.find(({ s }) => s === this.symbol);
      const index = Number(ticker?.i ?? 0);
      if (index > 0) this.work = this.work.then(() => this.step(index)).catch((error) => this.complain(error));
    });
  }

  async step(index) {
    if (Math.abs(this.position) > POSITION_MAX * Number(this.size)) return this.flatten();
    if (Math.abs(index - this.quotedAt) < index * MOVE) return;
    this.quotedAt = index;
    await this.client.cancelAllFuturesOrders({ symbol: this.symbol });
    const quote = (orderSide, price) => ({
      symbol: this.symbol,
      orderSide,
      orderType: 'LIMIT',
      timeInForce: 'GTX',
      price: price.toFixed(this.rules.pricePrecision).replace(/\.?0+$/, ''),
      origQty: this.size,
    });
    const answers = await this.client.createFuturesOrders({
      orders: [quote('BUY', index * (1 - SPREAD)), quote('SELL', index * (1 + SPREAD))],
    });
    for (const { code, msg } of answers) if (code !== 0) this.log(`a quote was refused: ${msg}`);
  }

  async flatten() {
    await this.client.createFuturesOrder({
      symbol: this.symbol,
      orderSide: this.position > 0 ? 'SELL' : 'BUY',
      orderType: 'MARKET',
      closePosition: true,
    });
    this.position = 0;
  }

  complain(error) {
    if (!(error instanceof CallError)) throw error;
    this.quotedAt = 0;
    this.log(`refused: ${error.msg}`);
  }

  /** Cancels what rests, then ends the stream. */
  async stop() {
    await this.work;
    await this.client.cancelAllFuturesOrders({ symbol: this.symbol });
    this.stream.close();
  }
}

if (import.meta.main) {
  const { ORRERY_URL: baseUrl = 'http://localhost:8080', ORRERY_KEY: accessKey, ORRERY_SECRET: secret } = process.env;
  const [symbol = 'BTC_USDC', size = '0.001'] = process.argv.slice(2);
  if (accessKey === undefined || secret === undefined) throw new Error('ORRERY_KEY and ORRERY_SECRET name an API key that may trade');
  const bot = new FuturesBot({ baseUrl, accessKey, secret, symbol, size });
  process.once('SIGINT', () => void bot.stop());
  await bot.start();
}

/** The market-maker by itself: `node clients/market-maker/src/main.ts`, with the exchange and the keys from the environment. */
import { runMarketMaker } from './market-maker.ts';

function needed(name: string): string {
  const value = process.env[name];
  if (value === undefined || value === '') {
    console.error(`market-maker: ${name} is missing`);
    process.exit(1);
  }
  return value;
}

const { MAKER_SYMBOLS: symbols, TAKER_ACCESS_KEY: takerKey } = process.env;

const maker = runMarketMaker({
  baseUrl: needed('ORRERY_URL'),
  maker: { accessKey: needed('MAKER_ACCESS_KEY'), secret: needed('MAKER_SECRET') },
  ...(takerKey === undefined ? {} : { taker: { accessKey: takerKey, secret: needed('TAKER_SECRET') } }),
  ...(symbols === undefined ? {} : { symbols: symbols.split(',') }),
  log: (line) => console.error(`market-maker: ${line}`),
});
void maker.ready.then(() => console.error('market-maker: every market is quoted'));

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void maker.stop());

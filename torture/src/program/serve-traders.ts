/**
 * The workers and the projector of an exchange whose gateways are other processes, with traders that have money and keys. Which part it plays and how many
 * traders there are is said by its environment; it prints their keys when all are there.
 */
import { Closing } from '@orrery/exchange/closing';
import { readConfig } from '@orrery/exchange/config';
import { startExchange } from '@orrery/exchange/start';
import { openFundedTrader } from './open-trader.ts';

export interface TraderKey {
  readonly accessKey: string;
  readonly secret: string;
}

/** Of each coin. */
const UNITS = 1_000_000n;

const complain = (line: string): void => void process.stderr.write(`${line}\n`);

const closing = new Closing((part, error) => complain(`${part}: ${String(error)}`));
const program = await startExchange({
  config: readConfig(process.env),
  say: () => undefined,
  closing,
  onFatal(error) {
    complain(error.message);
    process.exit(1);
  },
});

/** With the order rate of a market-maker: together they may do more than the machine can. */
async function openTrader(index: number): Promise<TraderKey> {
  const trader = await openFundedTrader(program, { digits: index.toString(16).padStart(40, 'b'), units: UNITS });
  const wish = { label: 'load', permission: 'TRADE', tier: 'marketMaker', legacySigning: true } as const;
  const { accessKey, secret } = await program.accounts.apiKeys.create(trader, wish);
  return { accessKey, secret };
}

process.on('SIGTERM', () => void closing.run().then(() => process.exit(0)));
const count = Number(process.env['ORRERY_TRADERS']);
const keys = await Promise.all(Array.from({ length: count }, (_, index) => openTrader(index + 1)));
process.stdout.write(`${JSON.stringify(keys)}\n`);

/** The whole program at rest, in a separate process: a new folder, the market-maker and the managers of funds, and nobody else. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Closing } from '@orrery/exchange/closing';
import { readConfig } from '@orrery/exchange/config';
import { startExchange } from '@orrery/exchange/start';

export interface ServedIdle {
  readonly url: string;
  readonly directory: string;
  /** Of the process of the exchange. */
  readonly pid: number;
}

const directory = mkdtempSync(join(tmpdir(), 'orrery-idle-'));
const closing = new Closing((part, error) => console.error(`${part}: ${String(error)}`));
const { url } = await startExchange({
  config: readConfig({ ORRERY_PORT: '0', ORRERY_DATA: directory, ORRERY_FUND_MANAGER: 'on', ORRERY_LOG: 'error' }),
  say: () => undefined,
  closing,
  onFatal(error) {
    console.error(error.message);
    process.exit(1);
  },
});
process.once('SIGTERM', () => {
  void closing.run().then(() => {
    rmSync(directory, { recursive: true, force: true });
    process.exit(0);
  });
});
console.log(JSON.stringify({ url, directory, pid: process.pid } satisfies ServedIdle));

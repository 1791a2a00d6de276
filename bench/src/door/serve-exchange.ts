/** The exchange under load, in a process of its own: the whole program on a new folder, and traders with money and keys. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Closing } from '@orrery/exchange/closing';
import { readConfig } from '@orrery/exchange/config';
import { ASSETS } from '@orrery/exchange/listing';
import { startExchange } from '@orrery/exchange/start';
import { atoms, parseAddress, type AccountId, type Address } from '@orrery/units';

export interface ServedExchange {
  readonly url: string;
  readonly keys: readonly { readonly accessKey: string; readonly secret: string }[];
}

const TRADERS = 10;
/** Units of each asset a trader starts with. */
const UNITS = 1_000_000n;

const directory = mkdtempSync(join(tmpdir(), 'orrery-bench-'));
const config = readConfig({ ORRERY_PORT: '0', ORRERY_DATA: directory, ORRERY_MARKET_MAKER: 'off', ORRERY_LOG: 'error' });
const closing = new Closing((part, error) => console.error(`${part}: ${String(error)}`));
const { url, heart, accounts } = await startExchange({
  config,
  say: () => undefined,
  closing,
  onFatal(error) {
    console.error(error.message);
    process.exit(1);
  },
});

async function fund(account: AccountId, address: Address): Promise<void> {
  for (const { asset, code, decimals, kind } of ASSETS) {
    if (kind !== 'chain') continue;
    const amount = atoms(UNITS * 10n ** BigInt(decimals));
    await heart.submit({ type: 'CreditDeposit', key: `bench:${account}:${code}`, address, asset, amount });
    await heart.submit({ type: 'Transfer', account, transferId: `bench-${code}`, asset, amount, from: 'funding', to: 'spot' });
  }
}

const keys = [];
for (let index = 1; index <= TRADERS; index += 1) {
  const address = parseAddress(`0x${index.toString(16).padStart(40, 'b')}`);
  if (address === undefined) throw new Error('not an address');
  const { account } = await accounts.directory.open(address);
  for (const flag of ['termsAccepted', 'whitelisted', 'connected'] as const) await accounts.directory.setFlag(account, flag);
  await fund(account, address);
  const { accessKey, secret } = await accounts.apiKeys.create(
    { account, address },
    { label: 'bench', permission: 'TRADE', tier: 'marketMaker' },
  );
  keys.push({ accessKey, secret });
}

process.on(
  'SIGTERM',
  () =>
    void closing.run().then(() => {
      rmSync(directory, { recursive: true, force: true });
      process.exit(0);
    }),
);
console.log(JSON.stringify({ url, keys } satisfies ServedExchange));

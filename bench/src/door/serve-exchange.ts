/** The exchange under load, in a separate process: the whole program on a new folder, and traders with money and keys. */
import { closeSync, fdatasyncSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { ASSETS } from '@orrery/exchange/listing';
import { atoms, parseAddress, type AccountId, type Address } from '@orrery/units';
import { median } from '../measure.ts';
import { reportMemory } from './report-memory.ts';
import { openWholeExchange } from './whole-exchange.ts';

export interface ServedExchange {
  readonly url: string;
  readonly keys: readonly { readonly accessKey: string; readonly secret: string }[];
  /** The median of one small write with its data sync on the disk of the journal, in milliseconds. */
  readonly syncMs: number;
}

/** Each has the order rate of a market-maker: together they may do more than the machine can. */
const TRADERS = 16;
/** Units of each asset a trader starts with. */
const UNITS = 1_000_000n;
const SYNCS = 500;
/** As much as a frame of the journal with one order takes. */
const SYNC_BYTES = 128;

const { url, heart, accounts, directory } = await openWholeExchange({ ORRERY_MARKET_MAKER: process.env['ORRERY_MARKET_MAKER'] ?? 'off' });

async function fund(account: AccountId, address: Address): Promise<void> {
  for (const { asset, code, decimals, kind } of ASSETS) {
    if (kind !== 'chain') continue;
    const amount = atoms(UNITS * 10n ** BigInt(decimals));
    await heart.submit({ type: 'CreditDeposit', key: `bench:${account}:${code}`, address, asset, amount });
    await heart.submit({ type: 'Transfer', account, transferId: `bench-${code}`, asset, amount, from: 'funding', to: 'spot' });
  }
}

async function openTrader(index: number): Promise<ServedExchange['keys'][number]> {
  const address = parseAddress(`0xb${index.toString(16).padStart(39, '0')}`);
  if (address === undefined) throw new Error('not an address');
  const { account } = await accounts.directory.open(address);
  for (const flag of ['termsAccepted', 'whitelisted', 'connected'] as const) await accounts.directory.setFlag(account, flag);
  await fund(account, address);
  const { accessKey, secret } = await accounts.apiKeys.create(
    { account, address },
    { label: 'bench', permission: 'TRADE', tier: 'marketMaker', legacySigning: true },
  );
  return { accessKey, secret };
}

function measureSync(): number {
  const descriptor = openSync(join(directory, 'sync.probe'), 'w');
  const zeros = new Uint8Array(SYNC_BYTES * SYNCS);
  writeSync(descriptor, zeros);
  fdatasyncSync(descriptor);
  const times = Array.from({ length: SYNCS }, (_, index) => {
    const started = performance.now();
    writeSync(descriptor, zeros, 0, SYNC_BYTES, index * SYNC_BYTES);
    fdatasyncSync(descriptor);
    return performance.now() - started;
  });
  closeSync(descriptor);
  return median(times);
}

const syncMs = measureSync();

const keys = await Promise.all(Array.from({ length: TRADERS }, (_, index) => openTrader(index + 1)));
reportMemory();
console.log(JSON.stringify({ url, keys, syncMs } satisfies ServedExchange));

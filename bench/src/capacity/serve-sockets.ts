/** The whole program in a process of its own, with as many accounts and keys as `ORRERY_BENCH_ACCOUNTS` says; it reports its memory on a signal. */
import { parseAddress } from '@orrery/units';
import { reportMemory } from '../door/report-memory.ts';
import { openWholeExchange } from '../door/whole-exchange.ts';

export interface ServedSockets {
  readonly url: string;
  readonly pid: number;
  readonly keys: readonly { readonly accessKey: string; readonly secret: string }[];
}

const { url, accounts } = await openWholeExchange({ ORRERY_MARKET_MAKER: 'off' });

async function openReader(index: number): Promise<ServedSockets['keys'][number]> {
  const address = parseAddress(`0xb${index.toString(16).padStart(39, '0')}`);
  if (address === undefined) throw new Error('not an address');
  const { account } = await accounts.directory.open(address);
  for (const flag of ['termsAccepted', 'whitelisted', 'connected'] as const) await accounts.directory.setFlag(account, flag);
  const { accessKey, secret } = await accounts.apiKeys.create(
    { account, address },
    { label: 'bench', permission: 'TRADE', tier: 'marketMaker', legacySigning: true },
  );
  return { accessKey, secret };
}

const keys: ServedSockets['keys'][number][] = [];
for (let index = 1; index <= Number(process.env['ORRERY_BENCH_ACCOUNTS'] ?? 1); index += 1) keys.push(await openReader(index));
reportMemory();
console.log(JSON.stringify({ url, pid: process.pid, keys } satisfies ServedSockets));

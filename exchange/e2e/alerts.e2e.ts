/**
 * Alerts by the faults of a whole program: its database hangs, its chain stands still, it is killed. What its page of metrics says before, meanwhile and
 * afterwards is what the rules are judged by.
 */
import { join } from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';
import { type Fault, faultOf } from '../src/testing/fault-of-alert.ts';
import { freePort } from '../src/testing/free-port.ts';
import { type Page, scrape } from '../src/testing/scraped-pages.ts';
import { claimTokens, type Person, signIn, withdraw } from './person.ts';
import { processesIn } from './processes-in.ts';
import { until } from './until.ts';
import { dataDirectory, program, startAgain, withProgram } from './with-program.ts';

/** More than a pool has connections. */
const CALLS_AT_ONCE = 20;
/** Of WithdrawalsWait: a quarter of an hour without a block, for a quarter of an hour. */
const CHAIN_MINUTES = 31;

let port: number;
beforeAll(async () => {
  port = await freePort();
});
withProgram({
  env: () => ({
    ORRERY_MARKET_MAKER: 'off',
    ORRERY_METRICS_PORT: String(port),
    ORRERY_ADDRESS_WAIT_SECONDS: '0',
    ORRERY_DISPUTE_SECONDS: '1',
  }),
});
let person: Person;
beforeAll(async () => {
  person = await signIn(program.url);
  await claimTokens(program.url, person);
});
// A program whose database stands still would not stop.
afterAll(() => {
  for (const folder of ['postgres', 'chain'] as const) signalAll(folder, 'SIGCONT');
});

const read = (): Promise<Page> => scrape(`http://127.0.0.1:${port}`);

function signalAll(folder: 'postgres' | 'chain', signal: 'SIGSTOP' | 'SIGCONT'): void {
  for (const pid of processesIn(join(dataDirectory, folder))) process.kill(pid, signal);
}

/** The values of a metric, by their labels as they are written. */
const valuesOf = ({ text }: Page, name: string): ReadonlyMap<string, number> =>
  new Map([...text.matchAll(new RegExp(`^${name}(\\{.*\\})? (\\S+)$`, 'gm'))].map(([, labels = '', value]) => [labels, Number(value)]));
const sum = (page: Page, name: string): number => [...valuesOf(page, name).values()].reduce((total, value) => total + value, 0);

/** Everything that a database can bring to a stop works. */
const isWell = (page: Page): boolean =>
  [...valuesOf(page, 'orrery_part_ready').values(), ...valuesOf(page, 'orrery_lease_held').values()].every((value) => value === 1) &&
  valuesOf(page, 'orrery_chain_height').size === 1 &&
  sum(page, 'orrery_database_connections\\{.*state="awaited".*\\}') === 0;

/** The newest page at which something is so. */
const readOnce = (what: string, isSo: (page: Page) => boolean): Promise<Page> =>
  until(what, async () => {
    const page = await read();
    return isSo(page) && page;
  });

/** The database accepts what it is sent and does not answer, until history is stale and the leases of the process have ended, and answers again. */
async function hangDatabase(): Promise<Fault> {
  const before = [await readOnce('the program works', isWell)];
  const during: Page[] = [];
  signalAll('postgres', 'SIGSTOP');
  const isBroken = (page: Page): boolean =>
    valuesOf(page, 'orrery_part_ready').get('{part="history"}') === 0 && valuesOf(page, 'orrery_lease_held').get('{kind="chain"}') === 0;
  try {
    await until('the program has noticed', async () => {
      const calls = Array.from({ length: CALLS_AT_ONCE }, () => person.client.withdrawals({ page: 1, pageSize: 50 }));
      const page = await read();
      during.push(page);
      const answers = await Promise.allSettled(calls);
      expect(answers.filter(({ status }) => status === 'fulfilled')).toEqual([]);
      return isBroken(page) && during.length > 2;
    });
  } finally {
    signalAll('postgres', 'SIGCONT');
  }
  await readOnce('the program works again', isWell);
  return { before, during, after: [await read(), await readOnce('it still works', isWell)] };
}

let hanging: Promise<Fault> | undefined;
const hungDatabase = (): Promise<Fault> => (hanging ??= hangDatabase());

faultOf('PartNotReady', 'the database hangs, and history is not written', hungDatabase);
faultOf('DatabaseAwaited', 'the database hangs, and callers wait for connections', hungDatabase);
faultOf('ServerErrors', 'the database hangs, and calls that need it fail', hungDatabase);
faultOf('MeasureFails', 'the database hangs, and what is measured in it has no value', hungDatabase);
faultOf('LeaseNotHeld', 'the database hangs for longer than the term of a lease', hungDatabase);

faultOf(
  'WithdrawalsWait',
  'the node of the chain stands still, and somebody withdraws',
  async () => {
    const isPending = (page: Page): boolean => sum(page, 'orrery_withdrawals_pending') > 0;
    const before = [await readOnce('nothing is withdrawn', (page) => isWell(page) && !isPending(page))];
    signalAll('chain', 'SIGSTOP');
    const during: Page[] = [];
    try {
      await withdraw(program.url, person, { coin: 'USDC', amount: '1' });
      during.push(await readOnce('the withdrawal waits', isPending));
    } finally {
      signalAll('chain', 'SIGCONT');
    }
    return { before, during, after: [await readOnce('the withdrawal is paid', (page) => !isPending(page))] };
  },
  { during: CHAIN_MINUTES },
);

faultOf('ExchangeDown', 'the process is killed', async () => {
  const before = [await read()];
  await program.kill();
  const during = [await read()];
  expect(during).toEqual([{ isUp: false, text: '' }]);
  await startAgain();
  return { before, during, after: [await read()] };
});

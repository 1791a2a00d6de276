/**
 * A person who has been here before: signed in by the API, at a browser that remembers the session and the burner wallet.
 * The pages open signed in without a click. Who looks at the newcomer's own way goes it by `newcomer.ts`; where the program
 * offers no burner wallet, a person of the API comes with an injected one.
 */
import type { Browser, BrowserContext } from 'playwright-core';
import { generatePrivateKey } from 'viem/accounts';
import type { Hex } from 'viem';
import { visit, type Visit, type VisitOptions } from './browser.ts';
import { mayClaim, prepareToTrade, signIn, type Person } from './person.ts';

export interface Arrival extends Visit {
  readonly person: Person;
}

interface ArrivalOptions extends VisitOptions {
  /** What the person has done since the first login. */
  readonly done: (person: Person) => Promise<unknown>;
}

/** Of the same address as the pages' own calls. */
async function arrive(browser: Browser, { done, ...options }: ArrivalOptions): Promise<Arrival> {
  const { url } = options;
  const visited = await visit(browser, options);
  const privateKey = generatePrivateKey();
  const jar = new Map<string, string>();
  const person = await signIn(url, { privateKey, from: visited.from, jar });
  await done(person);
  const { sessionEndsAt } = await person.client.accountInfo();
  const memory = { privateKey, address: person.address.toLowerCase(), sessionEndsAt: sessionEndsAt ?? 0 };
  await remember(visited.context, { url, jar, memory });
  return { ...visited, person };
}

/** The terms are accepted; nothing is claimed yet. */
export const arriveSignedIn = (browser: Browser, options: VisitOptions): Promise<Arrival> =>
  arrive(browser, { ...options, done: (person) => mayClaim(options.url, person) });

interface TraderOptions extends VisitOptions {
  /** USDC in the wallet of futures. */
  readonly futures?: string;
}

/** With all test tokens in spot but for what is in futures, and the connection: ready for the first order. */
export const arriveAsTrader = (browser: Browser, { futures, ...options }: TraderOptions): Promise<Arrival> =>
  arrive(browser, {
    ...options,
    async done(person) {
      await prepareToTrade(options.url, person);
      if (futures !== undefined) await person.client.transfer({ coin: 'USDC', amount: futures, from: 'spot', to: 'futures' });
    },
  });

interface Memory {
  readonly privateKey: Hex;
  readonly address: string;
  readonly sessionEndsAt: number;
}

interface Remembered {
  readonly url: string;
  readonly jar: ReadonlyMap<string, string>;
  readonly memory: Memory;
}

/** Written beside the page that is looked at, on a picture of the same origin, where nothing of the terminal runs. */
async function remember(context: BrowserContext, { url, jar, memory }: Remembered): Promise<void> {
  const beside = await context.newPage();
  // By the browser's own protocol: `addCookies` names a domain with each cookie, and one that is bound to its host has none.
  const devTools = await context.newCDPSession(beside);
  for (const [name, value] of jar)
    await devTools.send('Network.setCookie', { name, value, url, path: '/', httpOnly: true, secure: true, sameSite: 'Lax' });
  await beside.goto('/favicon.svg');
  await beside.evaluate(writeMemory, memory);
  await beside.close();
}

/** Runs in the page: what the terminal leaves when a person has signed in with the burner wallet. */
async function writeMemory({ privateKey, address, sessionEndsAt }: Memory): Promise<void> {
  const write = (name: string, value: unknown): void => localStorage.setItem(`orrery.${name}`, JSON.stringify({ v: 1, value }));
  const handle = crypto.randomUUID();
  write('tokenToAddress', { [handle]: address });
  write('previousAddressToToken', { [address]: handle });
  write('walletAddress', address);
  write('walletType', 'burner');
  write('enableTradingEndTime', sessionEndsAt);
  localStorage.setItem('orrery.wallet.recentConnectorId', JSON.stringify('orrery.burner'));
  const opening = indexedDB.open('orrery-burner', 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore('keys');
  await new Promise<void>((resolve, reject) => {
    opening.onerror = () => reject(new Error('the browser keeps no key', { cause: opening.error }));
    opening.onsuccess = () => {
      const writing = opening.result.transaction('keys', 'readwrite');
      writing.objectStore('keys').put(privateKey, 'burner');
      writing.oncomplete = () => {
        opening.result.close();
        resolve();
      };
    };
  });
}

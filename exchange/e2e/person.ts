/** A person with a wallet and a browser, as far as the server can tell: keeps cookies, signs what it is shown, goes the newcomer's way. */
import { STATEMENTS, type Purpose } from '@orrery/api';
import { setTimeout as pause } from 'node:timers/promises';
import { ApiKeyCredentials, CallError, createClient, sessionCredentials, type Client } from '@orrery/sdk';
import type { Hex, PrivateKeyAccount } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { createSiweMessage } from 'viem/siwe';
import { until } from './until.ts';

const CHAIN_ID = 138_565;

export interface Person {
  readonly wallet: PrivateKeyAccount;
  readonly address: string;
  /** By session, until the program is started again. */
  readonly client: Client;
}

export interface KeyOfPerson {
  readonly accessKey: string;
  readonly secret: string;
}

/** Sends the page's Origin and gives back the cookies it was given, as a browser does. */
function browserFetch(origin: string): typeof globalThis.fetch {
  const jar = new Map<string, string>();
  return async (input, init) => {
    const request = new Request(input, init);
    request.headers.set('origin', origin);
    request.headers.set('x-orrery-request', '1');
    if (jar.size > 0) request.headers.set('cookie', [...jar].map(([name, value]) => `${name}=${value}`).join('; '));
    const response = await fetch(request);
    for (const cookie of response.headers.getSetCookie()) {
      const [pair = ''] = cookie.split(';');
      const at = pair.indexOf('=');
      jar.set(pair.slice(0, at), pair.slice(at + 1));
    }
    return response;
  };
}

/** Makes a call that is counted by address again when there is room for it: all people of a test share one. */
async function patiently<Answer>(call: () => Promise<Answer>): Promise<Answer> {
  for (;;) {
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof CallError) || error.status !== 429) throw error;
      await pause(error.retryAfterMs ?? 1_000);
    }
  }
}

/** Connects and signs in. */
export async function signIn(url: string, privateKey: Hex = generatePrivateKey()): Promise<Person> {
  const wallet = privateKeyToAccount(privateKey);
  let token: string | undefined;
  const client = createClient({ baseUrl: url, credentials: sessionCredentials(() => token), fetch: browserFetch(url) });
  token = await patiently(async () => client.verify(await prove({ url, client, wallet, purpose: 'login' })));
  return { wallet, address: wallet.address, client };
}

interface Proof {
  readonly url: string;
  readonly client: Client;
  readonly wallet: PrivateKeyAccount;
  readonly purpose: Exclude<Purpose, 'withdraw'>;
}

async function prove({ url, client, wallet, purpose }: Proof): Promise<{ nonce: string; message: string; signature: Hex }> {
  const nonce = await client.nonce({ evmAddress: wallet.address, purpose });
  const message = createSiweMessage({
    address: wallet.address,
    chainId: CHAIN_ID,
    domain: new URL(url).host,
    uri: url,
    version: '1',
    nonce,
    statement: STATEMENTS[purpose],
    issuedAt: new Date(),
  });
  return { nonce, message, signature: await wallet.signMessage({ message }) };
}

/** Terms, whitelist, faucet, transfer of everything to spot, connection: ready for the first order. */
export async function prepareToTrade(url: string, { client, wallet }: Person): Promise<void> {
  await patiently(async () => {
    const { message, signature } = await prove({ url, client, wallet, purpose: 'terms' });
    return client.agree({ walletAddress: wallet.address, termsCode: 'TERMS', signature, message });
  });
  await client.checkWhitelist({ address: wallet.address });
  await client.claim({ address: wallet.address });
  await until('the faucet claim is paid', async () => (await client.faucetStatus({ address: wallet.address })).status === 2);
  const funded = await until('the deposits are credited', async () => {
    const balances = await client.balances({ account: 'funding' });
    return balances.length >= 6 && balances.every(({ availableBalance }) => availableBalance !== '0') ? balances : undefined;
  });
  for (const { coin, availableBalance } of funded) await client.transfer({ coin, amount: availableBalance, from: 'funding', to: 'spot' });
  await patiently(async () => client.connection(await prove({ url, client, wallet, purpose: 'connection' })));
}

/** A client that signs with an API key: it outlives the program's restarts. */
export function keyClient(url: string, key: KeyOfPerson): Client {
  return createClient({ baseUrl: url, credentials: new ApiKeyCredentials(key) });
}

export async function tradeKey({ client }: Person): Promise<KeyOfPerson> {
  const { accessKey, secret } = await client.createApiKey({ label: 'test', permission: 'TRADE' });
  return { accessKey, secret };
}

/** A person with a wallet and a browser, as the server sees them: keeps cookies, signs messages, follows the newcomer's steps. */
import { apiKeyStatement, STATEMENTS, withdrawStatement, type ApiKeyWish, type FixedPurpose, type Purpose } from '@orrery/api';
import { setTimeout as pause } from 'node:timers/promises';
import { ApiKeyCredentials, CallError, createClient, sessionCredentials, type Client } from '@orrery/sdk';
import { toHex, type Hex, type PrivateKeyAccount } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { createSiweMessage } from 'viem/siwe';
import { until } from './until.ts';

const CHAIN_ID = 138_565;

export interface Person {
  /** Where the person has signed in. */
  readonly url: string;
  readonly wallet: PrivateKeyAccount;
  readonly address: string;
  /** By session, until the program is started again. */
  readonly client: Client;
  /** A new token for the session's cookie, as a page asks for it before the old one ends. */
  refresh(): Promise<void>;
}

export interface KeyOfPerson {
  readonly accessKey: string;
  readonly secret: string;
}

/** Sends the page's Origin and gives back the cookies it was given, as a browser does. */
export function browserFetch(
  origin: string,
  from: string | undefined,
  jar = new Map<string, string>(),
  userAgent?: string,
): typeof globalThis.fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    request.headers.set('origin', origin);
    if (from !== undefined) request.headers.set('x-forwarded-for', from);
    request.headers.set('x-orrery-request', '1');
    if (userAgent !== undefined) request.headers.set('user-agent', userAgent);
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

export interface SignInOptions {
  readonly privateKey?: Hex;
  /** The address a proxy in front says that the calls come from: people of different addresses share no limits. */
  readonly from?: string;
  /** The cookies of a browser that another person has used before. */
  readonly jar?: Map<string, string>;
  /** What the browser says it is. */
  readonly userAgent?: string;
}

/** Connects and signs in. */
export async function signIn(
  url: string,
  { privateKey = generatePrivateKey(), from, jar, userAgent }: SignInOptions = {},
): Promise<Person> {
  const wallet = privateKeyToAccount(privateKey);
  let token: string | undefined;
  const client = createClient({
    baseUrl: url,
    credentials: sessionCredentials(() => token),
    fetch: browserFetch(url, from, jar, userAgent),
  });
  const answer = await patiently(async () => client.verify(await prove({ url, client, wallet, purpose: 'login' })));
  if (typeof answer !== 'string') throw new Error('a second step is asked for');
  token = answer;
  const refresh = async (): Promise<void> => {
    ({ token } = await client.refresh({}));
  };
  return { url, wallet, address: wallet.address, client, refresh };
}

interface Proof {
  readonly url: string;
  readonly client: Client;
  readonly wallet: PrivateKeyAccount;
  readonly purpose: FixedPurpose;
}

interface SignedProof {
  readonly nonce: string;
  readonly message: string;
  readonly signature: Hex;
}

async function prove({ url, client, wallet, purpose }: Proof): Promise<SignedProof> {
  const nonce = await client.nonce({ evmAddress: wallet.address, purpose });
  return sign({ url, wallet, nonce, statement: STATEMENTS[purpose] });
}

/** Signs what is not the same each time. */
export async function signFor(
  { url, client, wallet }: Person,
  { purpose, statement }: { purpose: Purpose; statement: string },
): Promise<SignedProof> {
  const nonce = await patiently(() => client.nonce({ evmAddress: wallet.address, purpose }));
  return sign({ url, wallet, nonce, statement });
}

interface Wish {
  readonly url: string;
  readonly wallet: PrivateKeyAccount;
  readonly nonce: string;
  readonly statement: string;
  readonly requestId?: string;
}

async function sign({ url, wallet, nonce, statement, requestId }: Wish): Promise<SignedProof> {
  const message = createSiweMessage({
    address: wallet.address,
    chainId: CHAIN_ID,
    domain: new URL(url).host,
    uri: url,
    version: '1',
    nonce,
    statement,
    issuedAt: new Date(),
    ...(requestId === undefined ? {} : { requestId }),
  });
  return { nonce, message, signature: await wallet.signMessage({ message }) };
}

interface WithdrawalWish {
  readonly coin: string;
  readonly amount: string;
  /** Without it the person's own wallet. */
  readonly to?: Hex;
  /** Without it one by chance. */
  readonly withdrawalId?: Hex;
}

/** From funding to the chain. @returns the withdrawal's id. */
export async function withdraw(url: string, { client, wallet }: Person, asked: WithdrawalWish): Promise<Hex> {
  const { coin, amount, to = wallet.address, withdrawalId = toHex(crypto.getRandomValues(new Uint8Array(32))) } = asked;
  const wanted = { coin, amount, to };
  const nonce = await client.nonce({ evmAddress: wallet.address, purpose: 'withdraw' });
  const proof = await sign({ url, wallet, nonce, statement: withdrawStatement(wanted), requestId: withdrawalId });
  await client.withdraw({ ...wanted, ...proof, withdrawalId });
  return withdrawalId;
}

/** Terms, whitelist, faucet, transfer of everything to spot, connection: ready for the first order. */
export async function prepareToTrade(url: string, person: Person): Promise<void> {
  const { client, wallet } = person;
  for (const { coin, amount } of await claimTokens(url, person)) await client.transfer({ coin, amount, from: 'funding', to: 'spot' });
  await patiently(async () => client.connection(await prove({ url, client, wallet, purpose: 'connection' })));
}

/** Terms and whitelist: from here on the faucet may be asked. */
export async function mayClaim(url: string, { client, wallet }: Person): Promise<void> {
  await acceptTerms({ url, client, wallet });
  await client.checkWhitelist({ address: wallet.address });
}

const acceptTerms = ({ url, client, wallet }: Omit<Proof, 'purpose'>): Promise<boolean> =>
  patiently(async () => {
    const { message, signature } = await prove({ url, client, wallet, purpose: 'terms' });
    return client.agree({ walletAddress: wallet.address, termsCode: 'TERMS', signature, message });
  });

/** Terms, whitelist, faucet: test tokens in the funding wallet. */
export async function claimTokens(url: string, person: Person): Promise<readonly { coin: string; amount: string }[]> {
  const { client, wallet } = person;
  await mayClaim(url, person);
  await client.claim({ address: wallet.address });
  await until('the faucet claim is paid', async () => (await client.faucetStatus({ address: wallet.address })).status === 2);
  const funded = await until('the deposits are credited', async () => {
    const balances = await client.balances({ account: 'funding' });
    return balances.length >= 6 && balances.every(({ availableBalance }) => availableBalance !== '0') ? balances : undefined;
  });
  return funded.map(({ coin, availableBalance }) => ({ coin, amount: availableBalance }));
}

/** A client that signs with an API key: it outlives the program's restarts. */
export function keyClient(url: string, key: KeyOfPerson): Client {
  return createClient({ baseUrl: url, credentials: new ApiKeyCredentials(key) });
}

/** A key that trades. */
export const tradeKey = (person: Person, wish: Pick<ApiKeyWish, 'legacySigning'> = {}): Promise<KeyOfPerson> =>
  makeKey(person, { label: 'test', permission: 'TRADE', ...wish });

/** A key that moves money within the exchange. */
export const transferKey = (person: Person): Promise<KeyOfPerson> => makeKey(person, { label: 'money', moneyRights: ['TRANSFER'] });

/** A key that may only read. */
export const readKey = (person: Person): Promise<KeyOfPerson> => makeKey(person, { label: 'reader', permission: 'READ' });

/** Signed by the wallet; the terms are accepted first where they are not yet. */
async function makeKey(
  { url, client, wallet }: Person,
  wish: Pick<ApiKeyWish, 'label' | 'permission' | 'moneyRights' | 'legacySigning'>,
): Promise<KeyOfPerson> {
  if (!(await client.accountInfo()).termsAccepted) await acceptTerms({ url, client, wallet });
  const nonce = await patiently(() => client.nonce({ evmAddress: wallet.address, purpose: 'api-key' }));
  const proof = await sign({ url, wallet, nonce, statement: apiKeyStatement(wish) });
  const { moneyRights = [], ...named } = wish;
  const { accessKey, secret } = await client.createApiKey({ ...named, moneyRights: [...moneyRights], ...proof });
  return { accessKey, secret };
}

/**
 * What the API keys of a fund's account may call, over every call that the running program documents and that changes something: they trade, and those of a
 * manager move money between the wallets of the fund. Whatever rights a key has, no money of the fund leaves it.
 */
import { addressOf, assetId, atoms, type AccountId } from '@orrery/units';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { contract, type MoneyRight, type Route } from '@orrery/api';
import { documentedCalls } from '../../services/gateway/src/testing/documented-calls.ts';
import { signedRequestHeaders, type Key } from '../../services/gateway/src/testing/people.ts';
import { HOUSE_FUNDS } from '../src/fund-plans.ts';
import { assetByCode } from '../src/listing.ts';
import { alice, bob, call, closeGround, openGround, program } from './authorisation/ground.ts';
import { until } from './until.ts';

const SHARE = { asset: assetId(90), code: 'FUND90', decimals: 6, kind: 'internal' } as const;
const USDC = assetByCode('USDC').asset;
const STAKE = atoms(2_000_000_000n);
const KEYS = { trade: [], manager: ['TRANSFER'], every: ['TRANSFER', 'WITHDRAW'] } as const satisfies Record<string, readonly MoneyRight[]>;
type KeyName = keyof typeof KEYS;

/** Orders, positions and what a trader does on a sandbox: all that a key with TRADE may call. The heartbeat is the manager's. */
const TRADING = `createOrder createPair cancelOrder createOrders cancelOrders cancelAllOrders updateOrder
  createFuturesOrder createFuturesOrders updateFuturesOrder cancelFuturesOrder cancelAllFuturesOrders closeAllPositions reversePosition
  scheduleCancel createTwap cancelTwap createPlan cancelPlan cancelAllPlans createProfitStop updateProfitStop cancelProfitStop cancelAllProfitStops setProtection
  adjustLeverage changePositionType changePositionMode adjustPositionMargin setAutoMargin
  movePrice forceFunding fillMyOrder liquidateMe skipHour grantPractice fundHeartbeat`.split(/\s+/);

/** The other calls that a right over money opens, with what each key is answered. */
const MONEY: Readonly<Record<string, { readonly body: () => object; readonly answers: Readonly<Record<KeyName, string>> }>> = {
  transfer: {
    body: () => ({ coin: 'USDC', amount: '1', from: 'funding', to: 'spot' }),
    answers: { trade: 'PermissionMissing', manager: 'ok', every: 'ok' },
  },
  // A key that withdraws waits for a day; the engine refuses the account of a fund after it.
  withdraw: {
    body: () => ({ withdrawalId: `0x${'a1'.repeat(32)}`, coin: 'USDC', amount: '20', to: bob.address }),
    answers: { trade: 'PermissionMissing', manager: 'PermissionMissing', every: 'WithdrawalsHeld' },
  },
  fundSubscribe: {
    body: () => ({ fundId: 'QUANTO1', amount: '100' }),
    answers: { trade: 'PermissionMissing', manager: 'FundAccount', every: 'FundAccount' },
  },
  fundRedeem: {
    body: () => ({ fundId: 'QUANTO1', shares: '100' }),
    answers: { trade: 'PermissionMissing', manager: 'FundAccount', every: 'FundAccount' },
  },
};

let keys: Record<KeyName, Key>;
let fundAccount: AccountId;
beforeAll(async () => {
  await openGround();
  const { accounts, heart } = program;
  const address = addressOf(privateKeyToAccount(generatePrivateKey()).address.toLowerCase());
  const { account } = await accounts.directory.open(address);
  fundAccount = account;
  for (const flag of ['termsAccepted', 'whitelisted', 'connected'] as const) await accounts.directory.setFlag(account, flag);
  await heart.submit({ type: 'RegisterAsset', ...SHARE });
  const terms = { leader: alice.account, asset: USDC, amount: STAKE, capacity: atoms(STAKE * 10n) };
  const { events } = await heart.submit({ type: 'OpenFund', fund: SHARE.asset, account, ...terms });
  expect(events[0]).toMatchObject({ type: 'FundOpened' });
  const keyWith = (moneyRights: readonly MoneyRight[]): Promise<Key> =>
    accounts.apiKeys.create({ account, address }, { label: 'test', permission: 'TRADE', moneyRights, ipList: ['10.0.0.0/16'] });
  keys = { trade: await keyWith(KEYS.trade), manager: await keyWith(KEYS.manager), every: await keyWith(KEYS.every) };
  await until('the funds of the house are open', async () => {
    const { data } = await call({ method: 'GET', url: '/fund/api/list' });
    const listed = (data as readonly { readonly fundId: string }[]).map(({ fundId }) => fundId);
    return HOUSE_FUNDS.every(({ share: { code } }) => listed.includes(code));
  });
});
afterAll(closeGround);

/** All of it, in all wallets. */
function moneyOf(account: AccountId): bigint {
  const view = program.heart.open();
  view.close();
  return view.facts.reduce(
    (sum, fact) => (fact.type === 'BalanceChanged' && fact.account === account && fact.asset === USDC ? sum + fact.free + fact.held : sum),
    0n,
  );
}

interface Made {
  readonly method: string;
  readonly url: string;
  /** None of a file, whose sender is known before it is read. */
  readonly body?: object;
}

async function answerTo(who: KeyName, { method, url, body }: Made): Promise<string> {
  const sent = body === undefined ? {} : { body };
  const signed = body === undefined ? {} : { body: JSON.stringify(body) };
  const headers = signedRequestHeaders(keys[who], { method, url, timestamp: Date.now(), ...signed });
  return (await call({ method, url, headers, ...sent })).reason;
}

test('[A12] A3: a key of a fund trades and moves money between its wallets, and every other call that changes something is refused', async () => {
  const wrong: string[] = [];
  for (const { name, method, path: url } of await documentedCalls(program.url)) {
    const route = (contract as Readonly<Record<string, Route | undefined>>)[name];
    if (method === 'GET' || route === undefined || route.access === 'public' || route.access === 'cookie') continue;
    const { access } = route;
    const money = MONEY[name];
    if (access === 'trade' ? !TRADING.includes(name) : (access === 'transfer' || access === 'withdraw') && money === undefined)
      wrong.push(`${name} has access ${access}, and nobody has said whether a fund may call it`);
    if (access === 'trade') continue;
    for (const who of Object.keys(KEYS) as KeyName[]) {
      const expected = money?.answers[who] ?? (access === 'operator' ? 'NotSignedIn' : 'PermissionMissing');
      const reason = await answerTo(who, { method, url, ...(route.upload === true ? {} : { body: money?.body() ?? {} }) });
      if (reason !== expected) wrong.push(`${name} by the key of ${who}: ${reason}, not ${expected}`);
    }
  }
  expect(wrong).toEqual([]);
  expect(moneyOf(fundAccount)).toBe(STAKE);
});

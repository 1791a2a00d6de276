/**
 * The house of contracts: the insurance fund is funded, and the liquidator and the market-maker's two accounts have their money in the wallets of
 * futures. Their money comes by deposits on the chain like anyone's.
 */
import type { Accounts } from '@orrery/accounts';
import type { Event, Heart, Wallet } from '@orrery/protocol';
import { type AccountId, addressOf, type AssetId, type Atoms, atoms, NO_ATOMS } from '@orrery/units';
import { INSURANCE } from './first-liquidity.ts';
import { assetIdOf } from './listing.ts';
import type { LiquidityAddresses } from './start-chain.ts';

/** Where the margin of each settlement asset lies. */
const WALLET_OF = { USDC: 'futures', BTC: 'coinFutures' } as const satisfies Readonly<Record<keyof typeof INSURANCE, Wallet>>;
const SETTLED = Object.keys(WALLET_OF) as (keyof typeof WALLET_OF)[];

interface HouseParts {
  readonly heart: Heart;
  readonly accounts: Pick<Accounts, 'directory'>;
  readonly addresses: LiquidityAddresses;
  /** Ends the wait for their money. */
  readonly signal: AbortSignal;
}

/** Funds what the ledger did not have yet. Again it changes nothing. */
export async function fundInsurance(heart: Heart): Promise<void> {
  for (const code of SETTLED) {
    const command = { type: 'FundBudget', key: `insurance:first:${code}`, budget: 'insurance', asset: assetIdOf(code) } as const;
    const { events } = await heart.submit({ ...command, amount: atoms(INSURANCE[code]) });
    const refused = events.find((event) => event.type === 'CommandRejected');
    if (refused !== undefined) throw new Error(`the insurance fund was refused its ${code}: ${refused.reason}`);
  }
}

/** Resolves when the liquidator has its money and is the one of the exchange. */
export async function startLiquidator({ heart, accounts, addresses, signal }: HouseParts): Promise<void> {
  const account = await admit(accounts, addresses.liquidator);
  await moveToFutures(heart, account, signal);
  if (signal.aborted) return;
  const view = heart.open();
  view.close();
  if (view.facts.some((fact) => fact.type === 'LiquidatorSet' && fact.account === account)) return;
  const { events } = await heart.submit({ type: 'SetLiquidator', account });
  const refused = events.find((event) => event.type === 'CommandRejected');
  if (refused !== undefined) throw new Error(`the liquidator was refused: ${refused.reason}`);
}

/** For an exchange without a market-maker: resolves when the account that takes orders of testers has its money in futures. */
export async function startTaker({ heart, accounts, addresses, signal }: HouseParts): Promise<void> {
  await moveToFutures(heart, await admit(accounts, addresses.contractTaker), signal);
}

/** Our own accounts need no whitelist and sign no terms with themselves. */
async function admit({ directory }: Pick<Accounts, 'directory'>, address: string): Promise<AccountId> {
  const { account } = await directory.open(addressOf(address));
  for (const flag of ['termsAccepted', 'whitelisted', 'connected'] as const) await directory.setFlag(account, flag);
  return account;
}

/** Waits until the money is credited, or the signal is given, then moves all of it that does not lie in the wallets of futures yet. */
export async function moveToFutures(heart: Heart, account: AccountId, signal: AbortSignal): Promise<void> {
  const free = await creditedBalances(heart, account, signal);
  if (signal.aborted) return;
  for (const code of SETTLED) {
    const asset = assetIdOf(code);
    const inFunding = free.get(`funding ${asset}`) ?? NO_ATOMS;
    await transfer(heart, { account, asset, amount: inFunding, from: 'funding', to: 'spot' });
    const inSpot = atoms((free.get(`spot ${asset}`) ?? NO_ATOMS) + inFunding);
    await transfer(heart, { account, asset, amount: inSpot, from: 'spot', to: WALLET_OF[code] });
  }
}

/** What is free, by wallet and asset, once every settlement asset was credited. */
async function creditedBalances(heart: Heart, account: AccountId, signal: AbortSignal): Promise<ReadonlyMap<string, Atoms>> {
  const free = new Map<string, Atoms>();
  const seen = new Set<AssetId>();
  const note = (event: Event): void => {
    if (event.type !== 'BalanceChanged' || event.account !== account) return;
    seen.add(event.asset);
    free.set(`${event.wallet} ${event.asset}`, event.free);
  };
  const isCredited = (): boolean => SETTLED.every((code) => seen.has(assetIdOf(code)));
  const view = heart.open();
  signal.addEventListener('abort', () => view.close(), { once: true });
  try {
    for (const fact of view.facts) note(fact);
    if (isCredited() || signal.aborted) return free;
    for await (const batch of view.tail) {
      for (const { events } of batch) for (const event of events) note(event);
      if (isCredited()) break;
    }
    return free;
  } finally {
    view.close();
  }
}

interface Move {
  readonly account: AccountId;
  readonly asset: AssetId;
  readonly amount: Atoms;
  readonly from: Wallet;
  readonly to: Wallet;
}

async function transfer(heart: Heart, move: Move): Promise<void> {
  if (move.amount === NO_ATOMS) return;
  const { events } = await heart.submit({ type: 'Transfer', transferId: crypto.randomUUID(), ...move });
  const refused = events.find((event) => event.type === 'CommandRejected');
  if (refused !== undefined) throw new Error(`the house could not move its money to ${move.to}: ${refused.reason}`);
}

/** One line of the ledger: what one owner has of one asset in one wallet. */
import { assert, assetId, type AccountId, type AssetId, type Atoms } from '@orrery/units';
import { WALLETS, type Wallet } from '@orrery/protocol';

/**
 * Accounts of the exchange itself. EXTERNAL is the contra account of everything outside (the vault, issued points), CLEARING of what contracts
 * have paid for profit that nobody has realised on the other side yet, UNCOVERED of losses that nobody could pay: these may be below zero. Each of the others
 * can only be paid from, never overdrawn. OTC_ESCROW holds the coins of the OTC desk, FUND_QUEUE what waits to be subscribed to funds.
 */
export const SYSTEM_ACCOUNTS = [
  'FEE',
  'INSURANCE',
  'DUST',
  'FAUCET_BUDGET',
  'REWARD_BUDGET',
  'SUSPENSE',
  'EXTERNAL',
  'CLEARING',
  'UNCOVERED',
  'OTC_ESCROW',
  'FUND_QUEUE',
] as const;
/** The ones that may be below zero. */
export const OVERDRAWN: readonly string[] = ['EXTERNAL', 'CLEARING', 'UNCOVERED'];
export type SystemAccount = (typeof SYSTEM_ACCOUNTS)[number];

/** What a part of a balance is reserved for: open orders, positions, or money on its way out. What is not reserved is free. */
export const RESERVES = ['orderMargin', 'positionMargin', 'withdrawalHold'] as const;
export type Reserve = (typeof RESERVES)[number];

/** A balance is the number of its row (`balance-rows.ts`). */
export type Balance = number;

/** The amounts of a balance, by the names of its owner. `held` is the sum of its reserves. */
export interface PersonalBalance {
  readonly account: AccountId;
  readonly wallet: Wallet;
  readonly asset: AssetId;
  readonly free: Atoms;
  readonly held: Atoms;
}

/** Sixteen lines an asset: the exchange has eleven accounts of its own, and those to come have room. */
const PART_BITS = 4;
/** The most wallets of a person, and the most accounts of the exchange. */
const PARTS = 1 << PART_BITS;
assert(SYSTEM_ACCOUNTS.length <= PARTS && WALLETS.length <= PARTS, 'every account of the exchange and every wallet has a line');

/** Balances of one account have lines below this: asset ids end at 255. */
export const LINES = 256 * PARTS;

/** The line of a balance among those of its account, in the order of assets and wallets. Orders use the spot wallet alone, which is asked for first. */
export const lineOf = (wallet: Wallet, asset: AssetId): number => asset * PARTS + (wallet === 'spot' ? 1 : PLACE[wallet]);
const PLACE: Readonly<Record<Wallet, number>> = { funding: 0, spot: 1, futures: 2, coinFutures: 3 };
export const assetAt = (line: number): AssetId => assetId(line >> PART_BITS);

/** Of a balance that is a person's. */
export function walletAt(line: number): Wallet {
  const wallet = WALLETS[line % PARTS];
  assert(wallet !== undefined, 'the balance of a person is in a wallet');
  return wallet;
}

/**
 * What is held in a balance of a layout that has one word for all its reserves, as layouts 1 and 2 do: orders reserve in the wallets that trade, money on
 * its way out leaves from funding, and from the accounts of the exchange.
 */
export const reserveOfHeld = (wallet: Wallet | undefined): Reserve =>
  wallet === undefined || wallet === 'funding' ? 'withdrawalHold' : 'orderMargin';

/** The line of a balance of the exchange itself, which is in no account. */
export const systemLine = (account: SystemAccount, asset: AssetId): number => asset * PARTS + SYSTEM_ACCOUNTS.indexOf(account);
/** Whether a line of the exchange itself is one of this account's. */
export const isSystemLine = (account: SystemAccount, line: number): boolean => line % PARTS === SYSTEM_ACCOUNTS.indexOf(account);

/** Who may make a call, and which rate limit counts it. */
import { unreachable, type AccountId, type Address, type Millis } from '@orrery/units';

/**
 * - `public`: everyone.
 * - `cookie`: everyone, but the call acts on the refresh cookie: it must come from our own pages (Origin, `x-orrery-request`, JSON).
 * - `session`: a person's browser session; never an API key.
 * - `read`: a session, or an API key of any permission.
 * - `trade`: a session, or an API key with TRADE.
 * - `transfer`, `withdraw`: a session, or an API key with this right over money.
 * - `operator`: an operator's session only; the route's `role` is the minimum role.
 */
export const ACCESS_LEVELS = ['public', 'cookie', 'session', 'read', 'trade', 'transfer', 'withdraw', 'operator'] as const;
export type Access = (typeof ACCESS_LEVELS)[number];

/** Each class has its own bucket, so that no flood of one kind starves another. */
export const RATE_CLASSES = [
  'public',
  'read',
  'order',
  'cancel',
  'nonce',
  'auth',
  'whitelist',
  'faucet',
  'transfer',
  'withdraw',
  'manage',
  'upload',
  'otc',
  'rpc',
  'rawTransaction',
  'sandbox',
] as const;
export type RateClass = (typeof RATE_CLASSES)[number];

/** The header a call with `cookie` access must carry, with any value: no form and no foreign page can send it. */
export const SAME_SITE_HEADER = 'x-orrery-request';

/**
 * The account that a call is made for, where the caller says it: when the session or the key is another account's, the call is refused. Pages send it,
 * because their session may change between the moment a person decides and the moment the call leaves.
 */
export const ACCOUNT_HEADER = 'x-orrery-account';

/** READ is part of TRADE. */
export const PERMISSIONS = ['READ', 'TRADE'] as const;
export type Permission = (typeof PERMISSIONS)[number];

/** What an API key may do with money beside its permission. Neither is part of the other, and TRADE has none of them. */
export const MONEY_RIGHTS = ['TRANSFER', 'WITHDRAW'] as const;
export type MoneyRight = (typeof MONEY_RIGHTS)[number];

/** Limits by which a key is counted; `marketMaker` is granted by configuration only. */
export type RateTier = 'standard' | 'marketMaker';

/** Who makes this call. Created by the authenticator, never by the caller. */
export interface Principal {
  readonly account: AccountId;
  readonly address: Address;
  readonly via: 'session' | 'apiKey';
  /** The session's id or the access key: what is revoked, and what the rates count besides the account. */
  readonly credential: string;
  readonly permission: Permission;
  /** Of an API key; a session has no need of them. */
  readonly moneyRights?: readonly MoneyRight[];
  readonly tier: RateTier;
  /** When the trading session ends; for API keys when the key lapses. */
  readonly endsAt: Millis;
}

/** What an operator may do: each role may do what those before it may. */
export const OPERATOR_ROLES = ['viewer', 'operator', 'admin'] as const;
export type OperatorRole = (typeof OPERATOR_ROLES)[number];

/** What an operator may do beside the role. No role has any of them: each is granted to a person, by two others. */
export const OPERATOR_RIGHTS = ['reviewer'] as const;
export type OperatorRight = (typeof OPERATOR_RIGHTS)[number];

/** The operator who makes this call. Created by the operators' sign-in, never by the caller; never a principal, and no principal is one. */
export interface Operator {
  readonly operatorId: string;
  readonly name: string;
  readonly role: OperatorRole;
  readonly rights: readonly OperatorRight[];
  /** When the session ends whatever is done in it. */
  readonly endsAt: Millis;
}

/** True when an operator of this role may make calls that ask for `least`. */
export const mayOperate = (role: OperatorRole, least: OperatorRole): boolean =>
  OPERATOR_ROLES.indexOf(role) >= OPERATOR_ROLES.indexOf(least);

/** True when the principal may make calls of this access level. */
export function permits(principal: Principal | undefined, access: Access): boolean {
  switch (access) {
    case 'public':
    case 'cookie':
      return true;
    case 'session':
      return principal !== undefined && principal.via === 'session';
    case 'read':
      return principal !== undefined;
    case 'trade':
      return principal !== undefined && principal.permission === 'TRADE';
    case 'transfer':
      return principal !== undefined && hasMoneyRight(principal, 'TRANSFER');
    case 'withdraw':
      return principal !== undefined && hasMoneyRight(principal, 'WITHDRAW');
    case 'operator':
      return false;
    default:
      return unreachable(access);
  }
}

const hasMoneyRight = ({ via, moneyRights = [] }: Principal, right: MoneyRight): boolean =>
  via === 'session' || moneyRights.includes(right);

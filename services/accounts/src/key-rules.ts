/** What an API key may be: its rights, from where it is used, for how long. */
import { ApiError, type MoneyRight, type Permission, publicKeyOf, type RateTier } from '@orrery/api';
import { isIpList } from './ip-range.ts';

export const DAY_MS = 86_400_000;
/** A key that may trade from any address expires. */
const UNBOUND_TRADE_KEY_MS = 30 * DAY_MS;
/** From the moment at which a key may withdraw, or may do so from more addresses, to its first withdrawal. */
export const KEY_WITHDRAWAL_WAIT_MS = 24 * 3_600_000;

export interface KeyRequest {
  readonly label: string;
  readonly permission?: Permission;
  readonly moneyRights?: readonly MoneyRight[];
  readonly ipList?: readonly string[];
  readonly legacySigning?: boolean;
  /** Of a key that signs by Ed25519, as its owner gives it. */
  readonly publicKey?: string;
  readonly lifeDays?: number;
  readonly tier?: RateTier;
}

export const withdraws = ({ moneyRights = [] }: Pick<KeyRequest, 'moneyRights'>): boolean => moneyRights.includes('WITHDRAW');

export const readsOnly = ({ permission = 'READ', moneyRights = [] }: KeyRequest): boolean =>
  permission === 'READ' && moneyRights.length === 0;

/** Throws an `ApiError` that names the field by which no key like this is made. */
export function checkRules(request: KeyRequest): void {
  const { ipList = [], legacySigning = false, publicKey } = request;
  if (!isIpList(ipList)) {
    const message = 'ipList must be addresses and ranges that are together at most a /16 of IPv4 and a /48 of IPv6';
    throw new ApiError('MalformedField', { field: 'ipList', message });
  }
  if (publicKey !== undefined && publicKeyOf(publicKey) === undefined) {
    throw new ApiError('MalformedField', { field: 'publicKey', message: 'publicKey is not an Ed25519 key in PEM or base64' });
  }
  if (withdraws(request) && ipList.length === 0)
    throw new ApiError('MissingField', { field: 'ipList', message: 'a key that withdraws needs a list of addresses' });
  // A legacy signature covers neither the path nor the nonce.
  if (legacySigning && (withdraws(request) || publicKey !== undefined))
    throw new ApiError('MalformedField', { field: 'legacySigning', message: 'this key signs by version 2 only' });
}

/** By the text of the ranges: one that is part of another counts as more. An empty list allows every address. */
export const isWider = (list: readonly string[], before: readonly string[]): boolean =>
  before.length > 0 && (list.length === 0 || list.some((range) => !before.includes(range)));

/** When a key that is made now lapses, unix milliseconds; undefined when it does not. */
export function lapse(key: KeyRequest, now: number): number | undefined {
  const { permission, ipList = [], tier, lifeDays } = key;
  const ends: number[] = lifeDays === undefined ? [] : [now + lifeDays * DAY_MS];
  if (permission === 'TRADE' && ipList.length === 0 && tier !== 'marketMaker') ends.push(now + UNBOUND_TRADE_KEY_MS);
  return ends.length === 0 ? undefined : Math.min(...ends);
}

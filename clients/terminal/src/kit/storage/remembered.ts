/**
 * What this device remembers beside the settings. Names and flags only: no token, key or signature is ever written here.
 * What stands under a token's name is a handle, an opaque mark that opens nothing without the browser's own cookie.
 */
import { parseBoolean, parseMillis, parseRecord, parseString } from './parse.ts';
import { stored } from './stored.ts';
import type { Stored, StoredOptions } from './stored.ts';

const text = (name: string): Stored<string> => stored({ name, version: 1, fallback: '', parse: parseString });
const record = (name: string): Stored<Readonly<Record<string, string>>> =>
  stored({ name, version: 1, fallback: {}, parse: parseRecord } satisfies StoredOptions<Readonly<Record<string, string>>>);

/** Session handle to address: which address a handle was issued for. */
export const tokenToAddress = record('tokenToAddress');
/** Address to session handle of the accounts used before, for switching back. */
export const previousAddressToToken = record('previousAddressToToken');
/** Address to the terms code it has accepted. */
export const termsUserStatus = record('termsUserStatus');
/** Addresses that have put the finished list of first steps away. */
export const stepsPutAway = record('stepsPutAway');
export const walletAddress = text('walletAddress');
export const walletType = text('walletType');
/** The code of the invitation a visitor came by; deleted once the exchange has received it. */
export const arrivedByInvite = text('inviteCode');
export const deviceId = text('deviceId');
/** When trading ends, in Unix milliseconds; 0 when no session is open. */
export const tradingEndTime = stored({ name: 'enableTradingEndTime', version: 1, fallback: 0, parse: parseMillis });
export const previousSpotSymbol = stored({ name: 'previousSpotSymbol', version: 1, fallback: 'BTC_USDC', parse: parseString });
/** The market that was in view last: `last-view.ts` says what stands in it. */
export const previousCurrencyPair = text('previousCurrencyPair');
export const isTelegram = stored({ name: 'isTelegram', version: 1, fallback: false, parse: parseBoolean });

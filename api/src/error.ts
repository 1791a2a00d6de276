/**
 * Every code an answer can carry, with its HTTP status. Rejects of the engine keep the codes of the protocol (1001 to 5001);
 * the rest is ours: 11xxx malformed, 12xxx who you are, 13xxx too much, 14xxx not there, 15xxx not now.
 */
import { REJECTS, rejectMessage, type RejectReason } from '@orrery/protocol';

interface Fault {
  readonly code: number;
  readonly status: number;
  readonly message: string;
}

/** `{field}` is replaced by the name of the field at fault. */
export const API_FAULTS = {
  MalformedBody: { code: 11001, status: 400, message: 'the body is not valid JSON' },
  MalformedField: { code: 11002, status: 400, message: '{field} is not valid' },
  MissingField: { code: 11003, status: 400, message: '{field} is missing' },
  UnknownField: { code: 11004, status: 400, message: '{field} is not a field of this call' },
  RepeatedField: { code: 11005, status: 400, message: '{field} is given more than once' },
  BodyTooLarge: { code: 11006, status: 413, message: 'the body is too large' },
  UnsupportedMediaType: { code: 11007, status: 415, message: 'the body must be application/json' },
  UriTooLong: { code: 11008, status: 414, message: 'the address of this call is too long' },
  RequestTimeout: { code: 11009, status: 408, message: 'the request did not arrive in time' },
  HeadersTooLarge: { code: 11010, status: 431, message: 'the headers are too large' },
  UnknownHost: { code: 11011, status: 421, message: 'this exchange is not served at this host' },
  NotSignedIn: { code: 12001, status: 401, message: 'sign in first' },
  SessionExpired: { code: 12002, status: 401, message: 'the session has ended: sign in again' },
  InvalidApiKey: { code: 12003, status: 401, message: 'unknown or revoked API key' },
  InvalidSignature: { code: 12004, status: 401, message: 'the signature does not match' },
  StaleTimestamp: { code: 12005, status: 401, message: 'the timestamp is outside the window of {field}' },
  ReplayedRequest: { code: 12006, status: 401, message: 'this signed request was made before' },
  InvalidNonce: { code: 12007, status: 401, message: 'the nonce is unknown, used or too old' },
  InvalidMessage: { code: 12008, status: 401, message: '{field} of the signed message is not what was asked for' },
  PermissionMissing: { code: 12009, status: 403, message: 'this key or session may not do this' },
  ForeignOrigin: { code: 12010, status: 403, message: 'this call is not taken from another site' },
  NotYours: { code: 12011, status: 403, message: '{field} is not yours' },
  AddressBlocked: { code: 12012, status: 403, message: 'this address is blocked' },
  IpNotAllowed: { code: 12013, status: 403, message: 'this key is not used from this address' },
  OtherBrowser: {
    code: 12014,
    status: 403,
    message: 'send back the cookie that came with the nonce, from the browser or program that asked for it',
  },
  LegacySignature: {
    code: 12015,
    status: 403,
    message: 'this key changes nothing by a legacy signature: sign by X-Signature-Version 2, or make a key with legacySigning',
  },
  SignedBeforeStart: { code: 12016, status: 401, message: 'the exchange has started since this was signed: sign it again' },
  AccountChanged: { code: 12017, status: 409, message: 'this was made for another account than the one that is signed in' },
  InvalidCode: { code: 12020, status: 401, message: 'the one-time code is unknown, used or too old' },
  InvalidPasskey: { code: 12021, status: 401, message: 'the passkey is not known or did not prove itself' },
  InvalidPassword: { code: 12022, status: 401, message: 'the name or the password is wrong' },
  CaptchaNeeded: { code: 12023, status: 409, message: 'solve a captcha first' },
  InvalidCaptcha: { code: 12024, status: 400, message: 'the captcha is not solved, used or too old' },
  FactorNeeded: { code: 12025, status: 409, message: 'bind an authenticator app first' },
  TooManyRequests: { code: 13001, status: 429, message: 'too many requests: try again later' },
  TooManyConnections: { code: 13002, status: 429, message: 'too many connections' },
  TooMany: { code: 13003, status: 409, message: 'no more {field} can be added' },
  NotQualified: { code: 13004, status: 409, message: 'you do not qualify for this reward' },
  InviteRefused: { code: 13005, status: 409, message: 'this invitation can not be taken' },
  WithdrawalsHeld: {
    code: 13006,
    status: 409,
    message: 'withdrawals are held for 24 hours after a change of the security of the account',
  },
  AddressNotInBook: { code: 13020, status: 409, message: 'this address is not in your address book: add it first' },
  AddressWaits: { code: 13021, status: 409, message: 'this address is new: withdrawals to it are taken after its wait' },
  AddressRefused: { code: 13022, status: 409, message: 'this address can not receive withdrawals' },
  WithdrawalQuotaExceeded: { code: 13023, status: 409, message: 'more than the quota of your level leaves within 24 hours' },
  FileRefused: { code: 13030, status: 422, message: 'this file is not taken' },
  AccountNotEmpty: { code: 13031, status: 409, message: 'this account still has money or positions: take them out first, or give them up' },
  OneOwner: { code: 13050, status: 409, message: 'the other side appears to be you, by another account' },
  OtcMethodInUse: {
    code: 13051,
    status: 409,
    message: 'an advertisement of yours names this payment method: change it, or take it down first',
  },
  PracticeOnly: { code: 13040, status: 422, message: 'this acts on practice contracts alone' },
  NotFound: { code: 14001, status: 404, message: 'there is no such call' },
  MethodNotAllowed: { code: 14002, status: 405, message: 'this call is not made with this method' },
  UnknownThing: { code: 14003, status: 404, message: '{field} not found' },
  OwnProposal: { code: 14010, status: 409, message: 'a proposal is approved by somebody else' },
  ProposalOver: { code: 14011, status: 409, message: 'this proposal is not waiting any more' },
  ProposalOutdated: { code: 14012, status: 409, message: 'what this proposal changes is not as it was when it was proposed' },
  LastAdmin: { code: 14013, status: 409, message: 'one admin must remain' },
  AlreadyThere: { code: 14014, status: 409, message: '{field} is there already' },
  ArbiterConflict: {
    code: 14030,
    status: 409,
    message: 'you are a side of this order, or appear to be one with a side: somebody else decides',
  },
  ArbiterUndeclared: { code: 14031, status: 409, message: 'say first which accounts of this exchange are yours, or that none is' },
  PositionLeft: { code: 14020, status: 409, message: 'something of the position is left open' },
  NotNow: { code: 15001, status: 503, message: 'not ready yet: try again in a moment' },
  Overloaded: { code: 15002, status: 503, message: 'too busy: try again in a moment' },
  DiskFull: { code: 15003, status: 503, message: 'no new orders for now: cancels are taken' },
  Upstream: { code: 15004, status: 502, message: '{field} does not answer' },
  Internal: { code: 15005, status: 500, message: 'something went wrong on our side' },
  OutcomeUnknown: { code: 15006, status: 504, message: 'whether this was done is not known: look before you do it again' },
} as const satisfies Record<string, Fault>;

export type ApiFault = keyof typeof API_FAULTS;
/** The name of every failure: ours and the engine's. */
export type FaultName = ApiFault | RejectReason;

/** HTTP 401 and 403 mean to a client that its session is over, so a refused order never answers with them unless the account is blocked. */
const REJECT_STATUS: Partial<Record<RejectReason, number>> = {
  AccountBlocked: 403,
  TermsNotAccepted: 409,
  NotWhitelisted: 409,
  ConnectionMissing: 409,
  MarketHalted: 409,
  MarketCancelOnly: 409,
  DuplicateClientOrderId: 409,
  KeyConflict: 409,
  AwardAlreadyReversed: 409,
  DepositInSuspense: 409,
  DepositNotInSuspense: 409,
  HourlyCapExceeded: 409,
  DailyCapExceeded: 409,
  QuotaExceeded: 409,
  RulesTooOld: 409,
  AlreadyRegistered: 409,
  WithdrawalNotInState: 409,
  AdvertisementNotOpen: 409,
  NotPartyOfOrder: 409,
  OtcClosed: 409,
  OtcNotIdle: 409,
  OtcOrderNotInState: 409,
  OtcPriceMoved: 409,
  AssistPriceStale: 409,
  AdvertisementVersionStale: 409,
  InternalReject: 500,
};

/** Malformed 400, unknown 404, not allowed and not affordable 422, with the exceptions above. */
function statusOfReject(reason: RejectReason): number {
  const fixed = REJECT_STATUS[reason];
  if (fixed !== undefined) return fixed;
  const family = Math.floor(REJECTS[reason].code / 1000);
  if (family === 1) return 400;
  return family === 2 ? 404 : 422;
}

/** Of a refusal of a number beyond another one: both, as decimal text. */
export interface FaultFigures {
  /** What the call needs or names. */
  readonly asked: string;
  /** What there is, or the most or the least that is taken. */
  readonly limit: string;
  /** The code of the coin that they count; `CONT` of contracts of a fixed value, empty of what is only counted. */
  readonly unit: string;
}

/** What `data` holds when `code` is not 0. */
export interface FaultData {
  readonly reason: FaultName;
  /** The field at fault; empty when it is no single one. */
  readonly field: string;
  readonly figures?: FaultFigures;
}

interface FaultOptions {
  readonly field?: string;
  readonly figures?: FaultFigures | undefined;
  readonly message?: string;
  readonly retryAfterSeconds?: number;
  readonly cause?: unknown;
}

/** A refused call. Thrown by handlers; the gateway turns it into the answer. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: number;
  readonly status: number;
  readonly data: FaultData;
  /** For 429 and 503. */
  readonly retryAfterSeconds: number | undefined;

  constructor(reason: FaultName, options: FaultOptions = {}) {
    const { field = '', figures } = options;
    super(options.message ?? faultMessage(reason, field), { cause: options.cause });
    this.code = isApiFault(reason) ? API_FAULTS[reason].code : REJECTS[reason].code;
    this.status = isApiFault(reason) ? API_FAULTS[reason].status : statusOfReject(reason);
    this.data = { reason, field, ...(figures !== undefined && { figures }) };
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}

export const isApiFault = (reason: string): reason is ApiFault => Object.hasOwn(API_FAULTS, reason);

/** The sentence for people, with the field's name in it. */
export function faultMessage(reason: FaultName, field: string): string {
  if (!isApiFault(reason)) return rejectMessage(reason, field);
  return API_FAULTS[reason].message.replace('{field}', field === '' ? 'a field' : field);
}

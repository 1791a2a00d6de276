/** What a failed call means for the page: who must sign in again, and what the person reads. */
import { CallError } from '@orrery/sdk';
import { say } from '../../kit/i18n/text.tsx';

export const UNKNOWN_ERROR = 'unknown error';
export const NO_BODY = 'Something went wrong';

const UNAUTHORIZED = 401;

/** Nobody is signed in any more: the page asks for that, without a toast. */
export const isSignedOut = (error: unknown): boolean => error instanceof CallError && error.status === UNAUTHORIZED;

/** The exchange no longer takes the token, or may not. */
export const isAuthFailure = (error: unknown): boolean => error instanceof CallError && (error.status === 401 || error.status === 403);

const ACCOUNT_CHANGED = { reason: 'AccountChanged', code: 12_017, status: 409 } as const;

/** Refused by the page itself, as the exchange would have: another account is in view than the one that the act is of. */
export const accountChanged = (): CallError => new CallError({ ...ACCOUNT_CHANGED, msg: say('ui.accountChanged') });

export const isAccountChanged = (error: unknown): boolean => error instanceof CallError && error.reason === ACCOUNT_CHANGED.reason;

/** Nobody knows what became of the call: there was no answer, or one that something broke on the way. */
export const isUnanswered = (error: unknown): boolean =>
  error instanceof CallError ? error.status >= 500 || error.outcomeUnknown : error instanceof Error && error.message === NO_BODY;

/** The words of the toast: the exchange's own, where there are any. */
export function toastText(error: unknown): string {
  if (!(error instanceof CallError)) return NO_BODY;
  if (error.msg === '' || error.msg === NO_BODY) return UNKNOWN_ERROR;
  return error.msg;
}

const LOGOUT_CODE = 303;

/** The exchange orders this page to log out. */
export const isLogout = (error: unknown): boolean => error instanceof CallError && error.code === LOGOUT_CODE;

const TOO_MANY_REQUESTS = 429;

/** Not looked at: too many came before it. */
export const isTooMany = (error: unknown): error is CallError => error instanceof CallError && error.status === TOO_MANY_REQUESTS;

/** Whether the same question may be answered a little later: silence, or a fault of the exchange's own, and no refusal of the question. */
export const isPassing = (error: unknown): boolean => !(error instanceof CallError) || error.status >= 500 || isTooMany(error);

/** What the caller's promise rejects with: a refusal as it is, silence as `Something went wrong`. */
export function rejection(error: unknown): Error {
  if (error instanceof CallError) return error;
  return new Error(NO_BODY, { cause: error });
}

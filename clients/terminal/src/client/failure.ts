/** What a failed call means for the page: who must sign in again, and what the person reads. */
import { CallError } from '@orrery/sdk';

export const UNKNOWN_ERROR = 'unknown error';
export const NO_BODY = 'Something went wrong';

/** The exchange no longer takes the token. */
export const isAuthFailure = (error: unknown): boolean => error instanceof CallError && (error.status === 401 || error.status === 403);

/** Nobody knows what became of the call: there was no answer, or one that something broke on the way. */
export const isUnanswered = (error: unknown): boolean =>
  error instanceof CallError ? error.status >= 500 : error instanceof Error && error.message === NO_BODY;

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

/** Whether the same question may be answered a little later: silence, or a fault of the exchange's own, and no refusal of the question. */
export const isPassing = (error: unknown): boolean =>
  !(error instanceof CallError) || error.status >= 500 || error.status === TOO_MANY_REQUESTS;

/** What the caller's promise rejects with: a refusal as it is, silence as `Something went wrong`. */
export function rejection(error: unknown): Error {
  if (error instanceof CallError) return error;
  return new Error(NO_BODY, { cause: error });
}

/** What a failed call means for the page: who must sign in again, and what the person reads. */
import { CallError } from '@orrery/sdk';

export const UNKNOWN_ERROR = 'unknown error';
export const NO_BODY = 'Something went wrong';

/** The exchange no longer takes the token. */
export const isAuthFailure = (error: unknown): boolean => error instanceof CallError && (error.status === 401 || error.status === 403);

/** The words of the toast: the exchange's own, where there are any. */
export function toastText(error: unknown): string {
  if (!(error instanceof CallError) || error.msg === '' || error.msg === NO_BODY) return UNKNOWN_ERROR;
  return error.msg;
}

/** What the caller's promise rejects with: a refusal as it is, silence as `Something went wrong`. */
export function rejection(error: unknown): Error {
  if (error instanceof CallError) return error;
  return new Error(NO_BODY, { cause: error });
}

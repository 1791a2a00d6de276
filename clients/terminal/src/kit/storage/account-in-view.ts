/**
 * Whose account is in view: the session says it, and nobody else. What writes for an account, and what was opened for one, looks here whether it is
 * still the one that the person sees.
 */
import { useState } from 'react';

declare const account: unique symbol;

/** The id of an account. */
export type Account = string & { readonly [account]: true };

/** Of what the exchange calls an account, or what was kept of it. */
export const accountOf = (id: string): Account => id as Account;

export interface View {
  /** Of the wallet, or of the name that logged in; it is known before the session is, and stays when the session ends. */
  readonly address: string | undefined;
  /** While its session is open. */
  readonly account: Account | undefined;
}

let view: View = { address: undefined, account: undefined };

export const viewNow = (): View => view;
export const accountInView = (): Account | undefined => view.account;

/** Whose act it is: the account that the person saw when they decided. With another in view, or none, nothing is sent. */
export interface By {
  readonly as: Account | undefined;
}

/** The account in view now: taken before a question is asked, so that the answer counts for it alone. */
export const actor = (): By => ({ as: view.account });

/** The account that a dialog was opened for. */
export const useActor = (): By => useState(actor)[0];

export function setView(next: View): void {
  view = next;
}

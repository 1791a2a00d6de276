/** A withdrawal: signed over exactly what leaves, where to, and an id that can be used once. */
import { withdrawStatement } from '@orrery/api';
import { isUnanswered } from '../client/failure.ts';
import { act, ask, refresh } from '../data/calls.ts';
import { openIntents } from '../storage/open-intents.ts';
import type { OpenIntent } from '../storage/open-intents.ts';
import { randomHex } from '../storage/random-hex.ts';
import { signFor } from '../session/session.ts';
import type { Signed } from '../session/sign.ts';

export interface WithdrawalIntent {
  readonly coin: string;
  readonly amount: string;
  readonly to: string;
}

export function parseWithdrawal(json: unknown): WithdrawalIntent | undefined {
  if (typeof json !== 'object' || json === null) return undefined;
  const { coin, amount, to } = json as Readonly<Record<string, unknown>>;
  return typeof coin === 'string' && typeof amount === 'string' && typeof to === 'string' ? { coin, amount, to } : undefined;
}

export const openWithdrawals = openIntents<WithdrawalIntent>({ name: 'openWithdrawals', parse: parseWithdrawal });

export const newWithdrawalId = (): string => `0x${randomHex(32)}`;

/** Of withdrawals without an answer, in this page's memory alone: sent again without another signature. */
const signatures = new Map<string, Signed>();

export interface Signatory {
  readonly owner: string;
  /** The code of the authenticator app, where one is bound. */
  readonly google: string | undefined;
}

/** The same id again changes nothing; after a reload it is signed again under the id it has. */
export async function withdraw(
  { owner, google }: Signatory,
  { id, body: { coin, amount, to } }: OpenIntent<WithdrawalIntent>,
): Promise<void> {
  const statement = withdrawStatement({ amount, coin, to });
  const signed = signatures.get(id) ?? (await signFor({ address: owner, purpose: 'withdraw', statement, requestId: id }));
  signatures.set(id, signed);
  const body = { withdrawalId: id, coin, amount, to, ...signed, ...(google !== undefined && { google }) };
  try {
    await act('withdraw', { body });
  } catch (error) {
    // What was refused has used the signature up.
    if (!isUnanswered(error)) signatures.delete(id);
    throw error;
  }
  signatures.delete(id);
  await refresh('balances', 'withdrawals', 'withdrawalQuota');
}

/** Newest withdrawals, among which one is looked for. */
const LOOKED_THROUGH = 50;

export async function isWithdrawalKnown({ id }: OpenIntent<WithdrawalIntent>): Promise<boolean> {
  const { list } = await ask('withdrawals', { query: { page: 1, pageSize: LOOKED_THROUGH } });
  return list.some(({ withdrawalId }) => withdrawalId === id);
}

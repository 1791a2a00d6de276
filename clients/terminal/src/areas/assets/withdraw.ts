/** A withdrawal: signed over exactly what leaves, where to, and an id that can be used once. */
import { withdrawStatement } from '@orrery/api';
import { isUnanswered } from '../../platform/client/failure.ts';
import { act, ask, refresh } from '../../platform/data/calls.ts';
import type { AskedWithdrawal } from '../../platform/client/factor-calls.ts';
import { type FactorState, give, type GivenFactor } from '../../platform/factors/factor.ts';
import { openIntents } from '../../kit/storage/open-intents.ts';
import type { OpenIntent } from '../../kit/storage/open-intents.ts';
import { randomHex } from '../../kit/storage/random-hex.ts';
import { signFor } from '../../platform/session/session.ts';
import type { Signed } from '../../platform/session/sign.ts';

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

/** Of withdrawals without an answer, in this page's memory alone: sent again without another signature, or another answer of the passkey. */
const proofs = new Map<string, Signed & GivenFactor>();

export interface Signatory {
  readonly owner: string;
  /** One that is bound, where there is one. */
  readonly factor: Pick<FactorState, 'way' | 'code'>;
}

/** The same id again changes nothing; after a reload it is signed again under the id it has. */
export async function withdraw(
  { owner, factor }: Signatory,
  { account: as, id, body: { coin, amount, to } }: OpenIntent<WithdrawalIntent>,
): Promise<void> {
  const proof = proofs.get(id) ?? (await prove({ owner, factor }, { withdrawalId: id, coin, amount, to }));
  proofs.set(id, proof);
  const body = { withdrawalId: id, coin, amount, to, ...proof };
  try {
    await act('withdraw', { body }, { as });
  } catch (error) {
    // What was refused has used the proof up.
    if (!isUnanswered(error)) proofs.delete(id);
    throw error;
  }
  proofs.delete(id);
  await refresh('balances', 'withdrawals', 'withdrawalReviews', 'withdrawalQuota');
}

/** The passkey first: browsers ask for it soon after a click of the person, and wallets whenever they are asked. */
async function prove({ owner, factor }: Signatory, withdrawal: AskedWithdrawal): Promise<Signed & GivenFactor> {
  const given = await give(factor, { withdrawal });
  const statement = withdrawStatement(withdrawal);
  return { ...given, ...(await signFor({ address: owner, purpose: 'withdraw', statement, requestId: withdrawal.withdrawalId })) };
}

/** Newest withdrawals, among which one is looked for. */
const LOOKED_THROUGH = 50;

export async function isWithdrawalKnown({ id }: OpenIntent<WithdrawalIntent>): Promise<boolean> {
  const { list } = await ask('withdrawals', { query: { page: 1, pageSize: LOOKED_THROUGH } });
  return list.some(({ withdrawalId }) => withdrawalId === id);
}

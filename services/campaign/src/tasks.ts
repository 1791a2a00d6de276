/** Tasks of the campaign: done or not, told from what the account has really done. Points are what was awarded. */
import { TASK_CODES, type TaskStatus } from '@orrery/api';
import type { AccountId } from '@orrery/units';

/** What history knows of an account. */
export interface Deeds {
  readonly orders: number;
  /** Quote atoms traded in all. */
  readonly volume: bigint;
  readonly firstDepositAt: number | undefined;
  readonly firstTransferAt: number | undefined;
  readonly firstOrderAt: number | undefined;
  readonly firstFillAt: number | undefined;
  readonly firstClaimAt: number | undefined;
}

export interface DeedsPort {
  activity(account: AccountId): Promise<Deeds>;
}

interface Task {
  readonly code: string;
  readonly name: string;
  readonly doneAt: (deeds: Deeds) => number | undefined;
}

const NEWCOMER_TASKS: readonly Task[] = [
  { code: 'NEWCOMER_FAUCET', name: 'Claim from the faucet', doneAt: (deeds) => deeds.firstClaimAt },
  { code: 'NEWCOMER_DEPOSIT', name: 'First deposit', doneAt: (deeds) => deeds.firstDepositAt },
  { code: 'NEWCOMER_TRANSFER', name: 'Fund the spot wallet', doneAt: (deeds) => deeds.firstTransferAt },
  { code: 'NEWCOMER_ORDER', name: 'First spot order', doneAt: (deeds) => deeds.firstOrderAt },
  { code: 'NEWCOMER_TRADE', name: 'First spot trade', doneAt: (deeds) => deeds.firstFillAt },
];

/** The activities have not begun: nobody has done them. */
const ACTIVITIES: readonly Task[] = TASK_CODES.map((code) => ({ code, name: code, doneAt: () => undefined }));

export function taskStatuses(deeds: Deeds): TaskStatus[] {
  return [...ACTIVITIES, ...NEWCOMER_TASKS].map(({ code, doneAt }) => ({ taskCode: code, status: doneAt(deeds) === undefined ? 0 : 1 }));
}

export function countDone(deeds: Deeds): number {
  return NEWCOMER_TASKS.filter(({ doneAt }) => doneAt(deeds) !== undefined).length;
}

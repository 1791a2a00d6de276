/** Erasures as operators decide them. What is done may be asked for twice. */
import { ApiError } from '@orrery/api';
import { accountId } from '@orrery/units';
import type { Erasures } from './erasures.ts';

interface Wanted {
  readonly account: number;
  readonly abandon: boolean;
}

export interface ErasureDesk {
  /** @throws ApiError AccountNotEmpty, UnknownThing where there is no account. */
  check(wanted: Wanted): void;
  ask(wanted: Wanted): Promise<void>;
  isWaiting(account: number): Promise<boolean>;
  keep(account: number): Promise<void>;
}

export const erasureDesk = (erasures: Erasures): ErasureDesk => ({
  check: ({ account, abandon }) => erasures.check({ account: accountId(account), abandon }),
  async ask({ account, abandon }) {
    if ((await erasures.of(accountId(account))) !== undefined) return;
    await erasures.ask({ account: accountId(account), askedBy: 'OPERATORS', abandon });
  },
  isWaiting: async (account) => (await erasures.of(accountId(account))) !== undefined,
  async keep(account) {
    try {
      await erasures.keep(accountId(account));
    } catch (error) {
      if (!(error instanceof ApiError) || error.data.reason !== 'UnknownThing') throw error;
    }
  },
});

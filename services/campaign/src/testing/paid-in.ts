/** For tests: money that others paid in for accounts, which those took along to trade with. */
import { type AccountId, type Address, assetId } from '@orrery/units';
import type { MoneyPort, Payment } from '../ports.ts';
import type { FundingMinimum } from '../leaderboard/ranks.ts';

const USDC = assetId(1);
const PAID = 10_000_000_000n;
export const MINIMUMS: readonly FundingMinimum[] = [{ coin: 'USDC', atoms: 1_000_000_000n }];

export interface PaidIn {
  readonly address: Address;
  readonly counterparty: Address;
}

/** @param all is read at each call. */
export function paidIn(all: () => readonly PaidIn[], accountAt: (address: Address) => AccountId | undefined): MoneyPort {
  const payments = (): readonly Payment[] =>
    all().map((one, index) => ({ ...one, direction: 'IN', key: `paid-${index}`, asset: USDC, amount: PAID }));
  return {
    payments: () => Promise.resolve(payments()),
    internalWithdrawals: () => Promise.resolve([]),
    fundingMoves: ({ accounts }) =>
      Promise.resolve(
        payments().flatMap(({ address, key, asset, amount }) => {
          const account = accountAt(address);
          if (account === undefined || !accounts.includes(account)) return [];
          return [
            { account, asset, kind: 'DEPOSIT' as const, amount, reference: key },
            { account, asset, kind: 'TRANSFER' as const, amount: -amount, reference: 'to-spot' },
          ];
        }),
      ),
  };
}

/** What facts of quanto funds moved: money in and out of the funding wallets, and shares. */
import type { BillKind } from '@orrery/api';
import type { Event } from '@orrery/protocol';
import { type AccountId, type AssetId, type Atoms, negateAtoms, NO_ATOMS, subtractAtoms } from '@orrery/units';
import type { Movement } from './movements.ts';

export function fundMovements(event: Event): readonly Movement[] {
  switch (event.type) {
    case 'FundOpened': {
      const { fund, account, leader, asset, amount, shares } = event;
      const reference = `fund:${fund}`;
      return some(
        moved(leader, asset, 'SUBSCRIPTION', negateAtoms(amount), reference),
        moved(account, asset, 'SUBSCRIPTION', amount, reference),
        moved(leader, fund, 'SUBSCRIPTION', shares, reference),
      );
    }
    case 'FundSubscriptionQueued':
      return some(moved(event.account, event.asset, 'SUBSCRIPTION', negateAtoms(event.amount), event.subscriptionId));
    case 'FundSubscriptionReturned':
      return some(moved(event.account, event.asset, 'SUBSCRIPTION', event.amount, event.subscriptionId));
    case 'FundSubscribed': {
      const { fund, account, fundAccount, asset, amount, shares, subscriptionId } = event;
      return some(
        moved(fundAccount, asset, 'SUBSCRIPTION', amount, subscriptionId),
        moved(account, fund, 'SUBSCRIPTION', shares, subscriptionId),
      );
    }
    case 'FundRedeemed':
      return paid({ ...event, reference: event.redemptionId });
    case 'FundPaidOut':
      return paid({ ...event, reference: `fund:${event.fund}` });
    case 'FundFeeTaken':
      return fee({ ...event, fee: event.shares, reference: `fund:${event.fund}` });
    case 'FundMoneyMoved': {
      const { account, asset, amount, from, to, fund } = event;
      const common = { account, asset, kind: 'TRANSFER', reference: `fund:${fund}` } as const;
      return [
        { ...common, wallet: from, amount: negateAtoms(amount) },
        { ...common, wallet: to, amount },
      ];
    }
    case 'FundEnded':
      return some(moved(event.account, event.asset, 'REDEMPTION', negateAtoms(event.dust), `fund:${event.fund}`));
    default:
      return [];
  }
}

interface Paid {
  readonly fund: AssetId;
  readonly account: AccountId;
  readonly fundAccount: AccountId;
  readonly leader: AccountId;
  readonly asset: AssetId;
  /** With those of the fee. */
  readonly shares: Atoms;
  readonly fee: Atoms;
  readonly amount: Atoms;
  readonly reference: string;
}

const paid = (event: Paid): readonly Movement[] => {
  const { fund, account, fundAccount, asset, shares, amount, reference } = event;
  return [
    ...some(
      moved(fundAccount, asset, 'REDEMPTION', negateAtoms(amount), reference),
      moved(account, asset, 'REDEMPTION', amount, reference),
      moved(account, fund, 'REDEMPTION', negateAtoms(subtractAtoms(shares, event.fee)), reference),
    ),
    ...fee(event),
  ];
};

/** Shares that the leader has of a holder. */
const fee = ({
  fund,
  account,
  leader,
  fee: shares,
  reference,
}: Omit<Paid, 'fundAccount' | 'asset' | 'shares' | 'amount'>): readonly Movement[] =>
  some(moved(account, fund, 'PERFORMANCE_FEE', negateAtoms(shares), reference), moved(leader, fund, 'PERFORMANCE_FEE', shares, reference));

const moved = (account: AccountId, asset: AssetId, kind: BillKind, amount: Atoms, reference: string): Movement => ({
  account,
  wallet: 'funding',
  asset,
  kind,
  amount,
  reference,
});

const some = (...movements: readonly Movement[]): readonly Movement[] => movements.filter(({ amount }) => amount !== NO_ATOMS);

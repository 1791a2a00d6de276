/** What facts of contracts moved in the wallets of futures. Margin of positions and orders is a hold, and moves nothing out of a wallet. */
import type { BillKind } from '@orrery/api';
import type { Contract, Event, ReductionCause, Trade, Wallet } from '@orrery/protocol';
import { type AccountId, type Atoms, type MarketId, negateAtoms, NO_ATOMS } from '@orrery/units';
import type { Movement } from './movements.ts';

/** By what closed the position. */
const KIND_OF: Readonly<Record<ReductionCause, BillKind>> = {
  trade: 'PROFIT',
  closeAll: 'PROFIT',
  liquidation: 'LIQUIDATION',
  takeover: 'TAKEOVER',
  adl: 'DELEVERAGING',
};

export const walletOf = ({ payoff }: Pick<Contract, 'payoff'>): Wallet => (payoff === 'linear' ? 'futures' : 'coinFutures');

/** The fee of each side; a rebate is a fee that is received. */
export function contractFees(trade: Trade, contract: Contract): readonly Movement[] {
  const sides = [
    { account: trade.takerAccount, fee: trade.takerFee },
    { account: trade.makerAccount, fee: trade.makerFee },
  ];
  return sides
    .filter(({ fee }) => fee !== NO_ATOMS)
    .map(({ account, fee }) => of(contract, account, { kind: 'FEE', amount: negateAtoms(fee), reference: String(trade.tradeId) }));
}

/** Refers to what came before it in its command. */
export interface Circumstances {
  readonly contract: (market: MarketId) => Contract;
  /** The newest trade or liquidation of the command. */
  readonly reference: string;
}

export function contractMovements(event: Event, { contract, reference }: Circumstances): readonly Movement[] {
  switch (event.type) {
    case 'PositionReduced':
      return some(of(contract(event.market), event.account, { kind: KIND_OF[event.cause], amount: event.profit, reference }));
    case 'FundingPaid':
      return some(of(contract(event.market), event.account, { kind: 'FUNDING', amount: event.amount, reference: String(event.interval) }));
    case 'DeficitShared': {
      // The gain becomes real and is gone: the wallet has as much as before.
      const paid = { reference: `liquidation:${event.liquidationId}` };
      const at = contract(event.market);
      return [
        of(at, event.account, { ...paid, kind: 'PROFIT', amount: event.paid }),
        of(at, event.account, { ...paid, kind: 'DEFICIT_SHARE', amount: negateAtoms(event.paid) }),
      ];
    }
    case 'CollateralSold': {
      const common = { account: event.account, wallet: 'futures', kind: 'COLLATERAL', reference } as const;
      return [
        { ...common, asset: event.asset, amount: negateAtoms(event.amount) },
        { ...common, asset: event.settle, amount: event.proceeds },
      ];
    }
    case 'PracticeGranted': {
      const { account, asset, amount, day } = event;
      return [{ account, wallet: 'futures', asset, kind: 'PRACTICE', amount, reference: String(day) }];
    }
    default:
      return [];
  }
}

const some = (movement: Movement): readonly Movement[] => (movement.amount === NO_ATOMS ? [] : [movement]);

const of = (
  contract: Contract,
  account: AccountId,
  { kind, amount, reference }: { kind: BillKind; amount: Atoms; reference: string },
): Movement => ({
  account,
  wallet: walletOf(contract),
  asset: contract.settle,
  kind,
  amount,
  reference,
  market: contract.market,
});

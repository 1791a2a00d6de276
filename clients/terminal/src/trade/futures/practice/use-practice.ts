/** Practice contracts: which they are, and what an account has in the one in view. */
import { useContractAccount } from '../../../platform/data/streams/use-account.ts';
import { useData } from '../../../platform/data/use-data.ts';
import { useSignedIn } from '../../shared/account.ts';
import { useContractPositions, useMarginAccount } from '../account.ts';
import type { ContractMarket } from '../../../market/contract-market.ts';
import { practiceSteps, type PracticeStep } from './practice-steps.ts';

export interface Practice {
  readonly steps: readonly PracticeStep[];
  /** The last one here. */
  readonly liquidationId: string | undefined;
  readonly hasPosition: boolean;
}

const isSome = (amount: string | undefined): boolean => amount !== undefined && /[1-9]/.test(amount);

export function usePractice(market: ContractMarket): Practice {
  const when = useSignedIn();
  const account = useMarginAccount(market);
  const positions = useContractPositions(market);
  const liquidations = useData({
    name: 'liquidations',
    input: { query: { symbol: market.wire, page: 1, size: 1 } },
    of: 'account',
    when,
  }).value;
  const fresh = useContractAccount('liquidations').value?.find(({ symbol }) => symbol === market.wire);
  const liquidationId = (fresh ?? liquidations?.items[0])?.liquidationId;
  const hasPosition = positions?.some(({ positionSize }) => isSome(positionSize)) === true;
  const steps = practiceSteps({ hasMoney: isSome(account?.walletBalance), hasPosition, wasLiquidated: liquidationId !== undefined });
  return { steps, liquidationId, hasPosition };
}

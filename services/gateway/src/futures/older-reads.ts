/** What the older web client reads, from the same views as the calls of today. */
import { ApiError, type Handlers, type olderReadRoutes, type Principal } from '@orrery/api';
import { addAtoms, parseAtoms, printAtoms, NO_ATOMS, type AccountId } from '@orrery/units';
import type { Floor } from '../floor.ts';
import { symbolInfo } from '../market-data/listing.ts';
import { estimateBy } from '../orders/estimate.ts';
import type { ReadBarrier } from '../orders/read-barrier.ts';
import { futuresSymbol } from './contract-listing.ts';
import { futuresBalancesOf, linearAccountOf } from './futures-account.ts';
import { openOrdersText, type FuturesOrderPorts } from './futures-orders.ts';
import { positionsOf } from './position-text.ts';

const ESTIMATE_DECIMALS = 6;

export function olderReadHandlers(ports: Omit<FuturesOrderPorts, 'desk'>): Handlers<typeof olderReadRoutes> {
  const { floor, barrier } = ports;
  const listedFutures = () => floor.contracts.contracts().map((listed) => futuresSymbol(floor, listed));
  return {
    listedSymbols: () => ({ spot: floor.markets.markets().map((listed) => symbolInfo(floor, listed)), futures: listedFutures() }),
    listedFutures,
    async olderBalances({ principal, query }) {
      const account = await ownAccount(barrier, principal, query);
      return spotOf(floor, account);
    },
    async olderFuturesAccount({ principal, query }) {
      const account = await ownAccount(barrier, principal, query);
      const margin = linearAccountOf(floor, account);
      return {
        positions: positionsOf(floor, account, undefined),
        balances: futuresBalancesOf(floor, account),
        isolatedMargin: margin?.isolatedMargin ?? '0',
        crossMargin: margin?.initialMargin ?? null,
        availableMarginForIsolated: margin?.availableBalance ?? null,
        availableMarginForCross: margin?.availableBalance ?? null,
      };
    },
    async olderFuturesOrders({ principal, query }) {
      const account = await ownAccount(barrier, principal, query);
      return openOrdersText(ports, account, query.symbol);
    },
  };
}

/** Another account is as unknown as one that never was. */
async function ownAccount(
  barrier: ReadBarrier,
  { account }: Principal,
  { accountId, minSeq }: { readonly accountId?: string; readonly minSeq?: number },
): Promise<AccountId> {
  if (accountId !== undefined && accountId !== String(account)) throw new ApiError('UnknownAccount', { field: 'accountId' });
  await barrier.views(minSeq);
  return account;
}

function spotOf(floor: Floor, account: AccountId) {
  const estimate = estimateBy(floor);
  let total = NO_ATOMS;
  const spotBalance = floor.markets
    .assets()
    .filter(({ kind }) => kind === 'chain')
    .map((asset) => {
      const { free, held } = floor.balances.get({ account, wallet: 'spot', asset: asset.asset });
      const balance = addAtoms(free, held);
      const worth = parseAtoms(estimate(balance, asset) ?? '0', ESTIMATE_DECIMALS);
      if (worth !== undefined) total = addAtoms(total, worth);
      return { coin: asset.code, balance: printAtoms(balance, asset.decimals), availableBalance: printAtoms(free, asset.decimals) };
    });
  return { spotBalance, totalUsdtAmount: printAtoms(total, ESTIMATE_DECIMALS) };
}

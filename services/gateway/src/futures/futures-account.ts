/** The calls of a futures account: positions and their terms, balances, bills, funding, fee tier. */
import { randomUUID } from 'node:crypto';
import {
  ApiError,
  type Caller,
  type CollateralValue,
  type FuturesBalance,
  type futuresAccountRoutes,
  type futuresPositionRoutes,
  type Handlers,
  type MarginAccount,
  type Principal,
  type StepRate,
} from '@orrery/api';
import { type Asset, type Command, type MarginGroup, type MarginMode, type PositionMode } from '@orrery/protocol';
import { FEE_TIERS, feeRates, marginGroupOf } from '@orrery/rules';
import {
  addAtoms,
  atoms,
  NO_ATOMS,
  NO_TICKS,
  parseAtoms,
  printAtoms,
  printDecimal,
  printTicks,
  type AccountId,
  type AssetId,
  type Atoms,
} from '@orrery/units';
import { marginFigures, mayTrade, WALLET_OF, type MarginFigures } from '@orrery/views';
import type { Floor } from '../floor.ts';
import { ratio } from '../market-data/listing.ts';
import { estimateBy } from '../orders/estimate.ts';
import { offGrid } from '../orders/parse-order.ts';
import { rangeOf } from '../orders/orders.ts';
import type { ReadBarrier } from '../orders/read-barrier.ts';
import type { ContractHistory } from '../ports.ts';
import { contractNamed, GROUPS_OF, settleOf, shareOf, UNDERLYINGS } from './contract-listing.ts';
import type { FuturesDesk } from './futures-desk.ts';
import { marketOf } from './futures-orders.ts';
import { cursorRangeOf, numbered, pageOf, slotOf } from './paging.ts';
import { POSITION_SIDES } from './parse-contract-order.ts';
import { adlRanksOf, positionsOf } from './position-text.ts';

export interface FuturesAccountPorts {
  readonly desk: FuturesDesk;
  readonly floor: Floor;
  readonly contractHistory: ContractHistory;
  readonly barrier: ReadBarrier;
  readonly now: () => number;
}

const MODES = { CROSSED: 'cross', ISOLATED: 'isolated' } as const satisfies Record<string, MarginMode>;
const POSITION_MODES = { ONE_WAY: 'oneWay', HEDGE: 'hedge' } as const satisfies Record<string, PositionMode>;
const MODE_NAMES = { oneWay: 'ONE_WAY', hedge: 'HEDGE' } as const satisfies Record<PositionMode, MarginAccount['positionMode']>;

export function positionHandlers({ desk, floor, contractHistory, barrier }: FuturesAccountPorts): Handlers<typeof futuresPositionRoutes> {
  const give = async (caller: Caller, command: Command): Promise<true> => {
    caller.committed((await desk.give(command)).seq);
    return true;
  };
  const placeOf = (principal: Principal, body: { symbol: string; positionSide?: 'BOTH' | 'LONG' | 'SHORT' }) => ({
    account: principal.account,
    market: contractNamed(floor, body.symbol).contract.market,
    positionSide: POSITION_SIDES[body.positionSide ?? 'BOTH'],
  });
  return {
    async positions({ principal, query }) {
      await barrier.views(query.minSeq);
      return positionsOf(floor, principal.account, query.symbol === undefined ? undefined : contractNamed(floor, query.symbol));
    },
    async adlRanks({ principal, query }) {
      await barrier.views(query.minSeq);
      return adlRanksOf(floor, principal.account);
    },
    async positionHistory({ principal, query }) {
      await barrier.history(query.minSeq);
      const slice = { account: principal.account, ...slotOf(query), ...rangeOf(query), ...marketOf(floor, query.symbol) };
      return numbered(contractHistory.closedPositions(slice), query);
    },
    async liquidations({ principal, query }) {
      await barrier.history(query.minSeq);
      const slice = { account: principal.account, ...slotOf(query), ...rangeOf(query), ...marketOf(floor, query.symbol) };
      return numbered(contractHistory.liquidations(slice), query);
    },
    adjustLeverage: ({ principal, body, caller }) =>
      give(caller, { type: 'SetLeverage', ...placeOf(principal, body), leverage: body.leverage }),
    changePositionType({ principal, body, caller }) {
      const { account, market } = placeOf(principal, body);
      return give(caller, { type: 'SetMarginMode', account, market, mode: MODES[body.positionType] });
    },
    changePositionMode: ({ principal, body, caller }) =>
      give(caller, {
        type: 'SetPositionMode',
        account: principal.account,
        payoff: GROUPS_OF[body.underlyingType ?? 'U_BASED'],
        mode: POSITION_MODES[body.positionMode],
      }),
    adjustPositionMargin({ principal, body, caller }) {
      const { decimals } = settleOf(floor, contractNamed(floor, body.symbol).contract);
      const amount = parseAtoms(body.margin, decimals);
      if (amount === undefined || amount === NO_ATOMS) throw offGrid('margin', decimals);
      return give(caller, {
        type: 'AdjustMargin',
        ...placeOf(principal, body),
        direction: body.type === 'ADD' ? 'add' : 'remove',
        amount,
        key: body.key ?? randomUUID(),
      });
    },
    setAutoMargin: ({ principal, body, caller }) =>
      give(caller, { type: 'SetAutoMargin', ...placeOf(principal, body), value: body.autoMargin }),
  };
}

export function futuresAccountHandlers(ports: FuturesAccountPorts): Handlers<typeof futuresAccountRoutes> {
  const { floor, contractHistory, barrier, now } = ports;
  return {
    async futuresAccount({ principal: { account }, query }) {
      await barrier.views(query.minSeq);
      const state = floor.accounts.account(account);
      const scheduled = floor.positions.scheduledCancel(account);
      return {
        accountId: String(account),
        userId: String(account),
        feeTier: floor.positions.feeTier(account).tier,
        allowTrade: state !== undefined && mayTrade(state),
        scheduledCancelTime: scheduled === 0 ? null : scheduled,
        accounts: marginAccountsOf(floor, account),
      };
    },
    async futuresBalances({ principal, query }) {
      await barrier.views(query.minSeq);
      return futuresBalancesOf(floor, principal.account);
    },
    async futuresBalance({ principal, query }) {
      await barrier.views(query.minSeq);
      const underlyingType = query.underlyingType ?? 'U_BASED';
      const found = futuresBalancesOf(floor, principal.account).find(
        (balance) => balance.coin === query.coin && balance.underlyingType === underlyingType,
      );
      if (found === undefined) throw new ApiError('UnknownAsset', { field: 'coin' });
      return found;
    },
    async futuresBills({ principal, query }) {
      await barrier.history(query.minSeq);
      const { coin, type } = query;
      return pageOf(
        await contractHistory.bills({
          account: principal.account,
          ...cursorRangeOf(query),
          ...marketOf(floor, query.symbol),
          ...(coin === undefined ? {} : { coin }),
          ...(type === undefined ? {} : { type }),
        }),
      );
    },
    async fundingPayments({ principal, query }) {
      await barrier.history(query.minSeq);
      const slice = { account: principal.account, ...cursorRangeOf(query), ...marketOf(floor, query.symbol) };
      return pageOf(await contractHistory.fundingPayments(slice));
    },
    async stepRate({ principal }) {
      return stepRateOf(floor, principal.account, await contractHistory.tierVolume(principal.account, now()));
    },
  };
}

/** A margin group and a settle asset that contracts have: what one margin account is. */
interface AccountKind {
  readonly group: MarginGroup;
  readonly settle: AssetId;
}

function kindsOf(floor: Floor): AccountKind[] {
  const kinds = new Map<string, AccountKind>();
  for (const { contract } of floor.contracts.contracts()) {
    const { settle } = contract;
    const group = marginGroupOf(contract);
    kinds.set(`${group} ${settle}`, { group, settle });
  }
  return [...kinds.values()];
}

/** One for each kind of contracts that are listed. */
export const marginAccountsOf = (floor: Floor, account: AccountId): MarginAccount[] =>
  kindsOf(floor).map((kind) => marginAccountOf(floor, account, kind));

/** That of contracts which are settled in a stable coin; undefined while there are none. */
export function linearAccountOf(floor: Floor, account: AccountId): MarginAccount | undefined {
  const kind = kindsOf(floor).find(({ group }) => group === 'linear');
  return kind === undefined ? undefined : marginAccountOf(floor, account, kind);
}

export function marginAccountOf(floor: Floor, account: AccountId, { group, settle }: AccountKind): MarginAccount {
  const asset = floor.asset(settle);
  const { free, held } = floor.balances.get({ account, wallet: WALLET_OF[group], asset: settle });
  const figures = marginFigures(floor, { account, group, settle, at: floor.at });
  const money = (amountOf: (known: MarginFigures) => Atoms): string | null =>
    figures === undefined ? null : printAtoms(amountOf(figures), asset.decimals);
  const isolated = floor.positions.of(account).filter(({ market }) => {
    const contract = floor.contracts.contract(market)?.contract;
    return contract !== undefined && marginGroupOf(contract) === group && contract.settle === settle;
  });
  return {
    underlyingType: UNDERLYINGS[group],
    settleCoin: asset.code,
    positionMode: MODE_NAMES[floor.positions.positionMode(account, group)],
    walletBalance: printAtoms(addAtoms(free, held), asset.decimals),
    collateralValue: money(({ collateralValue }) => collateralValue),
    collaterals: collateralsOf(floor, figures, asset.decimals),
    unrealizedProfit: money(({ unrealized }) => unrealized),
    crossedUnrealizedProfit: money(({ crossUnrealized }) => crossUnrealized),
    equity: money(({ equity }) => equity),
    initialMargin: money(({ initial }) => initial),
    openOrderMarginFrozen: money(({ orderInitial }) => orderInitial),
    maintenanceMargin: money(({ maintenance }) => maintenance),
    isolatedMargin: printAtoms(
      isolated.reduce((sum, { margin }) => addAtoms(sum, margin), NO_ATOMS),
      asset.decimals,
    ),
    availableBalance: money(({ available }) => available),
    transferableBalance: money(({ transferable }) => transferable),
    marginRatio: figures === undefined || figures.equity <= 0n ? null : shareOf(figures.maintenance, figures.equity),
  };
}

function collateralsOf(floor: Floor, figures: MarginFigures | undefined, decimals: number): CollateralValue[] {
  return (figures?.collaterals ?? []).map(({ asset, code, amount, price, pricePrecision, ratioPpm, worth }) => ({
    coin: code,
    amount: printAtoms(amount, floor.asset(asset).decimals),
    price: price === NO_TICKS ? null : printTicks(price, pricePrecision),
    ratio: ratio(ratioPpm),
    value: printAtoms(worth, decimals),
  }));
}

/** What each kind is settled in, then what else counts for linear contracts or lies there. */
export function futuresBalancesOf(floor: Floor, account: AccountId): FuturesBalance[] {
  const kinds = kindsOf(floor);
  const settled = kinds.map((kind) => settledBalance(floor, account, kind));
  const others = floor.contracts
    .collaterals()
    .filter(({ asset }) => !kinds.some(({ group, settle }) => group === 'linear' && settle === asset))
    .map(({ asset, ratioPpm }) => collateralBalance(floor, account, { asset: floor.asset(asset), collateralRatio: ratio(ratioPpm) }));
  return [...settled, ...others];
}

function settledBalance(floor: Floor, account: AccountId, { group, settle }: AccountKind): FuturesBalance {
  const asset = floor.asset(settle);
  const { free, held } = floor.balances.get({ account, wallet: WALLET_OF[group], asset: settle });
  const figures = marginFigures(floor, { account, group, settle, at: floor.at });
  const print = (amount: Atoms): string => printAtoms(amount, asset.decimals);
  const isolated = figures?.isolatedMargin ?? NO_ATOMS;
  const total = addAtoms(free, held);
  return {
    coin: asset.code,
    underlyingType: UNDERLYINGS[group],
    walletBalance: print(total),
    openOrderMarginFrozen: print(addAtoms(figures?.orderInitial ?? NO_ATOMS, atoms(held > isolated ? held - isolated : 0n))),
    isolatedMargin: print(isolated),
    crossedMargin: print(atoms((figures?.initial ?? 0n) - (figures?.orderInitial ?? 0n))),
    availableBalance: print(figures?.available ?? NO_ATOMS),
    transferableBalance: print(figures?.transferable ?? NO_ATOMS),
    collateralRatio: '1',
    estimatedValue: estimateBy(floor)(total, asset) ?? null,
    bonus: '0',
    coupon: '0',
  };
}

function collateralBalance(
  floor: Floor,
  account: AccountId,
  { asset, collateralRatio }: { asset: Asset; collateralRatio: string },
): FuturesBalance {
  const { free, held } = floor.balances.get({ account, wallet: 'futures', asset: asset.asset });
  const total = addAtoms(free, held);
  return {
    coin: asset.code,
    underlyingType: 'U_BASED',
    walletBalance: printAtoms(total, asset.decimals),
    openOrderMarginFrozen: '0',
    isolatedMargin: '0',
    crossedMargin: '0',
    availableBalance: printAtoms(free, asset.decimals),
    transferableBalance: printAtoms(free, asset.decimals),
    collateralRatio,
    estimatedValue: estimateBy(floor)(total, asset) ?? null,
    bonus: '0',
    coupon: '0',
  };
}

const VOLUME_COIN = 'USDC';

/** By the first contract: all have the rates of tier 0 in common. */
function stepRateOf(floor: Floor, account: AccountId, volume: Atoms): StepRate {
  const [first] = floor.contracts.contracts();
  if (first === undefined) throw new ApiError('UnknownMarket');
  const { tier, rebateTier } = floor.positions.feeTier(account);
  const rates = (of: number, rebate: number) => {
    const { makerFeePpm, takerFeePpm } = feeRates(first.contract, of, rebate);
    return { makerFee: printDecimal(BigInt(makerFeePpm), 6), takerFee: ratio(takerFeePpm) };
  };
  const tiers = [0n, ...FEE_TIERS.map(({ above }) => above)].map((above, index) => ({
    tier: index,
    minVolume: String(above),
    ...rates(index, 0),
  }));
  const decimals = floor.markets.assetByCode(VOLUME_COIN)?.decimals ?? 0;
  return { tier, rebateTier, ...rates(tier, rebateTier), volume: printAtoms(volume, decimals), tiers };
}

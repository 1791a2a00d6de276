/** Money of an account: balances from memory, transfers and withdrawals as commands, what was from history. */
import { randomUUID } from 'node:crypto';
import {
  ApiError,
  type Balance,
  type balanceRoutes,
  type billRoutes,
  type Call,
  type Handlers,
  type Principal,
  type transferRoutes,
  type withdrawalRoutes,
  type WithdrawalCaps,
  type WithdrawRequest,
} from '@orrery/api';
import { WALLETS, type Asset, type Heart, type Receipt, type Wallet } from '@orrery/protocol';
import { millis, parseAddress, parseAtoms, printDecimal, type AccountId, type Address, type Atoms, type Millis } from '@orrery/units';
import type { Floor } from '../floor.ts';
import { rangeOf } from './orders.ts';
import type { Authenticator, History, PageOf } from '../ports.ts';
import type { ReadBarrier } from './read-barrier.ts';
import { tookEffect } from './receipt.ts';
import { balanceOf } from '../market-data/wire.ts';
import { estimateBy } from './estimate.ts';
import { WithdrawalQuotas } from './withdrawal-quotas.ts';

const PAGE_SIZE_DEFAULT = 10;
/** More than an account may make in a day. */
const RECENT_WITHDRAWALS = 20;
const NO_ADDRESS = '0x0000000000000000000000000000000000000000';

export interface AssetPorts {
  readonly heart: Heart;
  readonly floor: Floor;
  readonly history: History;
  readonly barrier: ReadBarrier;
  readonly authenticator: Authenticator;
  /** The exchange's own contracts: money sent there would be lost. */
  readonly contracts: ReadonlySet<Address>;
  /** USDC within 24 hours, as decimals, from level 1 on; empty: none. */
  readonly withdrawalQuotas?: readonly string[];
  readonly now: () => number;
}

type AssetTable = typeof balanceRoutes & typeof transferRoutes & typeof billRoutes & typeof withdrawalRoutes;

export const assetHandlers = (ports: AssetPorts): Handlers<AssetTable> => {
  const { heart, floor, history, barrier } = ports;
  const quotas = new WithdrawalQuotas({ ...ports, quotas: ports.withdrawalQuotas ?? [], at: () => timeOf(floor, ports.now) });
  return {
    async spotBalances({ principal, query }) {
      await barrier.views(query.minSeq);
      return balances(floor, principal.account, { wallets: ['spot'], coin: query.coin });
    },

    async balances({ principal, query }) {
      await barrier.views(query.minSeq);
      return balances(floor, principal.account, { wallets: query.account === undefined ? WALLETS : [query.account], coin: query.coin });
    },

    async transfer({ principal, body, caller }) {
      await checkTerms(ports, principal);
      const { asset, amount } = moneyOf(floor, body);
      const transferId = body.transferId ?? randomUUID();
      const receipt = tookEffect(
        floor,
        await heart.submit({
          type: 'Transfer',
          account: principal.account,
          transferId,
          asset: asset.asset,
          amount,
          from: body.from,
          to: body.to,
        }),
      );
      caller.committed(receipt.seq);
      return { transferId };
    },

    async transfers({ principal, query }) {
      await barrier.history(query.minSeq);
      return list(history.transfers({ account: principal.account, ...pageOf(query), ...coinOf(query) }));
    },

    async bills({ principal, query }) {
      await barrier.history(query.minSeq);
      return list(
        history.bills({
          account: principal.account,
          ...pageOf(query),
          ...coinOf(query),
          ...rangeOf(query),
          ...(query.account === undefined ? {} : { wallet: query.account }),
          ...(query.type === undefined ? {} : { kind: query.type }),
          ...(query.reference === undefined ? {} : { reference: query.reference }),
        }),
      );
    },

    withdrawalCaps: () => capsOf(ports),

    async withdrawalQuota({ principal, query }) {
      await barrier.views(query.minSeq);
      return quotas.show(principal.account);
    },

    withdraw: (call) => withdraw({ ...ports, quotas }, call),

    async withdrawals({ principal, query }) {
      await barrier.history(query.minSeq);
      return list(history.withdrawals({ account: principal.account, ...pageOf(query), ...coinOf(query) }));
    },
  };
};

/** Every coin of every wallet asked for, empty ones too; points and the like are no money. */
function balances(floor: Floor, account: AccountId, asked: { wallets: readonly Wallet[]; coin: string | undefined }): Balance[] {
  const assets = asked.coin === undefined ? floor.markets.assets().filter(({ kind }) => kind === 'chain') : [coinNamed(floor, asked.coin)];
  const estimate = estimateBy(floor);
  return asked.wallets.flatMap((wallet) =>
    assets.map((asset) => balanceOf(floor.balances.get({ account, wallet, asset: asset.asset }), asset, estimate)),
  );
}

function coinNamed(floor: Floor, code: string): Asset {
  const asset = floor.markets.assetByCode(code);
  if (asset === undefined || asset.kind !== 'chain') throw new ApiError('UnknownAsset', { field: 'coin' });
  return asset;
}

function moneyOf(floor: Floor, { coin, amount }: { coin: string; amount: string }): { asset: Asset; amount: Atoms } {
  const asset = coinNamed(floor, coin);
  const parsed = parseAtoms(amount, asset.decimals);
  if (parsed === undefined || parsed === 0n) {
    throw new ApiError('MalformedField', {
      field: 'amount',
      message: `amount must be above zero and have at most ${asset.decimals} decimals`,
    });
  }
  return { asset, amount: parsed };
}

async function withdraw(
  ports: AssetPorts & { readonly quotas: WithdrawalQuotas },
  { principal, body, caller }: Call<typeof withdrawalRoutes.withdraw>,
): Promise<{ withdrawalId: string }> {
  await checkTerms(ports, principal);
  const { account } = principal;
  const { asset, amount } = moneyOf(ports.floor, body);
  const to = receiverOf(ports, body);
  const withdrawalId = body.withdrawalId.toLowerCase();
  await ports.quotas.check({ account, withdrawalId, asset, amount });
  try {
    await ports.authenticator.checkWithdrawal({ principal, origin: caller.origin, request: body });
  } catch (error) {
    const isUsed = error instanceof ApiError && error.data.reason === 'InvalidNonce';
    if (isUsed && (await isTaken(ports, { account, withdrawalId, asset, amount, to }))) return { withdrawalId };
    throw error;
  }
  const recipient = ports.floor.accounts.accountOf(to);
  const isInternal = recipient !== undefined && recipient.account !== account;
  const type = isInternal ? 'WithdrawInternally' : 'RequestWithdrawal';
  const quota = ports.quotas.termsOf({ account, asset, amount });
  const receipt = await ports.heart.submit({ type, account, withdrawalId, asset: asset.asset, amount, to, ...quota });
  await ports.quotas.checkReceipt(account, receipt);
  await checkCaps(ports, receipt, { asset, amount });
  caller.committed(tookEffect(ports.floor, receipt).seq);
  return { withdrawalId };
}

/** Of the coins that have caps. */
function capsOf({ floor, now }: AssetPorts): WithdrawalCaps[] {
  return floor.markets.assets().flatMap(({ asset, code, decimals }) => {
    const caps = floor.withdrawalCaps.of(asset, timeOf(floor, now));
    if (caps === undefined) return [];
    const print = (amount: Atoms): string => printDecimal(amount, decimals);
    const { hourly, hourlyLeft, daily, dailyLeft } = caps;
    return [{ coin: code, hourlyCap: print(hourly), hourlyLeft: print(hourlyLeft), dailyCap: print(daily), dailyLeft: print(dailyLeft) }];
  });
}

/** The journal's time never runs backwards: the wall clock may be behind it. */
const timeOf = (floor: Floor, now: () => number): Millis => millis(Math.max(now(), floor.at));

/** The engine says which cap is exceeded; how much it leaves is in the views. */
async function checkCaps(
  { floor, barrier }: AssetPorts,
  { seq, at, events: [first] }: Receipt,
  { asset, amount }: { readonly asset: Asset; readonly amount: Atoms },
): Promise<void> {
  if (first?.type !== 'CommandRejected') return;
  const { reason, field } = first;
  if (reason !== 'HourlyCapExceeded' && reason !== 'DailyCapExceeded') return;
  await barrier.views(seq);
  const caps = floor.withdrawalCaps.of(asset.asset, at);
  if (caps === undefined) return;
  const [cap, left] = reason === 'HourlyCapExceeded' ? ['hourly', caps.hourlyLeft] : ['daily', caps.dailyLeft];
  const message = `the ${cap} withdrawal cap leaves ${printDecimal(left, asset.decimals)} ${asset.code}`;
  const figures = { asked: printDecimal(amount, asset.decimals), limit: printDecimal(left, asset.decimals), unit: asset.code };
  throw new ApiError(reason, { field, figures, message });
}

/** As for an order: no money moves before the terms are accepted. A view that is behind is waited for. */
async function checkTerms({ floor, barrier }: AssetPorts, { account }: Principal): Promise<void> {
  const hasAccepted = (): boolean => floor.accounts.account(account)?.flags.termsAccepted === true;
  if (hasAccepted()) return;
  await barrier.latest();
  if (!hasAccepted()) throw new ApiError('TermsNotAccepted', { field: 'account' });
}

interface WithdrawalWish {
  readonly account: AccountId;
  readonly withdrawalId: string;
  readonly asset: Asset;
  readonly amount: Atoms;
  readonly to: Address;
}

/** Whether exactly this is among the account's newest withdrawals: then the call is the repetition of one whose answer was lost. */
async function isTaken(
  { heart, history, barrier }: AssetPorts,
  { account, withdrawalId, asset, amount, to }: WithdrawalWish,
): Promise<boolean> {
  await barrier.history(await heart.end());
  const { items } = await history.withdrawals({ account, page: 1, size: RECENT_WITHDRAWALS });
  return items.some(
    (taken) =>
      taken.withdrawalId === withdrawalId &&
      taken.coin === asset.code &&
      parseAtoms(taken.amount, asset.decimals) === amount &&
      parseAddress(taken.to) === to,
  );
}

/** Where money can be sent: not nowhere, not to ourselves, not to those who are blocked. */
function receiverOf({ floor, contracts }: AssetPorts, { to }: WithdrawRequest): Address {
  const address = parseAddress(to);
  if (address === undefined || address === NO_ADDRESS || contracts.has(address)) throw new ApiError('MalformedField', { field: 'to' });
  if (floor.accounts.accountOf(address)?.flags.blocked === true) throw new ApiError('AddressBlocked', { field: 'to' });
  return address;
}

const pageOf = ({ page, pageSize, id }: { page?: number; pageSize?: number; id?: string }) => ({
  page: page ?? 1,
  size: pageSize ?? PAGE_SIZE_DEFAULT,
  ...(id === undefined ? {} : { id }),
});
const coinOf = ({ coin }: { coin?: string }) => (coin === undefined ? {} : { coin });

async function list<Item>(answer: Promise<PageOf<Item>>): Promise<{ list: Item[]; total: number; next: string | null }> {
  const { items, total, next } = await answer;
  return { list: [...items], total, next };
}

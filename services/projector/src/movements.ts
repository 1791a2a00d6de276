/** What each fact moved: the bills of an account add up to the change of its balances. Holds move nothing out of a wallet. */
import type { BillKind } from '@orrery/api';
import type { CoinFuturesSuspended, DepositSuspended, DepositWrittenOff, Event, Market, Side, Trade, Wallet } from '@orrery/protocol';
import { baseAmount } from '@orrery/rules';
import {
  type AccountId,
  type AdvertisementId,
  type AssetId,
  type Atoms,
  type MarketId,
  negateAtoms,
  NO_ATOMS,
  type OtcOrderId,
} from '@orrery/units';

export interface Movement {
  readonly account: AccountId;
  readonly wallet: Wallet;
  readonly asset: AssetId;
  readonly kind: BillKind;
  /** Below 0 where it left. */
  readonly amount: Atoms;
  /** Of the trade, transfer, deposit, withdrawal, award, liquidation or OTC order, or the end of the funding interval; of what a trade realised, that trade. */
  readonly reference: string;
  /** The contract it came from. */
  readonly market?: MarketId;
}

export const opposite = (side: Side): Side => (side === 'buy' ? 'sell' : 'buy');

/** All but those of contracts. */
export function movementsOf(event: Event, marketOf: (event: Trade) => Market): readonly Movement[] {
  switch (event.type) {
    case 'DepositCredited':
      return event.suspended || event.amount === NO_ATOMS
        ? []
        : [{ ...place(event, 'funding'), kind: 'DEPOSIT', amount: event.amount, reference: event.key }];
    case 'DepositSuspended':
      return suspendedParts(event);
    case 'CoinFuturesSuspended':
      return [suspendedPart(event, 'coinFutures', event.amount)];
    case 'DepositWrittenOff':
      return writtenOffParts(event);
    case 'Transferred':
      return [
        { ...place(event, event.from), kind: 'TRANSFER', amount: negateAtoms(event.amount), reference: event.transferId },
        { ...place(event, event.to), kind: 'TRANSFER', amount: event.amount, reference: event.transferId },
      ];
    case 'WithdrawalPosted':
      return [{ ...place(event, 'funding'), kind: 'WITHDRAW', amount: negateAtoms(event.amount), reference: event.withdrawalId }];
    case 'WithdrawnInternally': {
      const { account, recipient, asset, amount, withdrawalId: reference } = event;
      return [
        { ...place({ account, asset }, 'funding'), kind: 'INTERNAL', amount: negateAtoms(amount), reference },
        { ...place({ account: recipient, asset }, 'funding'), kind: 'INTERNAL', amount, reference },
      ];
    }
    case 'Awarded':
      return [{ ...place(event, 'funding'), kind: 'AWARD', amount: event.amount, reference: event.key }];
    case 'AwardReversed':
      return [{ ...place(event, 'funding'), kind: 'AWARD_REVERSAL', amount: negateAtoms(event.amount), reference: event.awardKey }];
    case 'AdvertisementPublished':
      return event.side === 'sell' ? [otc(event.account, event.asset, negateAtoms(event.available), advertisementOf(event))] : [];
    case 'OtcOrderCreated':
      return event.seller === event.taker ? [otc(event.seller, event.asset, negateAtoms(event.amount), otcOrderOf(event))] : [];
    case 'OtcOrderStepped':
      return event.status === 'RELEASED' ? [otc(event.buyer, event.asset, event.amount, otcOrderOf(event))] : [];
    case 'MerchantDepositReturned':
      return [otc(event.account, event.asset, event.amount, MERCHANT)];
    case 'MerchantDepositPaid':
      return [otc(event.recipient, event.asset, event.amount, otcOrderOf(event))];
    case 'Trade':
      return [...sideOf(event, marketOf(event), 'taker'), ...sideOf(event, marketOf(event), 'maker')];
    default:
      return [];
  }
}

/** From or into the escrow of OTC trading. */
const otc = (account: AccountId, asset: AssetId, amount: Atoms, reference: string): Movement => ({
  ...place({ account, asset }, 'funding'),
  kind: 'OTC',
  amount,
  reference,
});

const otcOrderOf = ({ order }: { readonly order: OtcOrderId }): string => `otc:${order}`;
const advertisementOf = ({ advertisement }: { readonly advertisement: AdvertisementId }): string => `advertisement:${advertisement}`;

const MERCHANT = 'merchant';

/**
 * What may have given coins back, or taken more, by itself or not: a changed advertisement, an order that ended without a release. The balance says
 * what it was. @returns the reference of the bill
 */
export function otcReturnOf(event: Event): string | undefined {
  if (event.type === 'AdvertisementChanged') return advertisementOf(event);
  // It says what lies there then: one that has paid is filled up by less.
  if (event.type === 'MerchantDeposited') return MERCHANT;
  return event.type === 'OtcOrderStepped' && event.status !== 'RELEASED' ? otcOrderOf(event) : undefined;
}

function suspendedParts(event: DepositSuspended): readonly Movement[] {
  const parts = [
    suspendedPart(event, 'funding', event.fromFunding),
    suspendedPart(event, 'spot', event.fromSpot),
    suspendedPart(event, 'futures', event.fromFutures),
  ];
  return parts.filter(({ amount }) => amount < NO_ATOMS);
}

const suspendedPart = (event: DepositSuspended | CoinFuturesSuspended, wallet: Wallet, amount: Atoms): Movement => ({
  ...place(event, wallet),
  kind: 'DEPOSIT_SUSPENDED',
  amount: negateAtoms(amount),
  reference: event.key,
});

/** What the account still had; what lay in suspense had left its wallets before. */
function writtenOffParts(event: DepositWrittenOff): readonly Movement[] {
  const part = (wallet: Wallet, amount: Atoms): Movement => ({
    ...place(event, wallet),
    kind: 'DEPOSIT_WRITTEN_OFF',
    amount: negateAtoms(amount),
    reference: event.key,
  });
  const parts = [
    part('funding', event.fromFunding),
    part('spot', event.fromSpot),
    part('futures', event.fromFutures),
    part('coinFutures', event.fromCoinFutures),
  ];
  return parts.filter(({ amount }) => amount < NO_ATOMS);
}

const place = ({ account, asset }: { account: AccountId; asset: AssetId }, wallet: Wallet) => ({ account, asset, wallet });

/** What was given, what was received, and the fee on what was received. */
function sideOf(trade: Trade, market: Market, role: 'taker' | 'maker'): readonly Movement[] {
  const account = role === 'taker' ? trade.takerAccount : trade.makerAccount;
  const fee = role === 'taker' ? trade.takerFee : trade.makerFee;
  const side: Side = role === 'taker' ? trade.takerSide : opposite(trade.takerSide);
  const base = { asset: market.base, amount: baseAmount(trade.size, market) };
  const quote = { asset: market.quote, amount: trade.notional };
  const [given, received] = side === 'buy' ? [quote, base] : [base, quote];
  const common = { account, wallet: 'spot', reference: String(trade.tradeId) } as const;
  const moved: readonly Movement[] = [
    { ...common, ...given, kind: 'TRADE', amount: negateAtoms(given.amount) },
    { ...common, ...received, kind: 'TRADE' },
  ];
  return fee > 0n ? [...moved, { ...common, asset: received.asset, kind: 'FEE', amount: negateAtoms(fee) }] : moved;
}

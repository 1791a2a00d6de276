/** The account in view as its streams have it, spot and contracts alike: how fresh each is says its own stream. */
import type { Balance } from '@orrery/api';
import { useSyncExternalStore } from 'react';
import type { AccountView } from '../../feed/account-store.ts';
import { browserFeed } from '../../feed/browser-feed.ts';
import type { ContractAccountView } from '../../feed/contract-account-store.ts';
import type { StreamKind } from '../../feed/messages.ts';
import type { Loaded } from '../../../kit/ui/loaded.ts';
import { healthIn } from './healths.ts';
import { streamedOf } from './streamed.ts';

function useOwn<Value>(kind: StreamKind, value: Value | undefined): Loaded<Value> {
  const feed = browserFeed();
  const { own } = feed;
  const { subscribe, get } = healthIn(feed, kind);
  const health = useSyncExternalStore(subscribe, get);
  const isAsked = useSyncExternalStore(own.subscribe, () => own.get()[kind].state !== 'idle');
  return streamedOf({ value, health, heardAt: own.get()[kind].heardAt, retry: feed.retryOwn, isAsked });
}

export function useAccount(): Loaded<AccountView> {
  const { account } = browserFeed();
  const view = useSyncExternalStore(account.subscribe, account.get);
  return useOwn('spot', view.isReady ? view : undefined);
}

/** A part of the account, whose state is the account's: `undefined` for a coin that it never had. */
export function useSpotBalance(coin: string): Balance | undefined {
  const { account } = browserFeed();
  return useSyncExternalStore(account.subscribe, () => account.get().balances.get(`spot:${coin}`));
}

/** One part of what the account has in contracts: renders when that part changes. */
export function useContractAccount<Part extends keyof ContractAccountView>(part: Part): Loaded<ContractAccountView[Part]> {
  const { contractAccount } = browserFeed();
  return useOwn(
    'contracts',
    useSyncExternalStore(contractAccount.subscribe, () => contractAccount.get()?.[part]),
  );
}

/** An order that may stand in the book of a market. */
export interface OwnOrder {
  readonly symbol: string;
  readonly orderSide: 'BUY' | 'SELL';
  readonly price: string | null;
  /** The state of one in spot; 5 waits for its trigger. */
  readonly state: number | string;
}

const NO_ORDERS: readonly OwnOrder[] = [];

/** Of one kind, by the exchange's names of their markets. */
export function useOwnOrders(kind: StreamKind): readonly OwnOrder[] {
  const { account, contractAccount } = browserFeed();
  const store = kind === 'spot' ? account : contractAccount;
  return useSyncExternalStore(store.subscribe, () => store.get()?.orders ?? NO_ORDERS);
}

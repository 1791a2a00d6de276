/** Favourite markets: kept by the exchange for who is signed in, by this device for who is not. */
import { create } from 'zustand';
import { act } from '../../../platform/data/calls.ts';
import { learned, useData } from '../../../platform/data/use-data.ts';
import { useAccountInView } from '../../../platform/session/session.ts';
import { followOtherTabs } from '../../../kit/storage/other-tabs.ts';
import { stored } from '../../../kit/storage/stored.ts';
import type { Account } from '../../../kit/storage/account-in-view.ts';

const parseSymbols = (json: unknown): readonly string[] | undefined =>
  Array.isArray(json) && json.every((item) => typeof item === 'string') ? json : undefined;
const onDevice = stored<readonly string[]>({ name: 'favouriteMarkets', version: 1, fallback: [], parse: parseSymbols });

const useDeviceFavourites = create<{ readonly symbols: readonly string[] }>()(() => ({ symbols: onDevice.read() }));
followOtherTabs([onDevice], () => useDeviceFavourites.setState({ symbols: onDevice.read() }));

interface Change {
  readonly symbol: string;
  readonly isFavourite: boolean;
  /** The account at the time of the click. */
  readonly of: Account;
}

/** What is refused has been said in a toast, and the marks are as they were. */
async function change({ symbol, isFavourite, of }: Change): Promise<void> {
  const symbols = await act(isFavourite ? 'cancelCollection' : 'addCollection', { body: { symbol } }, { as: of }).catch(() => undefined);
  if (symbols !== undefined) learned({ name: 'collections', of: 'account', accountId: of }, symbols);
}

export interface Favourites {
  readonly favourites: readonly string[];
  readonly toggle: (symbol: string) => void;
}

export function useFavourites(): Favourites {
  const accountId = useAccountInView();
  const isSignedIn = accountId !== undefined;
  const device = useDeviceFavourites((state) => state.symbols);
  const account = useData({ name: 'collections', of: 'account', when: isSignedIn, staleMs: 60_000 }).value;
  const favourites = isSignedIn ? (account ?? []) : device;
  return {
    favourites,
    toggle(symbol) {
      const isFavourite = favourites.includes(symbol);
      if (isSignedIn) return void change({ symbol, isFavourite, of: accountId });
      const symbols = isFavourite ? device.filter((known) => known !== symbol) : [...device, symbol];
      onDevice.write(symbols);
      useDeviceFavourites.setState({ symbols });
    },
  };
}

/** Favourite markets: kept by the exchange for who is signed in, by this device for who is not. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { create } from 'zustand';
import { http } from '../../../client/client.ts';
import { useSession } from '../../../session/session.ts';
import { followOtherTabs } from '../../../storage/other-tabs.ts';
import { stored } from '../../../storage/stored.ts';

const parseSymbols = (json: unknown): readonly string[] | undefined =>
  Array.isArray(json) && json.every((item) => typeof item === 'string') ? json : undefined;
const onDevice = stored<readonly string[]>({ name: 'favouriteMarkets', version: 1, fallback: [], parse: parseSymbols });

const useDeviceFavourites = create<{ readonly symbols: readonly string[] }>()(() => ({ symbols: onDevice.read() }));
followOtherTabs([onDevice], () => useDeviceFavourites.setState({ symbols: onDevice.read() }));

interface Change {
  readonly symbol: string;
  readonly isFavourite: boolean;
  /** The account at the time of the click. */
  readonly of: string;
}

export interface Favourites {
  readonly favourites: readonly string[];
  readonly toggle: (symbol: string) => void;
}

/** The account is part of the key: what one has marked is nothing of the next one's. */
const keyOf = (accountId: string | undefined): readonly unknown[] => ['collections', accountId];

export function useFavourites(): Favourites {
  const accountId = useSession((state) => (state.phase === 'signedIn' ? state.signedIn?.accountId : undefined));
  const isSignedIn = accountId !== undefined;
  const client = useQueryClient();
  const device = useDeviceFavourites((state) => state.symbols);
  const account = useQuery({
    queryKey: keyOf(accountId),
    queryFn: () => http.load('collections'),
    enabled: isSignedIn,
    staleTime: 60_000,
  }).data;
  const change = useMutation({
    mutationFn: ({ symbol, isFavourite }: Change) => http.call(isFavourite ? 'cancelCollection' : 'addCollection', { body: { symbol } }),
    onSuccess: (symbols, { of }) => client.setQueryData(keyOf(of), symbols),
  });
  const favourites = isSignedIn ? (account ?? []) : device;
  return {
    favourites,
    toggle(symbol) {
      const isFavourite = favourites.includes(symbol);
      if (isSignedIn) return change.mutate({ symbol, isFavourite, of: accountId });
      const symbols = isFavourite ? device.filter((known) => known !== symbol) : [...device, symbol];
      onDevice.write(symbols);
      useDeviceFavourites.setState({ symbols });
    },
  };
}

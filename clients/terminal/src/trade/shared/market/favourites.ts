/** Favourite markets: kept by the exchange for who is signed in, by this device for who is not. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { create } from 'zustand';
import { http } from '../../../client/client.ts';
import { stored } from '../../../storage/stored.ts';
import { useSignedIn } from '../account.ts';

const parseSymbols = (json: unknown): readonly string[] | undefined =>
  Array.isArray(json) && json.every((item) => typeof item === 'string') ? json : undefined;
const onDevice = stored<readonly string[]>({ name: 'favouriteMarkets', version: 1, fallback: [], parse: parseSymbols });

const useDeviceFavourites = create<{ readonly symbols: readonly string[] }>()(() => ({ symbols: onDevice.read() }));

export interface Favourites {
  readonly favourites: readonly string[];
  readonly toggle: (symbol: string) => void;
}

const QUERY_KEY = ['collections'] as const;

export function useFavourites(): Favourites {
  const isSignedIn = useSignedIn();
  const client = useQueryClient();
  const device = useDeviceFavourites((state) => state.symbols);
  const account = useQuery({ queryKey: QUERY_KEY, queryFn: () => http.load('collections'), enabled: isSignedIn, staleTime: 60_000 }).data;
  const change = useMutation({
    mutationFn: ({ symbol, isFavourite }: { readonly symbol: string; readonly isFavourite: boolean }) =>
      http.call(isFavourite ? 'cancelCollection' : 'addCollection', { body: { symbol } }),
    onSuccess: (symbols) => client.setQueryData(QUERY_KEY, symbols),
  });
  const favourites = isSignedIn ? (account ?? []) : device;
  return {
    favourites,
    toggle(symbol) {
      const isFavourite = favourites.includes(symbol);
      if (isSignedIn) return change.mutate({ symbol, isFavourite });
      const symbols = isFavourite ? device.filter((known) => known !== symbol) : [...device, symbol];
      onDevice.write(symbols);
      useDeviceFavourites.setState({ symbols });
    },
  };
}

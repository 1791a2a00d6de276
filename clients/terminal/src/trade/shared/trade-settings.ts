/** How the trading page was left: remembered on this device. */
import { create } from 'zustand';
import { isPerpetual } from '../../platform/feed/perpetual.ts';
import { followOtherTabs } from '../../kit/storage/other-tabs.ts';
import type { StorageEvents } from '../../kit/storage/other-tabs.ts';
import { parseBoolean, parseChoice, parseRecord } from '../../kit/storage/parse.ts';
import { stored } from '../../kit/storage/stored.ts';

export const BOOK_VIEWS = ['both', 'bids', 'asks'] as const;
export type BookView = (typeof BOOK_VIEWS)[number];

const bookView = stored<BookView>({ name: 'spotBookView', version: 1, fallback: 'both', parse: parseChoice(BOOK_VIEWS) });
/** Symbol to ticks, as text. */
const depthMerge = stored<Readonly<Record<string, string>>>({ name: 'spotDepthMerge', version: 1, fallback: {}, parse: parseRecord });
/** The same of contracts. */
const contractMerge = stored<Readonly<Record<string, string>>>({ name: 'futuresDepthMerge', version: 1, fallback: {}, parse: parseRecord });
const onlyThisMarket = stored<boolean>({ name: 'spotTableThisMarket', version: 1, fallback: false, parse: parseBoolean });

interface Kept {
  readonly bookView: BookView;
  readonly depthMerge: Readonly<Record<string, string>>;
  readonly onlyThisMarket: boolean;
}

interface TradeSettings extends Kept {
  readonly setBookView: (view: BookView) => void;
  readonly setMerge: (symbol: string, step: number) => void;
  readonly setOnlyThisMarket: (only: boolean) => void;
}

const readAll = (): Kept => ({
  bookView: bookView.read(),
  depthMerge: { ...depthMerge.read(), ...contractMerge.read() },
  onlyThisMarket: onlyThisMarket.read(),
});

export const useTradeSettings = create<TradeSettings>()((change, now) => ({
  ...readAll(),
  setBookView(view) {
    bookView.write(view);
    change({ bookView: view });
  },
  setMerge(symbol, step) {
    const kept = isPerpetual(symbol) ? contractMerge : depthMerge;
    kept.write({ ...kept.read(), [symbol]: String(step) });
    change({ depthMerge: { ...now().depthMerge, [symbol]: String(step) } });
  },
  setOnlyThisMarket(only) {
    onlyThisMarket.write(only);
    change({ onlyThisMarket: only });
  },
}));

/** What is chosen in one tab holds in the others at once. @returns stops following. */
export const followTradeSettings = (events?: StorageEvents): (() => void) =>
  followOtherTabs([bookView, depthMerge, contractMerge, onlyThisMarket], () => useTradeSettings.setState(readAll()), events);

/** The step chosen for a market, if the market has it. */
export function chosenMerge(depthMerge: Readonly<Record<string, string>>, symbol: string, merges: readonly number[]): number {
  const chosen = Number(depthMerge[symbol]);
  return merges.find((step) => step === chosen) ?? merges[0] ?? 1;
}

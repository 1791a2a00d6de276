/** The markets to choose from: search, favourites, and the numbers to choose by. Arrows walk, Enter opens. */
import { useNavigate } from '@tanstack/react-router';
import { Search } from 'lucide-react';
import { useState } from 'react';
import type { KeyboardEvent, ReactElement } from 'react';
import { shownPair } from '../../../market/market.ts';
import type { TradedMarket } from '../../../market/market.ts';
import { useTicker } from '../../../platform/data/streams/use-streams.ts';
import { useText } from '../../../kit/i18n/text.tsx';
import { useFormat } from '../../../kit/settings/use-format.ts';
import { classes } from '../../../kit/ui/classes.ts';
import { RadioGroup } from '../../../kit/ui/radio-group.tsx';
import { atFirstPages } from '../../../kit/ui/choices-in-search.ts';
import { useChoiceInUrl } from '../../../kit/ui/in-url.ts';
import { useListedMarkets, useMarket } from '../../../market/market-context.tsx';
import { useMarketKind } from '../../../market/market-kind.tsx';
import { changeClass, changeText } from './change.ts';
import { FavouriteStar } from './favourite-star.tsx';
import { useFavourites } from './favourites.ts';

const SHELVES = ['all', 'favourites', 'practice'] as const;
type Shelf = (typeof SHELVES)[number];

const isPractice = ({ quote }: TradedMarket): boolean => quote === 'PRACTICE';

/** Practice stands apart: it is on no other shelf. */
function onShelf(markets: readonly TradedMarket[], shelf: Shelf, favourites: readonly string[]): readonly TradedMarket[] {
  if (shelf === 'practice') return markets.filter(isPractice);
  const real = markets.filter((market) => !isPractice(market));
  return shelf === 'all' ? real : real.filter(({ symbol }) => favourites.includes(symbol));
}

export function matching(markets: readonly TradedMarket[], search: string): readonly TradedMarket[] {
  const wanted = search.toUpperCase().replace(/[^A-Z0-9]/g, '');
  return markets.filter((market) => `${market.baseName}${market.quoteName}`.includes(wanted) || market.base.includes(wanted));
}

interface MarketRowProps {
  readonly market: TradedMarket;
  readonly isActive: boolean;
  readonly isHere: boolean;
  readonly onOpen: () => void;
}

function MarketRow({ market, isActive, isHere, onOpen }: MarketRowProps): ReactElement {
  const format = useFormat();
  const { value: ticker } = useTicker(market.symbol);
  return (
    <div className={classes('flex items-center gap-1 rounded-sm ps-1', isActive && 'bg-hover')}>
      <FavouriteStar symbol={market.symbol} />
      <button
        type="button"
        tabIndex={-1}
        aria-current={isHere}
        onClick={onOpen}
        className="grid h-9 min-w-0 grow grid-cols-[1fr_84px_60px_108px] items-center gap-2 rounded-sm pe-2 text-end text-sm hover:bg-hover"
      >
        <span className="truncate text-start text-md font-medium">{shownPair(market.symbol)}</span>
        <span>{format.number(ticker?.c ?? undefined, { decimals: market.pricePrecision })}</span>
        <span className={changeClass(ticker?.r)}>{changeText(ticker?.r, format)}</span>
        <span className="truncate text-fg2">
          {format.number(ticker?.v, { decimals: market.turnoverDecimals })} <span className="text-fg3">{market.valueName}</span>
        </span>
      </button>
    </div>
  );
}

interface ShelvesProps {
  readonly shelf: Shelf;
  readonly hasPractice: boolean;
  readonly onChange: (shelf: Shelf) => void;
}

function Shelves({ shelf, hasPractice, onChange }: ShelvesProps): ReactElement {
  const text = useText();
  const shelves: readonly Shelf[] = hasPractice ? ['all', 'favourites', 'practice'] : ['all', 'favourites'];
  const labelOf = (value: Shelf): string => text(value === 'practice' ? 'practice.name' : `trade.market.${value}`);
  return (
    <RadioGroup
      label={text('trade.market.pick')}
      value={shelf}
      choices={shelves.map((value) => ({ value, label: labelOf(value) }))}
      onChange={onChange}
      className="flex gap-1"
      itemClassName={(_name, state) =>
        classes('h-7 rounded-sm px-2 text-sm', state === 'chosen' ? 'bg-hover text-fg' : 'text-fg2 hover:text-fg')
      }
    />
  );
}

export function PairList({ onDone }: { readonly onDone: () => void }): ReactElement {
  const text = useText();
  const here = useMarket();
  const navigate = useNavigate();
  const kind = useMarketKind();
  const markets = useListedMarkets();
  const { favourites } = useFavourites();
  const [search, setSearch] = useState('');
  const [shelf, setShelf] = useChoiceInUrl({ name: 'shelf', values: SHELVES, usual: isPractice(here) ? 'practice' : 'all' });
  const [active, setActive] = useState(0);
  const shown = matching(onShelf(markets, shelf, favourites), search);
  const open = (market: TradedMarket | undefined): void => {
    if (market === undefined) return;
    onDone();
    void navigate({ to: kind.path, params: { pair: kind.pairOf(market.symbol) }, search: atFirstPages });
  };
  const press = (event: KeyboardEvent): void => {
    if (event.key === 'ArrowDown') setActive(Math.min(shown.length - 1, active + 1));
    else if (event.key === 'ArrowUp') setActive(Math.max(0, active - 1));
    else if (event.key === 'Enter') open(shown[active]);
    else return;
    event.preventDefault();
  };
  return (
    <div className="flex w-[min(440px,92vw)] flex-col gap-2 p-2">
      <label className="flex h-9 items-center gap-2 rounded border border-control bg-page px-2.5 focus-within:outline-2 focus-within:outline-focus">
        <Search size={14} aria-hidden="true" className="text-fg3" />
        <input
          type="search"
          autoFocus
          aria-label={text('trade.market.search')}
          placeholder={text('trade.market.search')}
          value={search}
          onChange={(event) => {
            setSearch(event.target.value);
            setActive(0);
          }}
          onKeyDown={press}
          className="min-w-0 grow bg-transparent outline-none placeholder:text-fg3"
        />
      </label>
      <Shelves shelf={shelf} hasPractice={markets.some(isPractice)} onChange={setShelf} />
      <div className="grid grid-cols-[1fr_84px_60px_108px] gap-2 pe-2 ps-9 text-end text-sm text-fg3" aria-hidden="true">
        <span className="text-start">{text('trade.market.pair')}</span>
        <span>{text('trade.market.last')}</span>
        <span>24 h</span>
        <span>{text('trade.market.turnover')}</span>
      </div>
      <div className="flex max-h-80 flex-col overflow-y-auto">
        {shown.map((market, index) => (
          <MarketRow
            key={market.symbol}
            market={market}
            isActive={index === active}
            isHere={market.symbol === here.symbol}
            onOpen={() => open(market)}
          />
        ))}
        {shown.length === 0 && (
          <p className="px-2 py-6 text-center text-fg2">
            {shelf === 'favourites' && search === '' ? text('trade.market.noFavourites') : text('trade.market.none', { search })}
          </p>
        )}
      </div>
    </div>
  );
}

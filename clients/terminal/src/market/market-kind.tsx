/** What a kind of market brings to the trading page: its markets, ticket, tables and the candles with its order lines. All else is the same for each kind. */
import { createContext, useContext } from 'react';
import type { ComponentType } from 'react';
import type { MessageId } from '../kit/i18n/catalog.ts';
import { assert } from '@orrery/units';

/** A place in the book of a market. */
export interface PickedLevel {
  readonly symbol: string;
  /** Decimal text. */
  readonly price: string;
  /** Base asset, decimal text; `undefined` where only the price was picked. */
  readonly size?: string;
  /** Which side the ticket is to take; `undefined` leaves it. */
  readonly take?: 'buy' | 'sell' | undefined;
}

/** The ticket, as the panels around it use it. */
export interface TicketPort {
  /** Takes a level picked from the book or the depth into the ticket of its market. */
  readonly take: (level: PickedLevel) => void;
  readonly begin: (symbol: string, side: 'buy' | 'sell') => void;
  /** To its first field. */
  readonly focus: () => void;
}

/** The addresses of the trading pages. */
export type MarketPath = '/trade/spot/$pair' | '/trade/futures/$pair';

/** Something about the market in view, in the place of the chart. */
export interface MarketPanel {
  readonly id: string;
  readonly label: MessageId;
  readonly View: ComponentType;
}

export interface MarketKind {
  readonly path: MarketPath;
  /** What a market is called in an address. */
  readonly pairOf: (symbol: string) => string;
  /** Whether markets of this kind can be marked as favourites. */
  readonly favourites: 'kept' | 'none';
  /** The market's name and its last 24 hours, in the bar above the chart. */
  readonly Figures: ComponentType;
  /** What a phone has room for: three names with their values. */
  readonly PhoneFigures: ComponentType;
  /** Below the ticket, in every layout: what stands behind the positions of the account. */
  readonly Account: ComponentType | undefined;
  /** Below that: what the account has in the market. */
  readonly Summary: ComponentType | undefined;
  /** Below that, in every layout: what can be practised in the market. */
  readonly Practice: ComponentType | undefined;
  readonly Ticket: ComponentType;
  readonly Tables: ComponentType;
  readonly Candles: ComponentType;
  /** More that stands beside candles and depth, in the same place. */
  readonly views: readonly MarketPanel[];
  readonly ticket: TicketPort;
}

const Kind = createContext<MarketKind | undefined>(undefined);

export const MarketKindProvider = Kind.Provider;

export function useMarketKind(): MarketKind {
  const kind = useContext(Kind);
  assert(kind !== undefined, 'useMarketKind is called outside the trading page');
  return kind;
}

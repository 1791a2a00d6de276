/** Pages, markets and contracts as what can be found by typing, by their names in the chosen language. */
import type { FuturesSymbol } from '@orrery/api';
import type { Action } from '../platform/actions/action.ts';
import { shownPair } from '../market/market.ts';
import type { TradedMarket } from '../market/market.ts';
import { say } from '../kit/i18n/text.tsx';
import type { Destination } from './destinations.ts';

export type OpenMarket = (to: '/trade/spot/$pair' | '/trade/futures/$pair', pair: string) => void;

/** Beside those of the main navigation. */
const OTHERS = [
  { to: '/assets/deposit', label: 'nav.deposit' },
  { to: '/status', label: 'nav.status' },
  { to: '/terms', label: 'nav.terms' },
  { to: '/privacy', label: 'nav.privacy' },
  { to: '/cookies', label: 'nav.cookies' },
] as const satisfies readonly Destination[];

export const pageActions = (destinations: readonly Destination[], open: (to: Destination['to']) => void): readonly Action[] =>
  [...destinations, ...OTHERS].map(({ to, label }) => ({
    id: `page.${to}`,
    group: 'pages',
    text: 'actions.page',
    values: () => ({ page: say(label) }),
    run: () => open(to),
  }));

export const marketActions = (markets: readonly Pick<TradedMarket, 'symbol' | 'base'>[], open: OpenMarket): readonly Action[] =>
  markets.map(({ symbol, base }) => ({
    id: `market.${symbol}`,
    group: 'markets',
    text: 'actions.market',
    values: () => ({ pair: shownPair(symbol) }),
    keywords: [symbol, base],
    run: () => open('/trade/spot/$pair', symbol),
  }));

export const contractActions = (contracts: readonly Pick<FuturesSymbol, 'symbol'>[], open: OpenMarket): readonly Action[] =>
  contracts.map(({ symbol }) => ({
    id: `contract.${symbol}`,
    group: 'markets',
    text: 'actions.market',
    values: () => ({ pair: `${symbol.replace('_', '/')} ${say('nav.futures')}` }),
    keywords: [symbol],
    run: () => open('/trade/futures/$pair', symbol),
  }));

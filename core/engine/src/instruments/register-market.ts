import type { Event, Market, RegisterMarket } from '@orrery/protocol';
import { invalidMarketField, reject } from '@orrery/rules';
import { refusePractice } from './refuse-practice.ts';
import type { Listings } from './listings.ts';
import { newListedMarket } from './listed-market.ts';

export function registerMarket(listings: Listings, command: RegisterMarket): Event[] {
  const terms = termsOf(command);
  const before = listings.markets.get(terms.market);
  if (before !== undefined && isSame(before.terms, terms)) return [{ type: 'CommandRepeated', key: terms.symbol }];
  const practice = refusePractice(listings, terms.base, 'base') ?? refusePractice(listings, terms.quote, 'quote');
  if (practice !== undefined) return [practice];
  const base = listings.assets.get(terms.base);
  const quote = listings.assets.get(terms.quote);
  const invalid = base === undefined || quote === undefined ? undefined : invalidMarketField(terms, base, quote);
  if (invalid !== undefined) return [reject('InvalidField', invalid)];
  if (base === undefined) return [reject('UnknownAsset', 'base')];
  if (quote === undefined) return [reject('UnknownAsset', 'quote')];
  if (before !== undefined || listings.contracts.has(terms.market)) return [reject('AlreadyRegistered', 'market')];
  if (isListed(listings, terms.symbol)) return [reject('AlreadyRegistered', 'symbol')];
  // After this point nothing fails.
  const market = newListedMarket(terms, listings.clearingOf(terms));
  listings.markets.set(terms.market, market);
  return [
    { type: 'MarketRegistered', ...terms },
    { type: 'MarketStateChanged', market: terms.market, state: market.state },
  ];
}

function termsOf(command: RegisterMarket): Market {
  const { type: _, ...terms } = command;
  return terms;
}

function isSame(left: Market, right: Market): boolean {
  return (Object.keys(left) as (keyof Market)[]).every((field) => left[field] === right[field]);
}

function isListed(listings: Listings, symbol: string): boolean {
  for (const { terms } of listings.markets.values()) if (terms.symbol === symbol) return true;
  return false;
}

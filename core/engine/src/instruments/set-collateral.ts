import type { Event, SetCollateral } from '@orrery/protocol';
import { reject } from '@orrery/rules';
import { collateralPriced, NOT_PRICED, type Collaterals } from '../margin/collaterals.ts';
import { refusePractice } from './refuse-practice.ts';
import type { Listings } from './listings.ts';

const MILLION = 1_000_000;

/** The spot market that values a collateral has it as its base, and what contracts are settled in as its quote. */
export function setCollateral(state: Listings & { readonly collaterals: Collaterals }, command: SetCollateral): Event[] {
  const { type: _, ...terms } = command;
  const practice = refusePractice(state, terms.asset);
  if (practice !== undefined) return [practice];
  const market = state.markets.get(terms.market);
  if (terms.ratioPpm > MILLION) return [reject('InvalidField', 'ratioPpm')];
  if (terms.cap < 0n) return [reject('InvalidField', 'cap')];
  if (market !== undefined && market.terms.base !== terms.asset) return [reject('InvalidCombination', 'market')];
  if (!state.assets.has(terms.asset)) return [reject('UnknownAsset', 'asset')];
  if (market === undefined) return [reject('UnknownMarket', 'market')];
  // Its price is in ticks of the market.
  const before = state.collaterals.get(terms.asset);
  if (state.rules >= 7 && before !== undefined && before.market !== market) return [reject('AlreadyRegistered', 'market')];
  // After this point nothing fails.
  const own = before?.own ?? (state.rules < 7 ? undefined : NOT_PRICED);
  state.collaterals.set({ terms, market, own });
  const set: Event = { type: 'CollateralSet', ...terms };
  return before === undefined && own !== undefined ? [set, collateralPriced(terms, own)] : [set];
}

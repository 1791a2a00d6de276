import type { Event, SetCollateral } from '@orrery/protocol';
import { reject } from '@orrery/rules';
import type { Collaterals } from '../margin/collaterals.ts';
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
  // After this point nothing fails.
  state.collaterals.set({ terms, market });
  return [{ type: 'CollateralSet', ...terms }];
}

import type { Contract, Event, MarginTier, RegisterContract } from '@orrery/protocol';
import { invalidContractField, reject } from '@orrery/rules';
import { newContractState } from '../positions/contract-state.ts';
import { newListedContract } from './listed-market.ts';
import type { Listings } from './listings.ts';

export function registerContract(listings: Listings, command: RegisterContract): Event[] {
  const { type: _, ...terms } = command;
  const before = listings.contracts.get(terms.market);
  if (before !== undefined && isSame(before.terms, terms)) return [{ type: 'CommandRepeated', key: terms.symbol }];
  const settle = listings.assets.get(terms.settle);
  const invalid = settle === undefined ? undefined : invalidContractField(terms, settle, listings.practiceAssets.has(settle.asset));
  if (invalid !== undefined) return [reject('InvalidField', invalid)];
  if (settle === undefined) return [reject('UnknownAsset', 'settle')];
  if (before !== undefined || listings.markets.has(terms.market)) return [reject('AlreadyRegistered', 'market')];
  for (const listed of listings.contracts.values())
    if (listed.terms.symbol === terms.symbol) return [reject('AlreadyRegistered', 'symbol')];
  // After this point nothing fails.
  const contract = newContractState(terms, listings.practiceAssets.has(terms.settle));
  const listed = newListedContract(contract, listings.clearingOfContract(contract));
  listings.contracts.set(terms.market, listed);
  return [
    { type: 'ContractRegistered', ...terms },
    { type: 'MarketStateChanged', market: terms.market, state: listed.state },
  ];
}

function isSame({ tiers, ...left }: Contract, { tiers: others, ...right }: Contract): boolean {
  const isEqual = (Object.keys(left) as (keyof typeof left)[]).every((field) => left[field] === right[field]);
  return isEqual && tiers.length === others.length && tiers.every((tier, index) => isSameTier(tier, others[index]));
}

const isSameTier = (left: MarginTier, right: MarginTier | undefined): boolean =>
  left.maxNotional === right?.maxNotional && left.maxLeverage === right.maxLeverage;

/** Who and what a tape speaks of. */
import { accountId, assert, assetId, parseAddress, type AccountId, type Address, type AssetId } from '@orrery/units';

export const PEOPLE = ['alice', 'bob', 'carol'] as const;
export const ASSETS = ['USDC', 'BTC', 'POINTS', 'CLAIM'] as const;

export const accountOf = (person: string): AccountId => accountId(PEOPLE.findIndex((name) => name === person) + 1);
export const assetOf = (code: string): AssetId => assetId(ASSETS.findIndex((name) => name === code) + 1);

/** The name in hex digits. */
export function addressOf(person: string): Address {
  const digits = person
    .split('')
    .map((letter) => letter.charCodeAt(0).toString(16))
    .join('');
  const parsed = parseAddress(`0x${digits.padStart(40, '0').slice(-40)}`);
  assert(parsed !== undefined, 'a name makes an address');
  return parsed;
}

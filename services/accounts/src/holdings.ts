/** What an account still has on the exchange: money in any of its wallets, held for orders and withdrawals too, and positions. */
import type { Event, Heart } from '@orrery/protocol';
import type { AccountId, AssetId } from '@orrery/units';

/** In words, such as `BTC, USDC and positions`; undefined where it has nothing. */
export function holdingsOf(heart: Heart, account: AccountId): string | undefined {
  const view = heart.open();
  view.close();
  const codes = new Map<AssetId, string>();
  const coins = new Set<string>();
  let positions = 0;
  for (const fact of view.facts) {
    if (fact.type === 'AssetRegistered') codes.set(fact.asset, fact.code);
    if (isMoney(fact) && fact.account === account) coins.add(codes.get(fact.asset) ?? `asset ${fact.asset}`);
    if (fact.type === 'PositionChanged' && fact.account === account && fact.size !== 0) positions += 1;
  }
  const things = [...coins, ...(positions === 0 ? [] : [positions === 1 ? 'a position' : `${positions} positions`])];
  const last = things.pop();
  return things.length === 0 ? last : `${things.join(', ')} and ${last}`;
}

const isMoney = (fact: Event): fact is Event & { readonly type: 'BalanceChanged' } =>
  fact.type === 'BalanceChanged' && (fact.free > 0n || fact.held > 0n);

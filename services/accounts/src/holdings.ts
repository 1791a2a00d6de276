/**
 * What an account still has on the exchange: coins of the chain in any of its wallets, held for orders and withdrawals too, and positions. Points can
 * not be taken out, and do not count.
 */
import type { Event, Heart } from '@orrery/protocol';
import type { AccountId, AssetId } from '@orrery/units';

/** In words, such as `BTC, USDC and positions`; undefined where it has nothing. */
export function holdingsOf(heart: Heart, account: AccountId): string | undefined {
  const view = heart.open();
  view.close();
  const codes = new Map<AssetId, string>();
  for (const fact of view.facts) if (fact.type === 'AssetRegistered' && fact.kind === 'chain') codes.set(fact.asset, fact.code);
  const coins = new Set<string>();
  let positions = 0;
  for (const fact of view.facts) {
    const code = isMoney(fact) && fact.account === account ? codes.get(fact.asset) : undefined;
    if (code !== undefined) coins.add(code);
    if (fact.type === 'PositionChanged' && fact.account === account && fact.size !== 0) positions += 1;
  }
  const things = [...coins, ...(positions === 0 ? [] : [positions === 1 ? 'a position' : `${positions} positions`])];
  const last = things.pop();
  return things.length === 0 ? last : `${things.join(', ')} and ${last}`;
}

const isMoney = (fact: Event): fact is Event & { readonly type: 'BalanceChanged' } =>
  fact.type === 'BalanceChanged' && (fact.free > 0n || fact.held > 0n);

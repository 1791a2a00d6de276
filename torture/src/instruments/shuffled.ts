import type { Chance } from '../../../core/engine/src/testing/chance.ts';

export function shuffled<Item>(items: readonly Item[], chance: Chance): readonly Item[] {
  const drawn = items.map((item) => ({ item, lot: chance.below(2 ** 30) }));
  return drawn.sort((left, right) => left.lot - right.lot).map(({ item }) => item);
}

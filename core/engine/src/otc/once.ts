/** What was made under an id that an account chose: the second command of the same terms is answered by what the first one made. */
import type { Keyed, MoneyRecords } from '../money/money-records.ts';

interface Made {
  /** In decimal text. */
  readonly id: string;
  readonly isSame: boolean;
}

/** Undefined when nothing was made under the key yet. */
export function madeBefore(money: MoneyRecords, kind: Keyed, key: string, body: string): Made | undefined {
  const before = money.bodies(kind).get(key);
  if (before === undefined) return undefined;
  const end = before.indexOf(' ');
  return { id: before.slice(0, end), isSame: before.slice(end + 1) === body };
}

export const rememberMade = (money: MoneyRecords, kind: Keyed, key: string, id: number, body: string): void =>
  money.remember(kind, key, `${id} ${body}`);

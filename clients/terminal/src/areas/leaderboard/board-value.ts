import type { Formats } from '../../kit/settings/use-format.ts';
import type { BoardName } from './use-campaigns.ts';

/** What a board ranks by, in USDC to the cent; a profit carries its sign. */
export function boardValue(format: Formats, { board, value }: { readonly board: BoardName; readonly value: string }): string {
  return format.number(value, { decimals: 2, sign: board === 'PNL' ? 'always' : 'negative' });
}

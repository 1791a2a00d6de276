/** Money of a fund as the API writes it. */
import { parseDecimal } from '@orrery/units';

export const SETTLE = 'USDC';
export const SETTLE_DECIMALS = 6;
/** What is worth less is not moved between wallets: 10 USDC. */
export const LEAST_MOVE = 10_000_000n;

/** Atoms of the settle asset, below zero too. */
export const money = (text: string): bigint => signed(text, SETTLE_DECIMALS);

/** Whole parts of a decimal text; finer ones are left out, towards zero. */
export function signed(text: string, decimals: number): bigint {
  const [whole = '0', part = ''] = text.replace(/^-/, '').split('.');
  const digits = part.slice(0, decimals).padEnd(decimals, '0');
  const size = parseDecimal(decimals === 0 ? whole : `${whole}.${digits}`, decimals) ?? 0n;
  return text.startsWith('-') ? 0n - size : size;
}

import type { LuckyBlockRules } from '@orrery/api';
import { useData } from '../data/use-data.ts';

/** When winners are announced next changes once a day. */
const POLL_MS = 60_000;

/** `undefined` while loading. */
export function useLuckyRules(): LuckyBlockRules | undefined {
  return useData({ name: 'luckyBlockRules', of: 'everybody', pollMs: POLL_MS }).value;
}

import type { LuckyBlockRules } from '@orrery/api';
import type { Loaded } from '../../kit/ui/loaded.ts';
import { useData } from '../../platform/data/use-data.ts';

/** When winners are announced next changes once a day. */
const POLL_MS = 60_000;

export function useLuckyRules(): Loaded<LuckyBlockRules> {
  return useData({ name: 'luckyBlockRules', of: 'everybody', pollMs: POLL_MS });
}

import type { ChainContracts } from '@orrery/api';
import { useData } from '../../platform/data/use-data.ts';

/** The contracts of this installation. */
export function useContracts(): ChainContracts | undefined {
  return useData({ name: 'contracts', of: 'everybody', staleMs: Number.POSITIVE_INFINITY }).value;
}

/** The two workloads of the book, which are those of the engine too. */
import type { FlowOptions } from './flow.ts';

export const BASE: FlowOptions = { seed: 42, operations: 1_000_000, resting: 1_000, spread: 'narrow' };
export const DEEP: FlowOptions = { seed: 42, operations: 1_000_000, resting: 100_000, spread: 'wide' };

/** Writes what the two funds of the recorded month were worth, for the beginning of the charts of funds: `node simulator/src/record-fund-month.ts`. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { simulatedMonth } from './fund-month-points.ts';

const file = new URL('../../services/fund/data/simulated-month.csv', import.meta.url);
mkdirSync(new URL('.', file), { recursive: true });
writeFileSync(file, simulatedMonth());

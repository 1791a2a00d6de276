/** Quanto funds. */
import { fundService, type FundTables } from '@orrery/fund';
import { HOUSE_FUNDS } from '../fund-plans.ts';
import { troubleOf } from '../surroundings.ts';
import { serve } from './service.ts';

export const fundEntry = serve(fundService, ({ surroundings, heart, database }) => ({
  heart,
  db: database.of<FundTables>(),
  plans: HOUSE_FUNDS,
  now: () => heart.nowMs(),
  onTrouble: troubleOf(surroundings, 'fund'),
}));

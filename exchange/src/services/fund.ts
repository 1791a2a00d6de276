/** Quanto funds. */
import { fundService, type FundTables } from '@orrery/fund';
import { HOUSE_FUNDS } from '../fund-plans.ts';
import { troubleOf } from '../surroundings.ts';
import { serve } from './service.ts';

export const fundEntry = serve(fundService, ({ surroundings, heart, database, leases }) => ({
  heart,
  db: database.of<FundTables>(),
  plans: HOUSE_FUNDS,
  now: () => heart.nowMs(),
  leases,
  onTrouble: troubleOf(surroundings, 'fund'),
}));

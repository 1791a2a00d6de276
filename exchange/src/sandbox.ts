/** What testers may do on an exchange of their own: prices move by the rounds of the prices service, and the house's taker takes their orders. */
import { accountsService } from '@orrery/accounts';
import { ApiError } from '@orrery/api';
import type { Sandbox } from '@orrery/gateway';
import { addressOf } from '@orrery/units';
import { pricesService } from './services/prices.ts';
import type { StartedServices } from './services/service.ts';
import type { RunningChain } from './start-chain.ts';

export function openSandbox(services: StartedServices, { liquidity }: Pick<RunningChain, 'liquidity'>): Sandbox {
  const { moves } = services.of(pricesService);
  const { directory } = services.of(accountsService);
  return {
    move: (move, now) => moves.move(move, now),
    async house() {
      if (liquidity === undefined) throw new ApiError('NotNow', { message: 'the house has no money on this chain' });
      return (await directory.open(addressOf(liquidity.contractTaker))).account;
    },
  };
}

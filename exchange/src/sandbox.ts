/** What testers may do on an exchange of their own: prices move by the rounds of the prices service, and a house account takes their orders. */
import { accountsService } from '@orrery/accounts';
import { ApiError } from '@orrery/api';
import { hunted, type Sandbox } from '@orrery/gateway';
import type { Heart } from '@orrery/protocol';
import { MoveTaken } from '@orrery/prices';
import { addressOf } from '@orrery/units';
import type { SandboxScope } from './config.ts';
import { practiceHouse } from './practice-house.ts';
import { pricesService } from './services/prices.ts';
import type { StartedServices } from './services/service.ts';
import type { RunningChain } from './start-chain.ts';

interface Parts {
  readonly heart: Heart;
  readonly services: StartedServices;
  readonly chain: Pick<RunningChain, 'liquidity'>;
  readonly scope: SandboxScope;
}

/** Undefined: there are no such calls. */
export function openSandbox({ heart, services, chain: { liquidity }, scope }: Parts): Sandbox | undefined {
  if (scope === 'off') return undefined;
  const { moves } = services.of(pricesService);
  const { directory } = services.of(accountsService);
  return {
    scope: scope === 'on' ? 'practice' : 'everywhere',
    async move(move, now) {
      try {
        await moves.move(move, now);
      } catch (error) {
        if (error instanceof MoveTaken) throw hunted();
        throw error;
      }
    },
    shift: (market) => moves.shift(market),
    async house(of) {
      if (of === 'practice') return practiceHouse({ heart, directory });
      if (liquidity === undefined) throw new ApiError('NotNow', { message: 'the house has no money on this chain' });
      return (await directory.open(addressOf(liquidity.contractTaker))).account;
    },
  };
}

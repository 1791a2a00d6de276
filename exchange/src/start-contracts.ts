/** What contracts need beside their timers: fee tiers each day, a funded insurance fund and a liquidator. Nothing where none is listed. */
import { accountsService } from '@orrery/accounts';
import type { Heart } from '@orrery/protocol';
import { type LeasePort, repeat, whileHeld } from '@orrery/foundation';
import { fundService } from '@orrery/fund';
import { fundInsurance, startLiquidator, startTaker } from './contract-house.ts';
import { FeeTiers } from './fee-tiers.ts';
import { startLeasedPart } from './leased-part.ts';
import { assetByCode } from './listing.ts';
import type { HistoryTime } from './program-heart.ts';
import { fundPracticeInsurance, stock, STOCK_EVERY_MS } from './practice-house.ts';
import { addressOf } from '@orrery/units';
import { historyService } from './services/history.ts';
import type { StartedServices } from './services/service.ts';
import type { RunningChain } from './start-chain.ts';
import { troubleOf, type Surroundings } from './surroundings.ts';

interface ContractParts {
  readonly heart: Heart & HistoryTime;
  readonly chain: RunningChain;
  readonly leases: LeasePort;
  readonly services: StartedServices;
}

export async function startContractHouse(surroundings: Surroundings, { heart, chain, leases, services }: ContractParts): Promise<void> {
  const { contracts, practice } = surroundings.config.installation.listing;
  if (practice.length > 0) await startPractice(surroundings, { heart, chain, leases, services });
  if (contracts.length === 0) return;
  const { history } = services.of(historyService);
  const accounts = services.of(accountsService);
  const funds = services.of(fundService).accounts;
  const house = new Set<string>(chain.ours.map((address) => address.toLowerCase()));
  const tiers = new FeeTiers({
    heart,
    lease: await leases.open('fee tiers'),
    history,
    isHouse: (account) => house.has(accounts.directory.get(account)?.address ?? ''),
    isFund: (account) => funds.leaderOf(account) !== undefined,
    usdcDecimals: assetByCode('USDC').decimals,
    now: () => heart.nowMs(),
    onTrouble: troubleOf(surroundings, 'fee tiers'),
  });
  tiers.start();
  surroundings.closing.add({ name: 'the fee tiers', stop: () => tiers.stop() });
  const { liquidity } = chain;
  if (liquidity === undefined) return;
  await fundInsurance(heart);
  const parts = { heart, accounts, addresses: liquidity };
  const { sandbox, marketMaker } = surroundings.config;
  // Not waited for: their deposits are credited when the chain has been read so far.
  const part = startLeasedPart({
    lease: await leases.open('liquidator'),
    async run(signal) {
      // The market-maker moves the money of its accounts itself.
      if (sandbox === 'everywhere' && marketMaker === 'off') startTaker({ ...parts, signal }).catch(troubleOf(surroundings, 'the sandbox'));
      await startLiquidator({ ...parts, signal });
    },
    onTrouble: troubleOf(surroundings, 'the liquidator'),
  });
  surroundings.closing.add({ name: 'the liquidator', stop: () => part.stop() });
}

/** Practice money costs nothing, so that those who quote have it whatever testers win of it. */
async function startPractice(surroundings: Surroundings, { heart, chain: { liquidity }, leases, services }: ContractParts): Promise<void> {
  await fundPracticeInsurance(heart);
  const { directory } = services.of(accountsService);
  const quoting = liquidity === undefined ? [] : [liquidity.contractQuoter, liquidity.contractTaker].map((address) => addressOf(address));
  const stockAll = async (): Promise<void> => {
    for (const address of quoting) await stock({ heart, directory }, address);
  };
  const lease = await leases.open('stock of practice');
  await whileHeld(lease, stockAll);
  const timer = repeat({ every: STOCK_EVERY_MS, lease, work: stockAll, onTrouble: troubleOf(surroundings, 'practice') });
  surroundings.closing.add({ name: 'the stock of practice', stop: () => timer.stop() });
}

/**
 * The house of practice contracts: an insurance fund of their own, an account that fills orders of testers, and practice money for the market-maker, which is
 * given again as testers win it.
 */
import type { Accounts } from '@orrery/accounts';
import type { Command, Heart } from '@orrery/protocol';
import { type AccountId, addressOf, atoms } from '@orrery/units';
import { PRACTICE_ASSET } from './listing.ts';

const UNIT = 10n ** BigInt(PRACTICE_ASSET.decimals);
const FUND = atoms(1_000_000n * UNIT);
const STOCK = atoms(1_000_000n * UNIT);
export const STOCK_EVERY_MS = 60_000;

/** Nobody has a key of it: `practice house` in letters. */
const HOUSE = addressOf(`0x${Buffer.from('practice house').toString('hex').padStart(40, '0')}`);

interface Parts {
  readonly heart: Heart;
  readonly directory: Accounts['directory'];
}

/** Again it changes nothing. */
export async function fundPracticeInsurance(heart: Heart): Promise<void> {
  await must(heart, {
    type: 'FundBudget',
    key: 'insurance:first:PRACTICE',
    budget: 'insurance',
    asset: PRACTICE_ASSET.asset,
    amount: FUND,
  });
}

/** The account, with enough to fill an order. */
export async function practiceHouse({ heart, directory }: Parts): Promise<AccountId> {
  return stock({ heart, directory }, HOUSE);
}

/** Brings what our own account has up to what it quotes and fills with. */
export async function stock({ heart, directory }: Parts, address: ReturnType<typeof addressOf>): Promise<AccountId> {
  const { account } = await directory.open(address);
  for (const flag of ['termsAccepted', 'whitelisted', 'connected'] as const) await directory.setFlag(account, flag);
  await must(heart, { type: 'StockPractice', account, upTo: STOCK });
  return account;
}

async function must(heart: Heart, command: Command): Promise<void> {
  const { events } = await heart.submit(command);
  const refused = events.find((event) => event.type === 'CommandRejected');
  if (refused !== undefined) throw new Error(`practice was refused its ${command.type}: ${refused.reason}`);
}

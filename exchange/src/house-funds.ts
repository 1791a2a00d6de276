/**
 * The funds of the house: each is opened once with an account of its own, and the account of the market-maker leads it with its own money. Their managers are
 * clients like any other, with API keys like any other: `fund-managers.ts`. Where none runs, the house answers for funds that hold nothing but money.
 */
import type { Accounts } from '@orrery/accounts';
import { type Lease, repeat } from '@orrery/foundation';
import type { Command, Event, Heart, RejectReason } from '@orrery/protocol';
import { type AccountId, addressOf, type Atoms, atoms, NO_ATOMS } from '@orrery/units';
import { HOUSE_FUNDS } from './fund-plans.ts';
import { fundAddress } from './house-addresses.ts';
import { admit } from './house-keys.ts';
import { startLeasedPart } from './leased-part.ts';
import { assetByCode } from './listing.ts';
import { type Surroundings, troubleOf } from './surroundings.ts';

type HouseFund = (typeof HOUSE_FUNDS)[number];

const USDC = assetByCode('USDC');
const UNIT = 10n ** BigInt(USDC.decimals);
/** The money of the leader is credited when the chain has been read so far: looked for soon, and seldom where it does not come, because each look reads the whole state. */
const RETRY_MS = 500;
const RETRY_GROWTH = 1.15;
const RETRY_MAX_MS = 64_000;
const HEARD_EVERY_MS = 300_000;

interface HouseParts {
  readonly heart: Heart;
  readonly accounts: Pick<Accounts, 'directory'>;
  /** The address that leads. */
  readonly leader: string;
  /** Ends the wait for its money. */
  readonly signal: AbortSignal;
}

interface Managing {
  readonly lease: Lease;
  readonly isManaged: boolean;
  /** Once every fund of the house has been opened; ends soon after the signal. */
  readonly manage: (signal: AbortSignal) => Promise<void>;
}

/** By the holder of the lease. Not waited for: the money of the leader is credited when the chain has been read so far. */
export function startHouseFunds(
  surroundings: Surroundings,
  parts: Omit<HouseParts, 'signal'>,
  { lease, isManaged, manage }: Managing,
): void {
  const onTrouble = troubleOf(surroundings, 'funds');
  const heard = isManaged ? undefined : repeat({ every: HEARD_EVERY_MS, lease, work: () => answerForManagers(parts), onTrouble });
  const running = startLeasedPart({
    lease,
    async run(signal) {
      await openHouseFunds({ ...parts, signal });
      if (!signal.aborted && isManaged) await manage(signal);
    },
    onTrouble,
  });
  const stop = async (): Promise<void> => {
    await heard?.stop();
    await running.stop();
  };
  surroundings.closing.add({ name: 'the funds of the house', stop });
}

/** Resolves when every fund of the house has been opened once; a fund that has ended is opened no more. */
export async function openHouseFunds(parts: HouseParts): Promise<void> {
  const { account: leader } = await admit(parts.accounts, addressOf(parts.leader));
  for (const fund of HOUSE_FUNDS) {
    await registerShare(parts.heart, fund);
    const { account } = await admit(parts.accounts, fundAddress(fund));
    if (isOpened(parts.heart, fund)) continue;
    const amount = atoms(fund.stake * UNIT);
    if (!(await gather(parts, leader, amount))) return;
    const { asset } = fund.share;
    const command: Command = {
      type: 'OpenFund',
      fund: asset,
      account,
      leader,
      asset: USDC.asset,
      amount,
      capacity: atoms(fund.capacity * UNIT),
    };
    // A fund that has ended leaves no fact; its shares are of no other one.
    await must(parts.heart, command, 'AlreadyRegistered');
  }
}

/** A fund of the house that holds its money and trades nothing is not silent: the house is there. */
async function answerForManagers({ heart, accounts: { directory } }: Omit<HouseParts, 'signal'>): Promise<void> {
  const facts = factsOf(heart);
  for (const { share, ...fund } of HOUSE_FUNDS) {
    const account = directory.find(fundAddress(fund))?.account;
    if (account === undefined || !facts.some((fact) => fact.type === 'FundOpened' && fact.fund === share.asset)) continue;
    if (!facts.some((fact) => isAtWork(fact, account))) await must(heart, { type: 'SendFundHeartbeat', account });
  }
}

/** Whether an account has more than free money by a fact: then only its manager can say that it is there. */
function isAtWork(fact: Event, account: AccountId): boolean {
  if (fact.type === 'PositionChanged') return fact.account === account && fact.size !== 0;
  if (fact.type !== 'BalanceChanged' || fact.account !== account) return false;
  return fact.held > NO_ATOMS || (fact.asset !== USDC.asset && fact.free > NO_ATOMS);
}

function factsOf(heart: Heart): readonly Event[] {
  const view = heart.open();
  view.close();
  return view.facts;
}

async function registerShare(heart: Heart, { share }: HouseFund): Promise<void> {
  if (factsOf(heart).some((fact) => fact.type === 'AssetRegistered' && fact.code === share.code)) return;
  await must(heart, { type: 'RegisterAsset', ...share });
}

const isOpened = (heart: Heart, { share }: HouseFund): boolean =>
  factsOf(heart).some((fact) => fact.type === 'FundOpened' && fact.fund === share.asset);

/** Waits until the leader has the money in funding; from spot it is moved there. @returns false when it is not waited for any more */
async function gather({ heart, signal }: HouseParts, account: AccountId, amount: Atoms): Promise<boolean> {
  for (let waitMs = RETRY_MS; !signal.aborted; waitMs = Math.min(RETRY_GROWTH * waitMs, RETRY_MAX_MS)) {
    const facts = factsOf(heart);
    if (freeIn(facts, account, 'funding') >= amount) return true;
    if (freeIn(facts, account, 'spot') >= amount) {
      await must(heart, {
        type: 'Transfer',
        account,
        transferId: crypto.randomUUID(),
        asset: USDC.asset,
        amount,
        from: 'spot',
        to: 'funding',
      });
      return true;
    }
    await pause(waitMs, signal);
  }
  return false;
}

function freeIn(facts: readonly Event[], account: AccountId, wallet: 'funding' | 'spot'): Atoms {
  for (const fact of facts)
    if (fact.type === 'BalanceChanged' && fact.account === account && fact.asset === USDC.asset && fact.wallet === wallet) return fact.free;
  return NO_ATOMS;
}

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true });
  });

async function must(heart: Heart, command: Command, expected?: RejectReason): Promise<void> {
  const { events } = await heart.submit(command);
  const refused = events.find((event) => event.type === 'CommandRejected');
  if (refused !== undefined && refused.reason !== expected)
    throw new Error(`a fund of the house was refused its ${command.type}: ${refused.reason} ${refused.field}`);
}

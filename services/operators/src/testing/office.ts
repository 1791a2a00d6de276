/** For tests: the service on a real database and the real engine, operators with devices, and browsers that keep cookies. */
import { localLeases } from '@orrery/foundation';
import {
  ApiError,
  type AppealDecision,
  type FiledAppeal,
  type FundDealing,
  type Budgets,
  type Call,
  type CommonFunder,
  type LostDeposit,
  type LuckyAlarmEntry,
  type NewCampaign,
  type PairTrades,
  type SuspiciousPair,
  type TaskChange,
  type WaitingWithdrawal,
  type Caller,
  type HandedInIdentity,
  type Handler,
  type Route,
} from '@orrery/api';
import type { Address } from '@orrery/units';
import { sql } from 'kysely';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Database } from '../../../../exchange/src/database.ts';
import { registerListing } from '../../../../exchange/src/listing.ts';
import { MemoryHeart } from '../../../../exchange/src/testing/memory-heart.ts';
import { temporaryDatabase } from '../../../../exchange/src/testing/temporary-database.ts';
import { openOperators, type Operators } from '../operators.ts';
import { NotedOtc } from './noted-otc.ts';
import type {
  CampaignOperations,
  ErasurePort,
  ErasureWanted,
  FundPort,
  FundResumed,
  FoundCluster,
  IdentityDecided,
  IdentityPort,
  IdentityWanted,
  LostDepositPort,
  WaitingPerson,
  WithdrawalDecided,
  WithdrawalPort,
} from '../ports.ts';
import { FIRST_PREVIOUS_HASH, migrations, type OperatorsTables } from '../tables.ts';
import { PasskeyDevice } from '../../../foundation/src/testing/passkey-device.ts';

export const ORIGIN = 'http://localhost:8080';
export const FIRST_CODE = 'the-first-code-of-all';
export const LISTED: Address = '0xe11909c5bb9ba9c542768b8272589a8ac2dd5d37' as Address;

/** A campaign that notes what it is asked for. */
export class NotedCampaign implements CampaignOperations {
  readonly admitted: Address[] = [];
  readonly admittedIds: number[] = [];
  /** Who waits. */
  readonly persons: WaitingPerson[] = [];
  /** Thrown at the next changes, in turn. */
  readonly faults: Error[] = [];
  readonly whitelist = {
    waiting: () => Promise.resolve({ list: this.persons, total: this.persons.length }),
    person: (id: number) => Promise.resolve(this.persons.find((person) => person.id === id)),
    admitWaiting: async (ids: readonly number[]) => void this.admittedIds.push(...ids),
    admit: async (addresses: readonly Address[]) => {
      this.#fail();
      this.admitted.push(...addresses);
    },
  };

  readonly terms = { pointsPerDay: 1_000, faucetClaimsPerDay: 10 };
  readonly budgets = {
    list: () => Promise.resolve({ ...this.terms }),
    change: async (terms: Budgets) => {
      this.#fail();
      Object.assign(this.terms, terms);
    },
  };
  /** What was given and taken back, in the order in which it was asked for. */
  readonly given: string[] = [];
  readonly awards = {
    of: () => Promise.resolve({ list: [], total: 0 }),
    giveManual: async ({ id, address, points, reason }: { id: string; address: Address; points: number; reason: string }) => {
      this.#fail();
      this.given.push(`${id} ${address} ${points} ${reason}`);
    },
    reverse: async ({ key, reason }: { key: string; reason: string }) => {
      this.#fail();
      this.given.push(`back ${key} ${reason}`);
    },
  };
  /** The catalogue: one task. */
  readonly task = { taskCode: 'NEWCOMER_DEPOSIT', name: 'First deposit', active: true, reward: 500, startsAt: null, endsAt: null };
  readonly tasks = {
    list: () => Promise.resolve([{ ...this.task }]),
    change: async (change: TaskChange) => {
      this.#fail();
      Object.assign(this.task, change);
    },
  };
  readonly made: (NewCampaign & { stopped: boolean })[] = [];
  readonly campaigns = {
    list: () =>
      this.made.map(({ stopped, name, ...made }) => ({
        ...made,
        name: JSON.stringify(name),
        paysAt: made.endsAt,
        volumeCapPerDay: null,
        state: stopped ? ('REVIEW' as const) : ('RUNNING' as const),
      })),
    check: ({ campaignId }: NewCampaign) => {
      if (this.made.some((made) => made.campaignId === campaignId)) throw new ApiError('KeyConflict', { field: 'campaignId' });
    },
    create: async (campaign: NewCampaign) => {
      this.#fail();
      this.made.push({ ...campaign, stopped: false });
    },
    stop: async (campaignId: string) => {
      const campaign = this.made.find((made) => made.campaignId === campaignId && !made.stopped);
      if (campaign === undefined) throw new ApiError('UnknownThing', { field: 'campaignId' });
      campaign.stopped = true;
      this.#fail();
    },
  };
  readonly rings: FoundCluster[] = [];
  readonly filed: FiledAppeal[] = [];
  readonly decided: AppealDecision[] = [];
  readonly appeals = {
    list: () => Promise.resolve({ list: this.filed, total: this.filed.length }),
    stateOf: async (id: number) => {
      const appeal = this.filed.find(({ appealId }) => appealId === id);
      if (appeal === undefined) throw new ApiError('UnknownThing', { field: 'appealId' });
      return this.decided.find(({ appealId }) => appealId === id)?.decision ?? appeal.state;
    },
    decide: async (decision: AppealDecision) => {
      this.#fail();
      this.decided.push(decision);
    },
  };
  readonly funders: CommonFunder[] = [];
  readonly pairs: SuspiciousPair[] = [];
  readonly tradesOfPairs: PairTrades[] = [];
  readonly fundDealings: FundDealing[] = [];
  readonly board = {
    clusters: () => Promise.resolve(this.rings),
    commonFunders: () => Promise.resolve(this.funders),
    pairs: () => Promise.resolve(this.pairs),
    fundDealings: () => Promise.resolve(this.fundDealings),
    pairTrades: ({ campaignId }: { readonly campaignId: string }) =>
      this.tradesOfPairs.filter(() => campaignId === this.pairs[0]?.campaignId),
  };
  readonly luckyAlarms: LuckyAlarmEntry[] = [];
  readonly resumed: string[] = [];
  readonly lucky = {
    decisions: () => Promise.resolve({ list: [], total: 0 }),
    alarms: () => Promise.resolve(this.luckyAlarms),
    resume: async ({ period, blocks }: { period: string; blocks: number }) => {
      this.#fail();
      this.resumed.push(`${period} ${blocks}`);
    },
  };

  #fail(): void {
    const fault = this.faults.shift();
    if (fault !== undefined) throw fault;
  }
}

/** Identities in memory. */
export class NotedIdentities implements IdentityPort {
  readonly handedIn: { readonly masked: HandedInIdentity; readonly full: { realName: string; documentNumber: string } }[] = [];
  readonly decided: IdentityDecided[] = [];
  /** Thrown at the next decisions, in turn. */
  readonly faults: Error[] = [];

  async waiting() {
    const list = this.#open().map(({ masked }) => masked);
    return { list, total: list.length };
  }

  async inFull({ account, reviewer }: IdentityWanted) {
    const found = this.handedIn.find(({ masked }) => masked.account === account);
    if (found === undefined) return undefined;
    return {
      ...found.masked,
      ...found.full,
      files: [{ type: 'image/png' as const, url: `/pro/p/file/download?fileId=1&reviewer=${reviewer}` }],
    };
  }

  async isWaiting({ account, handedInTime }: { account: number; handedInTime: number }) {
    return this.#open().some(({ masked }) => masked.account === account && masked.handedInTime === handedInTime);
  }

  async decide(decided: IdentityDecided) {
    const fault = this.faults.shift();
    if (fault !== undefined) throw fault;
    this.decided.push(decided);
  }

  #open() {
    return this.handedIn.filter(({ masked }) => !this.decided.some(({ account }) => account === masked.account));
  }
}

export class NotedErasures implements ErasurePort {
  /** Accounts that have money. */
  readonly full: number[] = [];
  readonly waiting: ErasureWanted[] = [];

  check({ account, abandon }: ErasureWanted) {
    if (!abandon && this.full.includes(account)) throw new ApiError('AccountNotEmpty', { field: 'abandon' });
  }

  async ask(wanted: ErasureWanted) {
    this.check(wanted);
    if (!(await this.isWaiting(wanted.account))) this.waiting.push(wanted);
  }

  async isWaiting(wanted: number) {
    return this.waiting.some(({ account }) => account === wanted);
  }

  async keep(kept: number) {
    const place = this.waiting.findIndex(({ account }) => account === kept);
    if (place !== -1) this.waiting.splice(place, 1);
  }
}

/** Withdrawals in memory. */
export class NotedWithdrawals implements WithdrawalPort {
  readonly held: WaitingWithdrawal[] = [];
  readonly decided: WithdrawalDecided[] = [];
  /** Thrown at the next decisions, in turn. */
  readonly faults: Error[] = [];

  async waiting() {
    const list = this.held.filter(({ withdrawalId }) => !this.#isDecided(withdrawalId));
    return { list, total: list.length };
  }

  async isWaiting(withdrawalId: string) {
    return this.held.some((held) => held.withdrawalId === withdrawalId) && !this.#isDecided(withdrawalId);
  }

  async decide(decided: WithdrawalDecided) {
    const fault = this.faults.shift();
    if (fault !== undefined) throw fault;
    if (!this.#isDecided(decided.withdrawalId)) this.decided.push(decided);
  }

  #isDecided(withdrawalId: string): boolean {
    return this.decided.some((decided) => decided.withdrawalId === withdrawalId);
  }
}

/** Deposits that are away, in memory. */
export class NotedLostDeposits implements LostDepositPort {
  readonly away: LostDeposit[] = [];
  /** The keys that were written off, in their order. */
  readonly writtenOff: string[] = [];
  /** Thrown at the next write-offs, in turn. */
  readonly faults: Error[] = [];

  async lost() {
    return { list: this.away, total: this.away.length };
  }

  async find(key: string) {
    return this.away.find((deposit) => deposit.key === key);
  }

  async writeOff(key: string) {
    const fault = this.faults.shift();
    if (fault !== undefined) throw fault;
    this.writtenOff.push(key);
    this.become(key, 'WRITTEN_OFF');
  }

  become(key: string, state: LostDeposit['state'] | undefined) {
    const place = this.away.findIndex((deposit) => deposit.key === key);
    const deposit = this.away[place];
    if (deposit !== undefined) this.away.splice(place, 1, ...(state === undefined ? [] : [{ ...deposit, state }]));
  }
}

/** Funds that are paused, in memory. */
export class NotedFunds implements FundPort {
  readonly paused = new Map<string, Omit<FundResumed, 'fundId'>>();
  readonly resumed: FundResumed[] = [];

  async pauseOf(fundId: string) {
    return this.paused.get(fundId);
  }

  async resume(resumed: FundResumed) {
    this.paused.delete(resumed.fundId);
    this.resumed.push(resumed);
  }
}

export interface Office {
  readonly timelockMs: number;
  readonly db: Database<OperatorsTables>;
  readonly heart: MemoryHeart;
  readonly campaign: NotedCampaign;
  readonly identities: NotedIdentities;
  readonly erasures: NotedErasures;
  readonly withdrawals: NotedWithdrawals;
  readonly lostDeposits: NotedLostDeposits;
  readonly otc: NotedOtc;
  readonly funds: NotedFunds;
  readonly clock: { now: number; wall?: number };
  readonly troubles: unknown[];
  operators: Operators;
  /** Of the installation, for its next start. */
  readonly settings: { firstCode: string };
  readonly auditHeadsFile: string;
  /** The service again on the same database, as after a restart. */
  reopen(): Promise<void>;
  close(): Promise<void>;
}

const EMPTY = [
  `truncate operators_operator, operators_passkey, operators_session, operators_code, operators_proposal, operators_action,
    operators_audit, operators_notice, operators_block, operators_arbiter restart identity`,
  `update operators_audit_head set seq = 0, hash = '${FIRST_PREVIOUS_HASH}'`,
];

export const openDatabase = (): Promise<Database<OperatorsTables>> => temporaryDatabase<OperatorsTables>(migrations);

/** On an empty database: what others left in it is thrown away. */
export async function openOffice(db: Database<OperatorsTables>, { timelockMs = 0 }: { timelockMs?: number } = {}): Promise<Office> {
  for (const statement of EMPTY) await sql.raw(statement).execute(db.sql);
  const clock: Office['clock'] = { now: 1_795_000_000_000 };
  const heart = new MemoryHeart(() => clock.now);
  await registerListing(heart);
  const campaign = new NotedCampaign();
  const identities = new NotedIdentities();
  const erasures = new NotedErasures();
  const withdrawals = new NotedWithdrawals();
  const lostDeposits = new NotedLostDeposits();
  const otc = new NotedOtc();
  const funds = new NotedFunds();
  const troubles: unknown[] = [];
  const settings = { firstCode: FIRST_CODE };
  const directory = await mkdtemp(join(tmpdir(), 'orrery-office-'));
  const auditHeadsFile = join(directory, 'audit-heads');
  const open = (): Promise<Operators> =>
    openOperators({
      leases: localLeases(),
      heart,
      db: db.sql,
      campaign,
      identities,
      erasures,
      withdrawals,
      lostDeposits,
      otc,
      funds,
      blockedAddresses: [LISTED],
      firstCode: settings.firstCode,
      timelockMs,
      auditHeadsFile,
      challengeKey: Buffer.alloc(32, 7),
      now: () => clock.now,
      wallMs: () => clock.wall ?? clock.now,
      onTrouble: (error) => troubles.push(error),
    });
  const office = {
    timelockMs,
    db,
    heart,
    campaign,
    identities,
    erasures,
    withdrawals,
    lostDeposits,
    otc,
    funds,
    clock,
    troubles,
    settings,
    auditHeadsFile,
    operators: await open(),
    async reopen() {
      await office.operators.stop();
      office.operators = await open();
    },
    async close() {
      await office.operators.stop();
      await rm(directory, { recursive: true });
    },
  };
  return office;
}

/** An operator at a browser of their own. */
export class Desk {
  readonly device = new PasskeyDevice();
  readonly cookies: Record<string, string | undefined> = {};
  readonly cookieOptions: unknown[] = [];
  readonly #office: Office;
  readonly #origin: string;

  constructor(office: Office, origin: string = ORIGIN) {
    this.#office = office;
    this.#origin = origin;
  }

  caller(): Caller {
    return {
      ip: '127.0.0.1',
      neighbourhood: '127.0.0.0/24',
      userAgent: 'test',
      origin: this.#origin,
      cookies: { ...this.cookies },
      bearer: undefined,
      committed: () => undefined,
      weigh: () => undefined,
      setCookie: (name, value, options) => {
        this.cookieOptions.push(options);
        this.cookies[name] = options.maxAgeSeconds === 0 ? undefined : value;
      },
    };
  }

  /** As the gateway calls it. What the role may is the gateway's to decide. */
  async call<R extends Route>(handler: Handler<R>, parts: { query?: unknown; body?: unknown } = {}) {
    const principal = await this.#office.operators.enter(this.caller());
    return handler({ query: {}, body: {}, ...parts, principal, caller: this.caller() } as Call<R>);
  }

  async knock<R extends Route>(handler: Handler<R>, body: unknown) {
    return handler({ query: undefined, principal: undefined, body, caller: this.caller() } as Call<R>);
  }

  async register({ code, name, unverified = false }: { code: string; name: string; unverified?: boolean }) {
    const { door } = this.#office.operators.handlers;
    const { challenge } = await this.knock(door.passkeyCreation, { code, name });
    return this.knock(door.registerOperator, { code, ...this.device.make(challenge, { origin: this.#origin, unverified }) });
  }

  async signIn({ unverified = false }: { unverified?: boolean } = {}) {
    const { door } = this.#office.operators.handlers;
    const { challenge } = await this.knock(door.passkeyRequest, {});
    return this.knock(door.signInOperator, this.device.prove(challenge, { origin: this.#origin, unverified }));
  }

  /** As this operator reads it, newest first. */
  auditLog() {
    return this.call(this.#office.operators.handlers.operator.auditLog, { query: { pageSize: 100 } });
  }

  /** Who did what, in the order in which it was done. */
  async actions(): Promise<readonly string[]> {
    return (await this.auditLog()).list.map((row) => `${row.operator} ${row.action}`).toReversed();
  }

  signOut() {
    return this.knock(this.#office.operators.handlers.door.signOutOperator, {});
  }
}

/** alice is the first operator, an admin; bob the second, whom she invited alone. */
export async function people(office: Office): Promise<{ alice: Desk; bob: Desk }> {
  const alice = new Desk(office);
  await alice.register({ code: FIRST_CODE, name: 'alice' });
  const { code } = await alice.call(office.operators.handlers.operator.inviteOperator, { body: { name: 'bob', role: 'operator' } });
  if (office.timelockMs > 0) {
    office.clock.now += office.timelockMs;
    await office.operators.runDue();
    await alice.signIn();
  }
  const bob = new Desk(office);
  await bob.register({ code, name: 'bob' });
  return { alice, bob };
}

/** The reason of the refusal, with the field it names; `undefined` when there was none. */
export async function refusalOf(promise: Promise<unknown>): Promise<string | undefined> {
  try {
    await promise;
    return undefined;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const { reason, field } = error.data;
    return field === '' ? reason : `${reason} ${field}`;
  }
}

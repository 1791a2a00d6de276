/** Everything of one seed together: the exchange through its lives, its clients, what goes wrong, and what must hold all the same. */
import { assetIdOf, MARKETS } from '@orrery/exchange/listing';
import type { Authenticator } from '@orrery/gateway';
import type { Market } from '@orrery/protocol';
import { assert, millis, ticks, type AccountId, type Address } from '@orrery/units';
import { ChainSite, COINS } from './chain/chain-site.ts';
import { Chance } from './chance.ts';
import { Outside } from './clients/outside.ts';
import { Hand } from './clients/hand.ts';
import { Person, type Character } from './clients/person.ts';
import { Remote } from './clients/remote.ts';
import { rebuiltDiffers } from './database/rebuild.ts';
import type { Answer, Call } from './door.ts';
import { BEGINNING, Host } from './host.ts';
import { meet, type Scene } from './meet.ts';
import { Meters } from './meters.ts';
import { Net } from './net.ts';
import { ChainAudit } from './oracle/chain-audit.ts';
import { servedAgain } from './oracle/repeats.ts';
import { Witness } from './oracle/witness.ts';
import { FundFeed } from './fund-feed.ts';
import { FuturesFeed, futuresOf } from './futures-feed.ts';
import { OtcFlow } from './otc-flow.ts';
import { HOUR, MINUTE, type Plan } from './plan.ts';
import { plantedCall, type Plant } from './plant.ts';
import type { Program } from './program.ts';
import { Registrar } from './registrar.ts';
import { Timeline } from './timeline.ts';
import { Violation } from './violation.ts';

export interface WorldOptions {
  readonly seed: number;
  readonly hours: number;
  readonly plan: Plan;
  readonly plant?: Plant | undefined;
}

const HEAL_MS = 10 * MINUTE;
/** Longer than any withdrawal can be paid, and long enough to be final after that. */
const SETTLE_MINUTES = 90;
const PRICE_EVERY_MS = MINUTE;
/** How much oftener than others they act: their books are theirs alone. */
const FUTURES_HASTE = 3;
/** Of USDC, in atoms. */
const DOLLAR = 1_000_000n;
/** Beyond the people. */
const LIQUIDATOR_INDEX = 1_000;
/** What a trader of contracts moves to where their margin is. */
const MARGIN = [
  { coin: 'USDC', amount: '5000', to: 'futures' },
  { coin: 'BTC', amount: '0.05', to: 'coinFutures' },
] as const;

const tradesContracts = (character: Character): boolean => character === 'futuresTrader' || character === 'handAccount';

export class World {
  readonly meters = new Meters();
  readonly witness: Witness;
  readonly #timeline = new Timeline();
  readonly #options: WorldOptions;
  readonly #chance: Chance;
  readonly #net: Net;
  readonly #registrar: Registrar;
  readonly #outside: Outside;
  readonly #feed: FuturesFeed | undefined;
  readonly #fund: FundFeed | undefined;
  readonly #desk: OtcFlow | undefined;
  readonly #people: Person[] = [];
  readonly #hand = new Hand();
  readonly #sessions = new Map<string, { account: AccountId; address: Address }>();
  readonly #site: ChainSite | undefined;
  readonly #chainAudit: ChainAudit | undefined;
  #opened: Host | undefined;
  #orders: Promise<void> = Promise.resolve();
  #violation: unknown;
  #isHealing = false;

  constructor(options: WorldOptions) {
    this.#options = options;
    this.#chance = new Chance(`seed ${options.seed}`);
    this.#net = new Net(this.#timeline, this.#chance.split('net'));
    const { swarm } = options.plan;
    const hasContracts = swarm.futuresTraders > 0;
    this.witness = new Witness(this.meters, hasContracts ? 'all' : 'spot');
    this.#site = swarm.hasChain
      ? new ChainSite({ timeline: this.#timeline, chance: this.#chance.split('chain'), swarm, beginning: BEGINNING })
      : undefined;
    if (this.#site !== undefined) {
      const audit = new ChainAudit(this.#site);
      this.#chainAudit = audit;
      this.#site.node.hidesPayouts = options.plant === 'refundsPaid';
      this.witness.alsoHears.push((events) => audit.hear(events));
    }
    this.#outside = new Outside(this.#chance.split('outside'));
    this.#registrar = new Registrar({
      timeline: this.#timeline,
      heart: () => this.#host.heart,
      onGift: (coin, amount) => this.#endow(coin, amount),
    });
    if (!hasContracts) return;
    this.#feed = new FuturesFeed({
      contracts: futuresOf(swarm.contracts),
      timeline: this.#timeline,
      outside: this.#outside,
      wallMs: () => this.#host.wallMs,
      offer: (command) => this.#registrar.offer(command),
    });
    const desk = new OtcFlow({
      chance: this.#chance.split('otc'),
      timeline: this.#timeline,
      outside: this.#outside,
      registrar: this.#registrar,
      coin: assetIdOf('BTC'),
      money: assetIdOf('USDC'),
    });
    this.#desk = desk;
    this.witness.alsoHears.push((events) => desk.hear(events));
    const [contract] = this.#feed.contracts;
    if (contract?.payoff !== 'linear') return;
    this.#fund = new FundFeed({
      chance: this.#chance.split('fund'),
      timeline: this.#timeline,
      registrar: this.#registrar,
      contract,
      price: () => this.#feed?.price(contract) ?? 0,
    });
  }

  /** What happened last, in sentences. */
  get log(): readonly string[] {
    return this.#opened?.log ?? [];
  }

  /** @throws Violation, or whatever else went wrong that may not. */
  async run(): Promise<void> {
    const { plan, hours, plant } = this.#options;
    this.#opened = await Host.open({
      timeline: this.#timeline,
      chance: this.#chance,
      swarm: plan.swarm,
      witness: this.witness,
      meters: this.meters,
      authenticator: this.#authenticator(),
      plant,
      site: this.#site,
      contracts: this.#feed?.contracts ?? [],
      onViolation: this.#violate,
    });
    this.#host.start();
    this.#site?.produce();
    this.#populate();
    this.#bringPrices();
    if (this.#feed !== undefined) {
      void this.#openHouse().catch(this.#violate);
      this.#feed.start();
      void this.#fund?.open().catch(this.#violate);
      void this.#desk?.start().catch(this.#violate);
    }
    this.#schedule();
    await this.#until(hours * HOUR);
    await this.#heal();
    this.#count();
  }

  get #host(): Host {
    assert(this.#opened !== undefined, 'the host stands while the world runs');
    return this.#opened;
  }

  get #markets(): readonly Market[] {
    return MARKETS.slice(0, this.#options.plan.swarm.markets);
  }

  readonly #violate = (error: unknown): void => {
    this.#violation ??= error;
  };

  async #until(time: number): Promise<void> {
    await this.#timeline.runUntil(time, () => this.#violation !== undefined);
    if (this.#violation !== undefined) throw this.#violation;
  }

  #schedule(): void {
    const scene: Scene = {
      timeline: this.#timeline,
      host: this.#host,
      net: this.#net,
      clients: () => this.#people,
      markets: this.#markets,
      feed: this.#feed,
      // One after the other, or what was taken back late would be taken back first.
      order: (command) => {
        this.#orders = this.#orders.then(() => this.#registrar.submit(command)).then(() => undefined, this.#violate);
      },
    };
    for (const fault of this.#options.plan.faults) {
      this.#timeline.after(fault.at, () => {
        this.meters.count(`fault ${fault.kind}`);
        this.meters.count(`fault ${fault.kind} while ${this.#host.state}`);
        meet(fault, this.#chance.split(`fault ${fault.kind} ${fault.at}`), scene);
      });
    }
  }

  // ---- people ------------------------------------------------------------------------------------------------------

  #authenticator(): Authenticator {
    const endsAt = millis(Number.MAX_SAFE_INTEGER);
    return {
      session: (token) => {
        const session = this.#sessions.get(token);
        if (session === undefined) return 'SessionExpired';
        return { ...session, via: 'session', credential: token, permission: 'TRADE', tier: 'standard', endsAt };
      },
      apiKey: () => 'InvalidApiKey',
      checkWithdrawal: async () => undefined,
      levelOf: () => 1,
      onRevoked: () => () => undefined,
    };
  }

  #endow(coin: string, amount: bigint): void {
    if (this.#site === undefined || !COINS.includes(coin)) return;
    const { endowment } = this.#site.chain;
    const token = this.#site.tokenOf(coin);
    endowment.set(token, (endowment.get(token) ?? 0n) + amount);
  }

  #populate(): void {
    const { swarm } = this.#options.plan;
    const cast: [Character, number][] = [
      ['trader', swarm.traders],
      ['marketMaker', swarm.marketMakers],
      ['dustFarmer', swarm.dustFarmers],
      ['whale', swarm.whales],
      ['washer', swarm.washRings * 2],
      ['futuresTrader', swarm.futuresTraders],
      ['handAccount', swarm.handAccounts],
    ];
    let index = 0;
    for (const [character, count] of cast) {
      for (let number = 1; number <= count; number += 1) {
        index += 1;
        void this.#admit(character, index).catch(this.#violate);
      }
    }
  }

  /** The insurance fund has little, so that a gap of prices may exhaust it. */
  async #openHouse(): Promise<void> {
    const liquidator = await this.#registrar.admit(LIQUIDATOR_INDEX);
    await this.#registrar.insure({ coin: 'USDC', amount: '5000' });
    await this.#registrar.insure({ coin: 'BTC', amount: '0.05' });
    await this.#registrar.submit({ type: 'SetLiquidator', account: liquidator.account });
  }

  async #admit(character: Character, index: number): Promise<void> {
    const newcomer = await this.#registrar.admit(index);
    const scale = character === 'whale' ? '0000' : '';
    for (const { coin, amount } of [
      { coin: 'USDC', amount: `200000${scale}` },
      { coin: 'BTC', amount: `2${scale}` },
      { coin: 'ETH', amount: `50${scale}` },
      { coin: 'SOL', amount: `900${scale}` },
    ])
      await this.#registrar.fund(newcomer, { coin, amount });
    if (tradesContracts(character)) await this.#registrar.stake(newcomer, MARGIN);
    if (character === 'handAccount') this.witness.hand.join(newcomer.account);
    const name = `${character}${index}`;
    const token = `token-of-${name}`.padEnd(24, '-');
    this.#sessions.set(token, newcomer);
    const person = new Person({
      ...newcomer,
      name,
      character,
      token,
      chance: this.#chance.split(`person ${name}`),
      remote: new Remote({
        client: name,
        net: this.#net,
        timeline: this.#timeline,
        serve: (call) => this.#serve(call, newcomer.account),
        onViolation: this.#violate,
      }),
      timeline: this.#timeline,
      witness: this.witness,
      meters: this.meters,
      thinkMs: this.#options.plan.swarm.thinkMs / (tradesContracts(character) ? FUTURES_HASTE : 1),
      hand: this.#hand,
      sights: () => this.#markets.map((market) => ({ market, price: this.#outside.price(market, this.#timeline.now) })),
      futures: () => (this.#feed?.contracts ?? []).map((contract) => ({ contract, price: this.#feed?.price(contract) ?? 0 })),
      wallMs: () => this.#host.wallMs,
      site: this.#site,
      onViolation: this.#violate,
    });
    this.#people.push(person);
    if (this.#isHealing) person.becomeQuiet();
    await person.live();
  }

  #serve(call: Call, account: AccountId): Promise<Answer> | undefined {
    const { program } = this.#host;
    if (program === undefined) return undefined;
    const serve = (asked: Call): Promise<Answer> => program.door.call(plantedCall(asked, this.#options.plant));
    const answering = servedAgain(call, { account, witness: this.witness, serve });
    // The dead send nothing, although their promises go on.
    return answering.then((answer) => (program.isAlive ? answer : new Promise(() => undefined)));
  }

  #bringPrices(): void {
    for (const market of this.#markets) {
      const price = ticks(this.#outside.price(market, this.#timeline.now));
      void this.#registrar.offer({ type: 'SetIndexPrice', market: market.market, price });
    }
    if (!this.#isHealing) this.#timeline.after(PRICE_EVERY_MS, () => this.#bringPrices());
  }

  // ---- the end -----------------------------------------------------------------------------------------------------

  /** No further faults: now every client must resolve every outcome. */
  async #heal(): Promise<void> {
    this.#isHealing = true;
    this.#feed?.end();
    this.#fund?.end();
    this.#desk?.end();
    this.#host.heal();
    this.#net.clearUp();
    for (const person of this.#people) person.becomeQuiet();
    await this.#until(this.#timeline.now + HEAL_MS);
    const acting = this.#people.filter((person) => person.isActing).map(({ name }) => name);
    if (acting.length > 0) throw new Violation('liveness', `${acting.join(', ')} still wait for an answer`);
    await this.#resolveUnknowns();
    await this.#settleChain();
    await this.#proveReadModel(this.#mustRun('after all was healed'));
    await this.#proveHistory(this.#mustRun('at the end'));
  }

  #mustRun(when: string): Program {
    const { program } = this.#host;
    if (program === undefined) throw new Violation('liveness', `the program does not run ${when}`);
    return program;
  }

  async #resolveUnknowns(): Promise<void> {
    let isResolved = false;
    void Promise.all(this.#people.map((person) => person.resolveUnknowns())).then(() => (isResolved = true), this.#violate);
    await this.#until(this.#timeline.now + HEAL_MS);
    if (!isResolved) throw new Violation('liveness', 'what clients do not know could not be found out');
  }

  /** Until nothing is in flight between the ledger and the chain; then both must agree. */
  async #settleChain(): Promise<void> {
    const audit = this.#chainAudit;
    if (audit === undefined) return;
    const isSettled = (): boolean =>
      audit.openWithdrawals === 0 && audit.unpaid.length === 0 && audit.uncredited().length === 0 && audit.away().length === 0;
    for (let minute = 0; minute < SETTLE_MINUTES && !isSettled(); minute += 1) await this.#until(this.#timeline.now + MINUTE);
    if (!isSettled()) {
      const halted = this.#mustRun('while the chain settles').indexer?.unready() ?? 'nothing is halted';
      const [unpaid] = audit.unpaid;
      if (unpaid !== undefined) throw new Violation('D4', `withdrawal ${unpaid} is posted, and the vault has not paid it: ${halted}`);
      const sentence = `${audit.openWithdrawals} withdrawals and ${audit.uncredited().length} deposits are in flight and ${audit.away().length} away after ${SETTLE_MINUTES} minutes: ${halted}`;
      throw new Violation('liveness', sentence);
    }
    audit.assertSettled(this.witness);
    this.meters.count('deposits credited', audit.credits);
    this.meters.count('withdrawals ended', audit.withdrawals);
    this.meters.count('deposits written off', audit.writtenOff);
    this.meters.count('deposits back after their write-off', audit.returned);
  }

  /** The written history is complete, and equals one rebuilt from zero. */
  async #proveReadModel({ heart, projector }: Program): Promise<void> {
    const { lag, failure } = projector.status();
    if (lag > 0 || failure !== undefined) throw new Violation('liveness', `history in SQL lags ${lag} behind: ${failure ?? 'and goes on'}`);
    const difference = await rebuiltDiffers(heart, this.#host.database);
    if (difference !== undefined) throw new Violation('J1', `history written anew differs: ${difference}`);
  }

  /** The same state from the last snapshot and from the first command, and as this world knows it. */
  async #proveHistory({ heart }: Program): Promise<void> {
    this.witness.assertSound();
    if (heart.status().seq !== this.witness.seq)
      throw new Violation('R7', `history ends with command ${heart.status().seq}, and ${this.witness.seq} were reported`);
    this.witness.expectHash(heart.status());
    const host = this.#host;
    host.die('the end', 0);
    host.failPower(this.#chance.split('the end'), 0);
    await this.#until(this.#timeline.now + MINUTE);
    this.#mustRun('after the end');
    host.die('the end', 0);
    for (const path of host.platter.names.keys()) if (path.endsWith('.snapshot')) host.platter.names.delete(path);
    await this.#until(this.#timeline.now + MINUTE);
    this.#mustRun('without its snapshots');
  }

  #count(): void {
    this.meters.count('commands', this.witness.seq);
    // Whole dollars.
    this.meters.count('trade of a hand with others', this.witness.hand.trades);
    this.meters.count('borne for a hand', Number(this.witness.hand.borne / DOLLAR));
    this.meters.count('happenings', this.#timeline.happened);
    this.meters.count('messages lost', this.#net.lost);
    this.meters.count('messages repeated', this.#net.repeated);
    this.meters.count('messages stopped by partitions', this.#net.stopped);
  }
}

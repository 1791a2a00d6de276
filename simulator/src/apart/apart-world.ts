/**
 * Markets over two hearts: each has one market, a journal and balances of its own, and money moves between them in two journaled halves (docs/capacity.md).
 * The first half is a withdrawal that is held, the second a credit under the same key, and the first heart is settled when the credit is history. Hearts lose
 * what they have not synced, messages are lost and doubled, and two movers act at once.
 */
import { ASSETS, MARKETS } from '@orrery/exchange/listing';
import type { Command } from '@orrery/protocol';
import {
  accountId,
  type Address,
  assert,
  type AssetId,
  type Atoms,
  atoms,
  lots,
  NO_ATOMS,
  NO_TICKS,
  parseAddress,
  ppm,
  ticks,
} from '@orrery/units';
import { Chance } from '../chance.ts';
import { Meters } from '../meters.ts';
import { ApartHeart } from './apart-heart.ts';
import { ApartJudge } from './apart-judge.ts';
import { LossyNet } from './lossy-net.ts';
import { type ApartPlant, Mover } from './mover.ts';

export interface ApartOptions {
  readonly seed: number;
  readonly steps: number;
  readonly plant?: ApartPlant;
}

const PEOPLE = 5;
const MOVERS = 2;
/** Of each asset at each heart, in atoms. */
const RICH = 10n ** 21n;
const MID = 100_000;
const CHECK_EVERY = 100;
/** Of the acts that are drawn: more than are sent. */
const DELIVERIES = 8;
/** More than any run needs, when nothing is lost. */
const CALM_STEPS = 200_000;

const people = Array.from({ length: PEOPLE }, (_, index) => index + 1);
const moved = ASSETS.filter(({ kind }) => kind === 'chain').map(({ asset }) => asset);

export class ApartWorld {
  readonly meters = new Meters();
  readonly #chance: Chance;
  readonly #judge = new ApartJudge();
  readonly #hearts: readonly [ApartHeart, ApartHeart];
  readonly #net: LossyNet;
  readonly #movers: Mover[];
  readonly #fromOutside = new Map<AssetId, Atoms>();
  readonly #options: ApartOptions;
  #names = 0;

  constructor(options: ApartOptions) {
    this.#options = options;
    this.#chance = new Chance(`apart ${options.seed}`);
    const heart = (name: string): ApartHeart => new ApartHeart(name, (event) => this.#judge.hear(name, event));
    this.#hearts = [heart('one'), heart('other')];
    this.#net = new LossyNet(this.#chance.split('net'), this.meters);
    const parts = {
      hearts: this.#hearts,
      stranger: addressOf(PEOPLE),
      net: this.#net,
      chance: this.#chance.split('movers'),
      plant: options.plant,
    };
    this.#movers = Array.from({ length: MOVERS }, () => new Mover(parts));
  }

  /** @throws Violation */
  run(): void {
    this.#hearts.forEach((heart, at) => this.#found(heart, at));
    for (let step = 1; step <= this.#options.steps; step += 1) {
      this.#act();
      if (step % CHECK_EVERY === 0) this.#check();
    }
    this.#net.isCalm = true;
    for (let step = 0; step < CALM_STEPS && !this.#isAtRest; step += 1) this.#finish();
    this.#check();
    this.#judge.checkAllArrived();
    const { debits, credits } = this.#judge.counts;
    this.meters.count('money left a heart', debits);
    this.meters.count('money arrived at the other', credits);
  }

  get #isAtRest(): boolean {
    return this.#net.isIdle && this.#hearts.every(({ inTransit, uncertain }) => inTransit.length === 0 && uncertain.length === 0);
  }

  /** Everybody is at both, with half of the money. */
  #found(heart: ApartHeart, at: number): void {
    for (const asset of ASSETS) heart.submit({ type: 'RegisterAsset', ...asset });
    const market = MARKETS[at];
    assert(market !== undefined, 'a market for each heart');
    heart.submit({ type: 'RegisterMarket', ...market });
    for (const person of people) this.#moveIn(heart, person);
    heart.sync();
  }

  #moveIn(heart: ApartHeart, person: number): void {
    const [account, address] = [accountId(person), addressOf(person)];
    heart.submit({ type: 'OpenAccount', address });
    for (const flag of ['termsAccepted', 'whitelisted', 'connected'] as const)
      heart.submit({ type: 'SetAccountFlag', account, flag, value: true });
    for (const asset of moved) {
      const amount = atoms(RICH);
      heart.submit({ type: 'CreditDeposit', key: `first:${person}:${asset}`, address, asset, amount });
      this.#fromOutside.set(asset, atoms((this.#fromOutside.get(asset) ?? 0n) + amount));
      heart.submit({ type: 'Transfer', account, transferId: `in-${asset}`, asset, amount: atoms(RICH / 2n), from: 'funding', to: 'spot' });
    }
  }

  #act(): void {
    const chance = this.#chance;
    const heart = chance.pick(this.#hearts);
    const acts: readonly [() => void, ...(() => void)[]] = [
      () => this.#trade(heart),
      () => this.#trade(heart),
      () => this.#debit(heart),
      () => this.#moveMoney(heart),
      () => chance.some(this.#movers)?.act(),
      ...Array.from({ length: DELIVERIES }, () => () => this.#net.deliverOne()),
      () => heart.sync(),
      () => heart.sync(),
      () => this.#fail(heart),
    ];
    chance.pick(acts)();
  }

  #finish(): void {
    const chance = this.#chance;
    chance.some(this.#movers)?.act();
    this.#net.deliverOne();
    chance.pick(this.#hearts).sync();
  }

  #fail(heart: ApartHeart): void {
    const chance = this.#chance;
    if (chance.oneIn(3)) {
      if (heart.uncertain.some(({ type }) => type === 'WithdrawalHeld')) this.meters.count('crash that took a debit back');
      if (heart.uncertain.some(({ type }) => type === 'DepositCredited')) this.meters.count('crash that took a credit back');
      if (heart.uncertain.some(({ type }) => type === 'WithdrawalPosted')) this.meters.count('crash that took a settlement back');
      heart.crash();
      return;
    }
    // A credit is refused to nobody: of a blocked account it waits in suspense.
    const value = chance.oneIn(2);
    heart.submit({ type: 'SetAccountFlag', account: accountId(1), flag: 'blocked', value });
    this.meters.count(`account ${value ? 'blocked' : 'unblocked'}`);
  }

  #trade(heart: ApartHeart): void {
    const chance = this.#chance;
    const market = MARKETS[this.#hearts.indexOf(heart)];
    if (market === undefined) return;
    const [side, order] = [chance.pick(['buy', 'sell']), this.#name()];
    this.#submit(heart, {
      type: 'PlaceOrder',
      account: accountId(chance.between(1, PEOPLE)),
      market: market.market,
      clientOrderId: `order-${order}`,
      side,
      orderType: 'limit',
      timeInForce: 'GTC',
      price: ticks(MID + chance.between(-4, 4)),
      size: lots(100 * chance.between(1, 5)),
      funds: NO_ATOMS,
      triggerPrice: NO_TICKS,
      slippagePpm: ppm(0),
      selfTradePrevention: 'expireTaker',
    });
  }

  /** The first half. It is asked for again while no answer has come. */
  #debit(heart: ApartHeart): void {
    const chance = this.#chance;
    const person = chance.between(1, PEOPLE);
    const withdrawalId = `0x${this.#name().toString(16).padStart(64, '0')}`;
    // Some ask for more than they have: what can be refused is refused here.
    const amount = atoms(RICH / BigInt(chance.between(1, 40)));
    const asset = chance.some(moved);
    if (asset === undefined) return;
    const command = { type: 'RequestWithdrawal', account: accountId(person), withdrawalId, asset, amount, to: addressOf(person) } as const;
    for (let tries = chance.between(1, 3); tries > 0; tries -= 1) this.#net.send(() => this.#submit(heart, command));
  }

  #moveMoney(heart: ApartHeart): void {
    const chance = this.#chance;
    const [from, to] = chance.pick([
      ['funding', 'spot'],
      ['spot', 'funding'],
    ]);
    const asset = chance.some(moved);
    if (asset === undefined) return;
    const amount = atoms(RICH / BigInt(chance.between(1, 20)));
    const account = accountId(chance.between(1, PEOPLE));
    this.#submit(heart, { type: 'Transfer', account, transferId: `move-${this.#name()}`, asset, amount, from, to });
  }

  #submit(heart: ApartHeart, command: Command): void {
    heart.submit(command, ([event]) => {
      this.meters.count(event?.type === 'CommandRejected' ? `rejected ${command.type} ${event.reason}` : `done ${command.type}`);
    });
  }

  #check(): void {
    for (const heart of this.#hearts) heart.sync();
    this.#judge.checkSum(this.#hearts, this.#fromOutside);
  }

  #name(): number {
    this.#names += 1;
    return this.#names;
  }
}

function addressOf(person: number): Address {
  const address = parseAddress(`0x${person.toString(16).padStart(40, '0')}`);
  assert(address !== undefined, 'an address of 40 hex digits');
  return address;
}

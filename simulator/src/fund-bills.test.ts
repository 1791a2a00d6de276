/** The bills of everybody around a fund add up to what they have, whatever becomes of it. */
import { expect, test } from 'vitest';
import { createEngine } from '@orrery/engine';
import type { Contract, Event, Market, Trade } from '@orrery/protocol';
import { assert, seq } from '@orrery/units';
import { Chance } from '../../core/engine/src/testing/chance.ts';
import { RandomFunds, type TimedCommand } from '../../core/engine/src/testing/random-funds.ts';
import { contractFees, contractMovements } from '../../services/projector/src/contract-movements.ts';
import { fundMovements } from '../../services/projector/src/fund-movements.ts';
import { type Movement, movementsOf } from '../../services/projector/src/movements.ts';

const COMMANDS = 3_000;
/** One episode may end before a fund does: further ones are played until everything was seen, up to this number. */
const EPISODES_MAX = 40;
const WANTED = ['FundSubscribed', 'FundRedeemed', 'FundMoneyMoved', 'FundPaidOut', 'FundEnded'];
const seed = Number(process.env['ORRERY_SEED'] ?? Math.floor(Math.random() * 1_000_000_000));

class Bills {
  readonly #contracts = new Map<number, Contract>();
  readonly #markets = new Map<number, Market>();
  readonly #sums = new Map<string, bigint>();
  /** Whether the command liquidates: that settles accounts as a whole, and their futures wallets are what they are. */
  #isLiquidating = false;

  follow(events: readonly Event[]): void {
    for (const event of events) {
      if (event.type === 'ContractRegistered') this.#contracts.set(event.market, event);
      if (event.type === 'MarketRegistered') this.#markets.set(event.market, event);
      for (const { account, wallet, asset, amount } of this.#movements(event)) this.#add(`${account} ${wallet} ${asset}`, amount);
    }
    this.#isLiquidating = events.some(({ type }) => type === 'LiquidationStep');
    for (const event of events) if (event.type === 'BalanceChanged') this.#compare(event);
  }

  #compare({ account, wallet, asset, free, held }: Extract<Event, { type: 'BalanceChanged' }>): void {
    const place = `${account} ${wallet} ${asset}`;
    const is = free + held;
    if (wallet === 'futures' && this.#isLiquidating) this.#sums.set(place, is);
    assert((this.#sums.get(place) ?? 0n) === is, `the bills of ${place} add up to ${this.#sums.get(place) ?? 0n}, and there are ${is}`);
  }

  #add(place: string, amount: bigint): void {
    this.#sums.set(place, (this.#sums.get(place) ?? 0n) + amount);
  }

  #movements(event: Event): readonly Movement[] {
    if (event.type === 'Trade') {
      const contract = this.#contracts.get(event.market);
      return contract === undefined ? movementsOf(event, this.#marketOf) : contractFees(event, contract);
    }
    const contract = (market: number): Contract => {
      const found = this.#contracts.get(market);
      assert(found !== undefined, 'a position is of a contract');
      return found;
    };
    return [...contractMovements(event, { contract, reference: '' }), ...fundMovements(event), ...movementsOf(event, this.#marketOf)];
  }

  readonly #marketOf = ({ market }: Trade): Market => {
    const found = this.#markets.get(market);
    assert(found !== undefined, 'a trade is of a market');
    return found;
  };
}

test('M2: what funds do to the wallets of people is in their bills', { timeout: 120_000 }, () => {
  console.log(`ORRERY_SEED=${seed}`);
  const seen = new Set<string>();
  const isWhole = (): boolean => WANTED.every((type) => seen.has(type));
  for (let episode = 0; episode < 2 || (episode < EPISODES_MAX && !isWhole()); episode += 1) playEpisode(seed + episode, seen);
  expect(WANTED.filter((type) => !seen.has(type))).toEqual([]);
});

function playEpisode(episodeSeed: number, seen: Set<string>): void {
  const random = new RandomFunds(new Chance(episodeSeed));
  const bills = new Bills();
  const engine = createEngine();
  let count = 0;
  const give = ({ at, command }: TimedCommand): void => {
    count += 1;
    const events = engine.apply({ seq: seq(count), at, command });
    for (const { type } of events) seen.add(type);
    random.follow(events);
    bills.follow(events);
  };
  for (let index = 0; index < COMMANDS; index += 1) {
    const timed = random.next();
    for (let due = engine.due(timed.at); due !== undefined; due = engine.due(timed.at)) give({ at: timed.at, command: due });
    give(timed);
    for (let next = engine.continuation(); next !== undefined; next = engine.continuation()) give({ at: timed.at, command: next });
  }
}

import { createEngine, type Engine } from '@orrery/engine';
import type { Event } from '@orrery/protocol';
import { accountId, marketId, seq, type MarketId } from '@orrery/units';
import { describe, expect, test } from 'vitest';
import { RandomCommands } from '../../engine/src/testing/random-commands.ts';
import { AccountsView } from './accounts.ts';
import { BalancesView } from './balances.ts';
import { DepthView } from './depth.ts';
import { advance, load, mayRegister } from './fold.ts';
import { MarketsView } from './markets.ts';
import { OrdersView } from './orders.ts';
import { TradesView } from './trades.ts';

const MARKETS = [marketId(1), marketId(2)];

class Views {
  readonly accounts = new AccountsView();
  readonly balances = new BalancesView();
  readonly markets = new MarketsView();
  readonly orders = new OrdersView();
  readonly trades = new TradesView();
  readonly depths: ReadonlyMap<MarketId, DepthView> = new Map(MARKETS.map((market) => [market, new DepthView(market)]));
  readonly all = [this.accounts, this.balances, this.markets, this.orders, this.trades, ...this.depths.values()];

  /** Everything the views say that does not depend on when they were loaded. */
  said(): unknown {
    const accounts = this.accounts.accounts().toSorted((left, right) => left.account - right.account);
    return {
      accounts,
      balances: accounts.map(({ account }) =>
        this.balances
          .of(account)
          .filter(({ free, held }) => free > 0n || held > 0n)
          .map(({ wallet, asset, free, held }) => `${wallet} ${asset}: ${free} free, ${held} held`)
          .toSorted(),
      ),
      markets: this.markets.markets().map(({ market, state, indexPrice }) => ({ market, state, indexPrice })),
      orders: accounts.map(({ account }) => this.orders.open(account).map((order) => ({ ...order, updatedAt: 0 }))),
      depths: [...this.depths.values()].map((depth) => ({ ...depth.snapshot(Infinity), updateId: 0 })),
    };
  }
}

function fromFacts(engine: Engine): Views {
  const views = new Views();
  load({ seq: seq(0), facts: engine.facts() }, ...views.all);
  return views;
}

const seed = Number(process.env['ORRERY_SEED'] ?? Date.now() % 2 ** 31);

describe('views of a real engine', () => {
  test.each([0, 1, 2, 3])('say the same whether folded from the first event or loaded from facts on the way (run %i)', (run) => {
    console.log(`views of an engine: seed ${seed + run} (set ORRERY_SEED to repeat)`);
    const engine = createEngine();
    const commands = new RandomCommands(seed + run);
    const views = new Views();
    let late = fromFacts(engine);
    let levelsSeen = 0;
    for (let count = 1; count <= 20_000; count += 1) {
      const sequenced = commands.next();
      const events = engine.apply(sequenced);
      commands.follow(sequenced, events);
      for (const each of [views, late]) advance({ ...sequenced, events }, ...each.all);
      expectEmitted(views, events);
      for (const depth of views.depths.values()) levelsSeen += depth.snapshot(1).bids.length + depth.snapshot(1).asks.length;
      if (count % 500 !== 0) continue;
      const facts = fromFacts(engine);
      expect(facts.said()).toEqual(views.said());
      expect(late.said()).toEqual(views.said());
      if (count % 1_000 === 0) late = facts;
    }
    expect(levelsSeen).toBeGreaterThan(0);
  });
});

/** A closed order is gone from the view, and the tape begins with the last trade. */
function expectEmitted(views: Views, events: readonly Event[]): void {
  for (const event of events) {
    if (event.type === 'OrderClosed') expect(views.orders.find(event.orderId)).toBeUndefined();
  }
  const last = events.findLast((event) => event.type === 'Trade');
  if (last === undefined) return;
  expect(views.trades.last(last.market, 1)[0]).toMatchObject({ tradeId: last.tradeId, price: last.price, size: last.size });
  expect(views.markets.market(last.market)?.lastPrice).toBe(last.price);
}

test('an account has what its flags allow, and what it never had is nothing', () => {
  const accounts = new AccountsView();
  expect(accounts.account(accountId(1))).toBeUndefined();
  expect(new OrdersView().open(accountId(1))).toEqual([]);
  expect(new TradesView().last(marketId(1), 10)).toEqual([]);
});

test('what is kept of accounts and listings is the same when the commands of orders are passed over', () => {
  console.log(`views of an engine: seed ${seed} (set ORRERY_SEED to repeat)`);
  const engine = createEngine();
  const commands = new RandomCommands(seed);
  const [all, few] = [0, 1].map(() => ({ accounts: new AccountsView(), markets: new MarketsView() }));
  if (all === undefined || few === undefined) throw new Error('no views');
  let passedOver = 0;
  for (let count = 1; count <= 5_000; count += 1) {
    const sequenced = commands.next();
    const applied = { ...sequenced, events: engine.apply(sequenced) };
    commands.follow(sequenced, applied.events);
    advance(applied, all.accounts, all.markets);
    if (mayRegister(applied)) advance(applied, few.accounts, few.markets);
    else passedOver += 1;
  }
  expect(passedOver).toBeGreaterThan(1_000);
  expect(few.accounts.accounts()).toEqual(all.accounts.accounts());
  expect(few.markets.assets()).toEqual(all.markets.assets());
  const listed = ({ markets }: typeof all): unknown =>
    markets.markets().map(({ market, state, indexPrice }) => ({ market, state, indexPrice }));
  expect(listed(few)).toEqual(listed(all));
});

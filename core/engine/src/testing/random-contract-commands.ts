/** Random commands of contracts: orders around a wandering price, settings, transfers. Of three people, so that they meet. */
import { assetId, atoms, lots, orderId, ticks, type OrderId } from '@orrery/units';
import { MARGIN_DIRECTIONS, MARGIN_MODES, POSITION_MODES, POSITION_SIDES, type Command, type Contract, type Event } from '@orrery/protocol';
import type { Chance } from './chance.ts';
import { contractOrder, INVERSE, LINEAR } from './futures-table.ts';
import { accountOf, PEOPLE } from './tape-people.ts';

export class RandomContractCommands {
  readonly #chance: Chance;
  #price = 100;
  #keys = 0;
  #open: OrderId[] = [];

  constructor(chance: Chance) {
    this.#chance = chance;
  }

  next(): Command {
    const chance = this.#chance;
    const who = chance.pick(PEOPLE);
    const account = accountOf(who);
    const contract = chance.pick([LINEAR, LINEAR, INVERSE]);
    const place = { account, market: contract.market };
    const positionSide = chance.pick(POSITION_SIDES);
    const kind = chance.below(100);
    if (kind < 70) return this.#order(who, contract);
    if (kind < 78)
      return { type: 'CancelOrder', account, orderId: this.#open.length > 0 ? chance.pick(this.#open) : orderId(1), clientOrderId: '' };
    if (kind < 81) return this.#amend(account);
    if (kind < 84) return { type: 'SetLeverage', ...place, positionSide, leverage: 1 + chance.below(22) };
    if (kind < 86) return { type: 'SetMarginMode', ...place, mode: chance.pick(MARGIN_MODES) };
    if (kind < 88) return { type: 'SetPositionMode', account, payoff: contract.payoff, mode: chance.pick(POSITION_MODES) };
    if (kind < 92)
      return {
        type: 'AdjustMargin',
        ...place,
        positionSide,
        direction: chance.pick(MARGIN_DIRECTIONS),
        amount: atoms(BigInt(1 + chance.below(400))),
        key: this.#key(),
      };
    if (kind < 93) return { type: 'SetFeeTier', account, tier: chance.below(8), rebateTier: chance.below(5) };
    if (kind < 94) return { type: 'CancelAllOrders', account, market: chance.pick([0, contract.market]) };
    return this.#transfer(account, contract);
  }

  follow(events: readonly Event[]): void {
    for (const event of events) {
      if (event.type === 'OrderRested') this.#open.push(event.orderId);
      else if (event.type === 'OrderClosed') this.#open = this.#open.filter((id) => id !== event.orderId);
    }
  }

  #order(who: string, contract: Contract): Command {
    const chance = this.#chance;
    this.#price = Math.min(900, Math.max(20, this.#price + chance.below(9) - 4));
    const scale = contract.payoff === 'linear' ? 1 : 10;
    const atMarket = chance.below(4) === 0;
    const price = atMarket ? 0 : (this.#price + chance.below(11) - 5) * scale;
    const size = 1 + chance.below(contract.payoff === 'linear' ? (chance.oneIn(4) ? 4_000 : 300) : 8);
    const reducing = chance.below(5) === 0;
    return contractOrder(who, chance.pick(['buy', 'sell']), reducing && chance.below(3) === 0 ? 0 : size, price, {
      contract,
      positionSide: chance.pick(['both', 'both', 'both', 'long', 'short']),
      reduceOnly: reducing,
      closePosition: reducing && chance.below(3) === 0,
      timeInForce: atMarket ? 'IOC' : chance.pick(['GTC', 'GTC', 'GTC', 'GTX', 'IOC', 'FOK']),
      clientOrderId: chance.below(3) === 0 ? this.#key() : '',
    });
  }

  #amend(account: ReturnType<typeof accountOf>): Command {
    const chance = this.#chance;
    const id = this.#open.length > 0 ? chance.pick(this.#open) : orderId(1);
    return {
      type: 'AmendOrder',
      account,
      orderId: id,
      clientOrderId: '',
      price: ticks(this.#price + chance.below(5)),
      size: lots(chance.below(200)),
    };
  }

  #transfer(account: ReturnType<typeof accountOf>, { payoff }: Contract): Command {
    const chance = this.#chance;
    const wallet = payoff === 'linear' ? 'futures' : 'coinFutures';
    const [from, to] = chance.pick([
      [wallet, 'spot'],
      ['spot', wallet],
    ] as const);
    const amount = atoms(BigInt(1 + chance.below(payoff === 'linear' ? 30_000 : 500)));
    return { type: 'Transfer', account, transferId: this.#key(), asset: assetId(payoff === 'linear' ? 1 : 2), amount, from, to };
  }

  #key(): string {
    this.#keys += 1;
    return `k${this.#keys}`;
  }
}

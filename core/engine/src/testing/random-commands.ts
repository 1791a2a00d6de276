/**
 * Random commands over a small exchange: few accounts, few prices and little money, so that everything meets everything, and
 * amounts at dust scale, so that rounding shows. One seed in four gives a wide exchange: twelve accounts, assets of 18 decimals, balances
 * that no 64 bits hold, and fields at the ends of what the journal can say. Everything follows from the seed and from the events seen so far.
 */
import {
  ACCOUNT_FLAGS,
  ORDER_TYPES,
  SELF_TRADE_PREVENTIONS,
  SIDES,
  TIMES_IN_FORCE,
  WALLETS,
  type Command,
  type CreditDeposit,
  type Event,
  type Market,
  type PlaceOrder,
  type RequestWithdrawal,
  type Sequenced,
} from '@orrery/protocol';
import {
  accountId,
  assetId,
  atoms,
  lots,
  marketId,
  millis,
  NO_ATOMS,
  orderId,
  parseAddress,
  ppm,
  seq,
  ticks,
  type AccountId,
  type Address,
  type Atoms,
  type MarketId,
  type OrderId,
} from '@orrery/units';
import { AMOUNT_MAX, FIRST_RULES, LATEST_RULES, TRIGGERS_PER_COMMAND } from '@orrery/rules';
import { Chance } from './chance.ts';
import { withTerms } from './random-spot-terms.ts';

const QUOTE = assetId(1);
const BASES = [assetId(2), assetId(3)];
const POINTS = assetId(4);
const CLAIM = assetId(5);
/** From two decimals to eighteen. */
const WIDE_SCALE = 10n ** 16n;
/** Of twelve such deposits the sum has 125 bits. */
const HUGE = 10n ** 36n;
/** No version of the rules will have this number: a golden history that asks for it is refused for all time. */
const NO_RULES = 255;
const NAMES = ['', '', '', '', '', '', '', '', '', '', '', '', '', '', 'a', 'b', 'c', 'd', 'e', 'f', 'g', 'not a name'];
const HOUR = 3_600_000;
const MARKET_SIZE_MAX = 10 ** 12;

export const addressOf = (account: number): Address => parseAddress(`0x${account.toString(16).padStart(40, '0')}`)!;

export class RandomCommands {
  readonly #chance: Chance;
  readonly #isWide: boolean;
  readonly #upgrades: boolean;
  readonly #accounts: number;
  /** Atoms to a hundredth of an asset. */
  readonly #scale: bigint;
  readonly #markets: Market[];
  readonly #pending: Command[] = [];
  readonly #open: { id: OrderId; account: AccountId }[] = [];
  readonly #repeatable: Command[] = [];
  readonly #withdrawals: string[] = [];
  readonly #awards: string[] = [];
  readonly #deposits: CreditDeposit[] = [];
  #rules: number = FIRST_RULES;
  #mid = 100;
  #at = 1_000;
  #seq = 0;
  #keys = 0;

  /**
   * @param options.upgrades false keeps to the first rules, under which the heart places no commands of its own: then history is what was
   * submitted
   */
  constructor(seed: number, { upgrades = true }: { readonly upgrades?: boolean } = {}) {
    this.#upgrades = upgrades;
    this.#chance = new Chance(seed);
    this.#isWide = (seed & 3) === 3;
    this.#accounts = this.#isWide ? 12 : 5;
    this.#scale = this.#isWide ? WIDE_SCALE : 1n;
    this.#markets = BASES.map((_, index) => this.#market(marketId(index + 1)));
    this.#pending.push(...this.#opening());
  }

  next(): Sequenced {
    this.#seq += 1;
    this.#at += this.#chance.oneIn(40) ? this.#chance.pick([1_000, 61_000, HOUR, 25 * HOUR]) : this.#chance.below(30);
    if (this.#chance.oneIn(3_000)) this.#at += 91 * 24 * HOUR;
    return { seq: seq(this.#seq), at: millis(this.#at), command: this.#pending.shift() ?? this.#command() };
  }

  /** Takes the events of the last command, so that later ones can refer to them. */
  follow({ command }: Sequenced, events: readonly Event[]): void {
    for (const event of events) {
      if (event.type === 'OrderAccepted') this.#open.push({ id: event.orderId, account: event.account });
      if (event.type === 'Trade' && event.market === 1) this.#mid = event.price;
      if (event.type === 'RulesUpgraded') this.#rules = event.version;
      if (event.type === 'Awarded') this.#awards.push(event.key);
      if (event.type === 'OrderClosed') {
        const index = this.#open.findIndex(({ id }) => id === event.orderId);
        if (index >= 0) this.#open.splice(index, 1);
      }
    }
    const paused = events.findLast((event) => event.type === 'OrderPaused');
    // Mostly it goes on at once, as the sequencer has it.
    if (paused !== undefined && !this.#chance.oneIn(4)) this.#pending.unshift({ type: 'ContinueMatching', market: paused.market });
    if (events[0]?.type === 'CommandRejected') return;
    if (command.type === 'CreditDeposit') this.#deposits.push(command);
    this.#repeatable.push(command);
    if (this.#repeatable.length > 20) this.#repeatable.shift();
  }

  #market(market: MarketId): Market {
    const chance = this.#chance;
    const sizePrecision = chance.below(2);
    const pricePrecision = chance.below(2);
    const base = BASES[market - 1]!;
    return {
      market,
      symbol: `${['', 'AAA', 'BBB'][market]}_QQQ`,
      base,
      quote: QUOTE,
      pricePrecision,
      sizePrecision,
      lotAtoms: atoms(10n ** BigInt(2 - sizePrecision) * this.#scale),
      tickLotAtoms: atoms(10n ** BigInt(2 - pricePrecision - sizePrecision) * this.#scale),
      minPrice: ticks(chance.pick([1, 1, 50])),
      maxPrice: ticks(chance.pick([150, 1_000, 2 ** 30 - 1])),
      minSize: lots(chance.pick([1, 1, 1, 2])),
      maxSize: lots(chance.pick(this.#isWide ? [20, 1_000, MARKET_SIZE_MAX] : [20, 1_000])),
      minNotional: atoms(chance.pick([0n, 0n, 0n, 500n]) * this.#scale),
      maxNotional: atoms(chance.pick([20_000n, 10n ** 12n, 10n ** 12n, 10n ** 12n]) * this.#scale),
      makerFeePpm: ppm(chance.pick([0, 500, 20_000])),
      takerFeePpm: ppm(chance.pick([1_000, 1_000, 100_000])),
      limitBandPpm: ppm(chance.pick([100_000, 300_000])),
      marketBandPpm: ppm(chance.pick([20_000, 50_000, 200_000])),
      maxOpenOrders: chance.pick([3, 10, 200]),
    };
  }

  *#opening(): Generator<Command> {
    const decimals = this.#isWide ? 18 : 2;
    yield { type: 'RegisterAsset', asset: QUOTE, code: 'QQQ', decimals, kind: 'chain' };
    yield { type: 'RegisterAsset', asset: BASES[0]!, code: 'AAA', decimals, kind: 'chain' };
    yield { type: 'RegisterAsset', asset: BASES[1]!, code: 'BBB', decimals, kind: 'chain' };
    yield { type: 'RegisterAsset', asset: POINTS, code: 'POINTS', decimals: 0, kind: 'internal' };
    yield { type: 'RegisterAsset', asset: CLAIM, code: 'CLAIM', decimals: 0, kind: 'internal' };
    for (const market of this.#markets) yield { type: 'RegisterMarket', ...market };
    for (let id = 1; id <= this.#accounts; id += 1) {
      yield { type: 'OpenAccount', address: addressOf(id) };
      for (const flag of ['termsAccepted', 'whitelisted', 'connected'] as const)
        yield { type: 'SetAccountFlag', account: accountId(id), flag, value: true };
      for (const asset of [QUOTE, ...BASES]) yield* this.#funding(accountId(id), asset);
    }
    // The others are upgraded to the latest rules later, or never.
    if (this.#chance.oneIn(2) && this.#upgrades)
      yield { type: 'UpgradeRules', version: this.#chance.pick([2, LATEST_RULES, LATEST_RULES]) };
  }

  /** From a handful of atoms to more than anything costs. */
  *#funding(account: AccountId, asset: typeof QUOTE): Generator<Command> {
    const hundredths = this.#chance.pick([20, 1_000, 100_000, 10_000_000, 1_000_000_000]);
    const amount = this.#isWide && this.#chance.oneIn(6) ? atoms(HUGE) : this.#atoms(hundredths);
    const key = this.#key();
    yield { type: 'CreditDeposit', key, address: addressOf(account), asset, amount };
    yield { type: 'Transfer', account, transferId: key, asset, amount, from: 'funding', to: 'spot' };
  }

  /** A number of hundredths of an asset, and some dust where there is room for it. */
  #atoms(hundredths: number): Atoms {
    const dust = this.#isWide && this.#chance.oneIn(2) ? BigInt(this.#chance.below(1_000_000_000)) : 0n;
    return atoms(BigInt(hundredths) * this.#scale + dust);
  }

  #key(): string {
    this.#keys += 1;
    return `k${this.#keys}`;
  }

  #command(): Command {
    const chance = this.#chance;
    const dice = chance.below(1_000);
    if (chance.oneIn(900)) {
      const version = chance.pick([0, FIRST_RULES, 2, LATEST_RULES, LATEST_RULES, NO_RULES]);
      return { type: 'UpgradeRules', version: this.#upgrades ? version : FIRST_RULES };
    }
    if (chance.oneIn(60)) return { type: 'ContinueTriggers', market: this.#marketId() };
    if (chance.oneIn(60)) return { type: 'ContinueMatching', market: this.#marketId() };
    if (chance.oneIn(40)) return this.#together();
    if (chance.oneIn(150)) return this.#terms();
    if (chance.oneIn(200)) this.#armMany();
    if (chance.oneIn(200)) this.#withdrawMany();
    if (dice < 80) return withTerms(this.#place(), chance, this.#mid);
    if (dice < 700) return this.#isWide && chance.oneIn(12) ? this.#withExtreme(this.#place()) : this.#place();
    if (dice < 780) return this.#cancel();
    if (dice < 830) return this.#amend();
    if (dice < 840) return { type: 'CancelAllOrders', account: this.#account(), market: chance.pick([0, this.#marketId()]) };
    if (dice < 870) return this.#repeat();
    if (dice < 875) return { type: 'ExpireOrders' };
    if (dice < 890) return { type: 'SetIndexPrice', market: this.#marketId(), price: ticks(chance.pick([0, 100, 104, 120, this.#mid])) };
    if (dice < 905) return this.#switch();
    return this.#money();
  }

  /** Other fees and limits; now and then one that can not be. */
  #terms(): Command {
    const chance = this.#chance;
    const { market, maxSize, minNotional, maxNotional, makerFeePpm, takerFeePpm, maxOpenOrders } = this.#market(
      chance.pick([marketId(1), marketId(2)]),
    );
    const terms = {
      market: chance.oneIn(20) ? marketId(9) : market,
      maxSize,
      minNotional,
      maxNotional,
      makerFeePpm,
      takerFeePpm,
      maxOpenOrders,
    };
    const wrong = { maxSize: lots(0), minNotional: atoms(-1n), maxNotional: atoms(-1n), takerFeePpm: ppm(100_001), maxOpenOrders: 0 };
    const field = chance.pick(['maxSize', 'minNotional', 'maxNotional', 'takerFeePpm', 'maxOpenOrders'] as const);
    return { type: 'SetMarketTerms', ...terms, ...(chance.oneIn(8) ? { [field]: wrong[field] } : {}) };
  }

  #account(): AccountId {
    return accountId(this.#chance.oneIn(80) ? 99 : this.#chance.between(1, this.#accounts));
  }

  #marketId(): MarketId {
    return marketId(this.#chance.oneIn(80) ? 9 : this.#chance.pick([1, 1, 2]));
  }

  #price(): number {
    const chance = this.#chance;
    if (chance.oneIn(40)) return chance.pick([0, 1, 150, 1_000, 2 ** 30]);
    return Math.max(1, this.#mid + chance.between(-4, 4));
  }

  #size(): number {
    return this.#chance.oneIn(30) ? this.#chance.pick([0, 21, 1_001, 500]) : this.#chance.between(1, 12);
  }

  #place(): PlaceOrder {
    const chance = this.#chance;
    const orderType = chance.pick([...ORDER_TYPES, 'limit', 'limit', 'limit', 'limit', 'market'] as const);
    const limited = orderType === 'limit' || orderType === 'stopLimit';
    const stop = orderType === 'stopLimit' || orderType === 'stopMarket';
    const side = chance.pick(SIDES);
    const byFunds = !limited && side === 'buy' && chance.oneIn(3);
    const odd = chance.oneIn(60);
    const trigger = side === 'buy' ? this.#mid + chance.between(0, 6) : Math.max(1, this.#mid - chance.between(0, 6));
    return {
      type: 'PlaceOrder',
      account: this.#account(),
      market: this.#marketId(),
      clientOrderId: chance.pick(NAMES),
      side,
      orderType,
      timeInForce:
        limited || odd ? chance.pick([...TIMES_IN_FORCE, 'GTC', 'GTC', 'GTC', 'GTC']) : chance.pick(['IOC', 'IOC', 'IOC', 'FOK']),
      price: ticks(limited || chance.oneIn(5) ? this.#price() : 0),
      size: lots(byFunds && !odd ? 0 : this.#size()),
      funds: byFunds || chance.oneIn(80) ? this.#atoms(chance.pick([1, 50, 1_000, 30_000, 200_000])) : atoms(0n),
      triggerPrice: ticks(stop || chance.oneIn(80) ? trigger : 0),
      slippagePpm: ppm(!limited || chance.oneIn(80) ? chance.pick([0, 0, 20_000, 100_000, chance.oneIn(20) ? 1_000_001 : 0]) : 0),
      selfTradePrevention: chance.pick(SELF_TRADE_PREVENTIONS),
    };
  }

  /** The order with one or two of its numbers at an end of what the journal can say, or of what a market allows. */
  #withExtreme(order: PlaceOrder): PlaceOrder {
    const chance = this.#chance;
    const price = (): number => chance.pick([0, 1, 2 ** 30 - 1, 2 ** 30, 2 ** 32 - 1]);
    switch (chance.below(6)) {
      case 0:
        return { ...order, price: ticks(price()) };
      case 1:
        return { ...order, triggerPrice: ticks(price()) };
      case 2:
        return { ...order, price: ticks(price()), size: lots(chance.pick([1, MARKET_SIZE_MAX, Number.MAX_SAFE_INTEGER])) };
      case 3:
        return { ...order, funds: chance.pick([atoms(1n), atoms(HUGE), AMOUNT_MAX]) };
      case 4:
        return { ...order, slippagePpm: ppm(chance.pick([1_000_000, 1_000_001, 2 ** 31])) };
      default:
        return { ...order, size: lots(chance.pick([0, 1, MARKET_SIZE_MAX, MARKET_SIZE_MAX + 1, Number.MAX_SAFE_INTEGER])) };
    }
  }

  /** More stops at near prices than one command triggers. */
  #armMany(): void {
    const chance = this.#chance;
    const market = marketId(1);
    for (let rest = 2 * TRIGGERS_PER_COMMAND; rest > 0; rest -= 1) {
      const side = chance.pick(SIDES);
      this.#pending.push({
        ...this.#place(),
        account: accountId(chance.between(1, this.#accounts)),
        market,
        clientOrderId: '',
        side,
        orderType: 'stopLimit',
        timeInForce: 'GTC',
        price: ticks(this.#mid + (side === 'buy' ? 6 : -Math.min(6, this.#mid - 1))),
        size: lots(1),
        funds: atoms(0n),
        triggerPrice: ticks(this.#mid + (side === 'buy' ? chance.between(1, 3) : -Math.min(chance.between(1, 3), this.#mid - 1))),
        slippagePpm: ppm(0),
      });
    }
  }

  #target(): { id: OrderId; account: AccountId } {
    const known = this.#open.length > 0 && !this.#chance.oneIn(20);
    if (!known) return { id: orderId(this.#chance.between(1, 1_000)), account: this.#account() };
    const { id, account } = this.#chance.pick(this.#open);
    return { id, account: this.#chance.oneIn(30) ? this.#account() : account };
  }

  #cancel(): Command {
    const chance = this.#chance;
    const { id, account } = this.#target();
    if (chance.oneIn(8)) return { type: 'CancelOrder', account, orderId: chance.oneIn(10) ? id : 0, clientOrderId: chance.pick(NAMES) };
    return { type: 'CancelOrder', account, orderId: id, clientOrderId: '' };
  }

  /** Orders that are placed or cancelled together: mostly such as may be. */
  #together(): Command {
    const chance = this.#chance;
    const targets = Array.from({ length: chance.between(1, 3) }, () => this.#target());
    const account = targets[0]?.account ?? this.#account();
    if (chance.oneIn(3)) return { type: 'CancelOrders', account, orderIds: targets.map(({ id }) => id) };
    const orders = Array.from({ length: chance.between(0, 4) }, () => ({
      ...this.#place(),
      account: chance.oneIn(40) ? this.#account() : account,
    }));
    const isWhole = !chance.oneIn(6);
    const together = orders.map((order, index) =>
      isWhole && index < orders.length - 1 && order.orderType === 'limit' ? { ...order, timeInForce: 'GTX' as const } : order,
    );
    return {
      type: 'PlaceOrders',
      account,
      orders: together.filter((order, index) => index === together.length - 1 || order.orderType !== 'market'),
    };
  }

  #amend(): Command {
    const chance = this.#chance;
    const { id, account } = this.#target();
    return {
      type: 'AmendOrder',
      account,
      orderId: id,
      clientOrderId: chance.pick(NAMES),
      price: ticks(chance.oneIn(3) ? 0 : this.#price()),
      size: lots(chance.oneIn(3) ? 0 : this.#size()),
    };
  }

  /** A command that was taken, once more: as it was, or with the same key for something else. */
  #repeat(): Command {
    if (this.#repeatable.length === 0) return this.#place();
    const command = this.#chance.pick(this.#repeatable);
    if (command.type === 'RegisterAsset' || command.type === 'RegisterMarket') return this.#place();
    if (this.#chance.oneIn(2) && 'amount' in command) return { ...command, amount: atoms(command.amount + 1n) };
    return command;
  }

  #switch(): Command {
    const chance = this.#chance;
    if (chance.oneIn(3))
      this.#pending.push(
        { type: 'SetMarketState', market: marketId(1), state: 'TRADING' },
        { type: 'SetMarketState', market: marketId(2), state: 'TRADING' },
      );
    if (this.#pending.length > 0)
      return { type: 'SetMarketState', market: this.#marketId(), state: chance.pick(['TRADING', 'HALT', 'CANCEL_ONLY']) };
    const flag = chance.pick(ACCOUNT_FLAGS);
    const account = this.#account();
    // Mostly as it should be, or soon nobody could trade.
    this.#pending.push({ type: 'SetAccountFlag', account, flag, value: flag !== 'blocked' });
    for (let rest = chance.below(6); rest > 0; rest -= 1) this.#pending.unshift(this.#command());
    return { type: 'SetAccountFlag', account, flag, value: flag === 'blocked' };
  }

  #amount(): Atoms {
    const chance = this.#chance;
    if (this.#isWide && chance.oneIn(30)) return chance.pick([AMOUNT_MAX, atoms(AMOUNT_MAX + 1n), atoms(HUGE)]);
    const hundredths = chance.pick([0, 1, 7, 20, 500, 5_000, 100_000, 10_000_000]);
    return this.#isWide && chance.oneIn(3) ? atoms(BigInt(hundredths)) : this.#atoms(hundredths);
  }

  #money(): Command {
    const chance = this.#chance;
    const asset = chance.oneIn(30) ? assetId(chance.pick([4, 5, 77])) : chance.pick([QUOTE, ...BASES]);
    const account = this.#account();
    const amount = this.#amount();
    switch (chance.below(12)) {
      case 0:
        return { type: 'CreditDeposit', key: this.#key(), address: addressOf(chance.between(1, this.#accounts)), asset, amount };
      case 1:
      case 2:
        return { type: 'Transfer', account, transferId: this.#key(), asset, amount, from: chance.pick(WALLETS), to: chance.pick(WALLETS) };
      case 3:
        return chance.oneIn(3) ? this.#withdrawInternally(account, asset, amount) : this.#withdraw(account, asset, amount);
      case 4:
      case 5:
        return this.#payout();
      case 6:
        return {
          type: 'FundBudget',
          key: this.#key(),
          budget: chance.pick(['faucet', 'rewards', 'insurance']),
          asset: chance.pick([POINTS, CLAIM, asset]),
          amount,
        };
      case 7:
        return {
          type: 'AwardFromBudget',
          key: this.#key(),
          budget: chance.pick(['faucet', 'rewards']),
          account,
          asset: chance.pick([POINTS, POINTS, asset]),
          amount,
        };
      case 8:
        return this.#orphan();
      case 9:
        return this.#caps(asset);
      case 10:
        return {
          type: 'ReverseAward',
          key: chance.oneIn(6) ? `r${chance.below(9)}` : this.#key(),
          awardKey: this.#awards.length === 0 || chance.oneIn(10) ? 'none' : chance.pick(this.#awards.slice(-4)),
        };
      default:
        return chance.oneIn(2)
          ? { type: 'ReserveFaucetClaim', account, claimId: `c${chance.below(60)}` }
          : { type: 'SettleFaucetClaim', claimId: `c${chance.below(60)}`, outcome: chance.pick(['paid', 'failed']) };
    }
  }

  /** The chain takes a deposit back, and mostly has it again soon, or it is written off: or nobody could withdraw. Some return after that. */
  #orphan(): Command {
    const chance = this.#chance;
    const deposit = this.#deposits.length === 0 || chance.oneIn(20) ? undefined : chance.pick(this.#deposits.slice(-6));
    if (deposit === undefined) return { type: 'SuspendDeposit', key: 'none' };
    if (chance.oneIn(12)) return { type: 'WriteOffDeposit', key: deposit.key };
    const isWrittenOff = chance.oneIn(3);
    if (isWrittenOff) this.#pending.push({ type: 'WriteOffDeposit', key: deposit.key });
    if (isWrittenOff ? chance.oneIn(2) : !chance.oneIn(20)) this.#pending.push(deposit);
    for (let rest = chance.below(6); rest > 0; rest -= 1) this.#pending.unshift(this.#command());
    return { type: 'SuspendDeposit', key: deposit.key };
  }

  #withdraw(account: AccountId, asset: typeof QUOTE, amount: Atoms, quota = this.#quota(amount)): Command {
    const withdrawalId = `0x${this.#key().slice(1).padStart(64, '0')}`;
    this.#withdrawals.push(withdrawalId);
    return { type: 'RequestWithdrawal', account, withdrawalId, asset, amount, to: addressOf(this.#chance.between(1, 9)), ...quota };
  }

  /** Now and then under the id of a withdrawal to the chain, or to nobody. */
  #withdrawInternally(account: AccountId, asset: typeof QUOTE, amount: Atoms): Command {
    const chance = this.#chance;
    const known = this.#withdrawals.at(-1);
    const withdrawalId = known !== undefined && chance.oneIn(8) ? known : `0x${this.#key().slice(1).padStart(64, '0')}`;
    if (chance.oneIn(4)) this.#withdrawals.push(withdrawalId);
    const to = addressOf(chance.between(1, this.#accounts + 1));
    return { type: 'WithdrawInternally', account, withdrawalId, asset, amount, to, ...this.#quota(amount) };
  }

  /** Seldom under rules that have none. Some leave less than was taken before, as after a level that sank. */
  #quota(amount: Atoms): Pick<RequestWithdrawal, 'quota'> {
    const chance = this.#chance;
    if (!chance.oneIn(this.#rules < 10 ? 20 : 2)) return {};
    if (chance.oneIn(30)) return { quota: { worth: atoms(-1n), limit: chance.pick([AMOUNT_MAX, atoms(AMOUNT_MAX + 1n)]) } };
    const worth = chance.pick([amount, amount, NO_ATOMS, atoms(amount / 2n)]);
    return { quota: { worth: worth < NO_ATOMS ? NO_ATOMS : worth, limit: this.#atoms(chance.pick([0, 20, 5_000, 100_000, 10_000_000])) } };
  }

  /** More withdrawals than the caps leave, or than a quota does. */
  #withdrawMany(): void {
    const chance = this.#chance;
    const asset = chance.pick([QUOTE, ...BASES]);
    const account = accountId(chance.between(1, this.#accounts));
    const amount = this.#atoms(chance.pick([7, 500]));
    const hourly = atoms(amount * BigInt(chance.between(2, 6)));
    const limit = atoms(amount * BigInt(chance.between(2, 6)));
    const quota = this.#rules >= 10 && chance.oneIn(2) ? { quota: { worth: amount, limit } } : {};
    if (chance.oneIn(2)) this.#pending.push({ type: 'SetWithdrawalCaps', asset, hourly, daily: atoms(hourly * chance.pick([1n, 2n])) });
    this.#pending.push({ type: 'CreditDeposit', key: this.#key(), address: addressOf(account), asset, amount: atoms(amount * 9n) });
    for (let rest = 8; rest > 0; rest -= 1) {
      this.#pending.push(this.#withdraw(account, asset, amount, quota));
      if (chance.oneIn(6)) this.#pending.push(this.#payout());
    }
  }

  /** Mostly near what is withdrawn, or none would be reached. */
  #caps(asset: typeof QUOTE): Command {
    const chance = this.#chance;
    if (chance.oneIn(12)) return { type: 'SetWithdrawalCaps', asset, hourly: atoms(-1n), daily: chance.pick([AMOUNT_MAX, atoms(-1n)]) };
    const hourly = this.#atoms(chance.pick([20, 5_000, 100_000, 10_000_000]));
    const daily = chance.pick([hourly, hourly, atoms(hourly * 2n), atoms(hourly * 5n), atoms(hourly - 1n), atoms(AMOUNT_MAX + 1n)]);
    return { type: 'SetWithdrawalCaps', asset, hourly, daily };
  }

  #payout(): Command {
    const chance = this.#chance;
    const withdrawalId =
      this.#withdrawals.length === 0 || chance.oneIn(20) ? `0x${'f'.repeat(64)}` : chance.pick(this.#withdrawals.slice(-6));
    const txHash = `0x${chance.pick(['aa', 'bb'])}${withdrawalId.slice(-4)}`;
    const type = chance.pick(['MarkWithdrawalSent', 'PostWithdrawal', 'RefundWithdrawal'] as const);
    return type === 'RefundWithdrawal' ? { type, withdrawalId } : { type, withdrawalId, txHash };
  }
}

/**
 * The exchange a second time, obvious and slow: plain arrays, every hold recomputed from the open orders, the best order looked for
 * from the start at every step, an order tried on a copy of the state and thrown away when it is refused. A refused command is refused
 * for the first, in the order of the protocol, of all the reasons that apply. It shares no code with the engine and none with the rules.
 */
import { type AccountFlag, type ChangeableTerms, type Command, type Event, type Sequenced } from '@orrery/protocol';
import { atoms, type AccountId } from '@orrery/units';
import { NaiveSpotOrders } from './naive-spot-orders.ts';
import { MILLION, type Reason } from './naive-state.ts';

export class NaiveExchange extends NaiveSpotOrders {
  apply({ at, command }: Sequenced): readonly Event[] {
    this.at = at;
    this.events = [];
    const insurance = this.assets.map(({ asset }) => ({ asset, amount: this.budget('insurance', asset) }));
    this.fills = this.fillsOf();
    if (this.mustWait(command)) this.refuse([{ reason: 'MatchingUnfinished', field: '' }]);
    else this.decide(command);
    this.protectPurchases();
    this.emitBalances();
    for (const { asset, amount: had } of insurance) {
      const amount = this.budget('insurance', asset);
      if (amount !== had) this.emit({ type: 'InsuranceChanged', asset, amount: atoms(amount), change: atoms(amount - had) });
    }
    return this.events;
  }

  /** It could touch a market in which an order is unfinished. */
  mustWait(command: Command): boolean {
    const busy = this.markets.map(({ terms }) => terms.market).filter((id) => this.isBusy(id));
    if (busy.length === 0) return false;
    const isOfBusy = ({ order }: { order: { market: number } }): boolean => busy.some((id) => id === order.market);
    switch (command.type) {
      case 'CancelOrder':
      case 'AmendOrder':
        return this.orders.some(
          (open) =>
            isOfBusy(open) &&
            open.order.account === command.account &&
            (command.orderId === 0
              ? command.clientOrderId !== '' && open.order.clientOrderId === command.clientOrderId
              : open.order.orderId === command.orderId),
        );
      case 'PlaceOrders':
        return command.orders.some(({ market }) => busy.includes(market));
      case 'CancelOrders':
        return this.orders.some(
          (open) => isOfBusy(open) && open.order.account === command.account && command.orderIds.includes(open.order.orderId),
        );
      case 'CancelAllOrders':
        return command.market === 0 ? this.openOf(command.account).some(isOfBusy) : busy.includes(command.market);
      case 'ExpireOrders':
      case 'SetAccountFlag':
        return true;
      case 'PlaceOrder':
      case 'PlaceSpotOrder':
      case 'PlacePair':
      case 'SetIndexPrice':
      case 'SetMarketTerms':
      case 'ContinueTriggers':
        return busy.includes(command.market);
      default:
        return false;
    }
  }

  decide(command: Command): void {
    switch (command.type) {
      case 'PlaceOrder':
        return this.place(command);
      case 'PlaceSpotOrder':
        return this.placeSpot(command);
      case 'PlacePair':
        return this.placePair(command);
      case 'AmendOrder':
        return this.amend(command);
      case 'PlaceOrders':
        return this.placeTogether(command);
      case 'CancelOrders':
        return this.cancelTogether(command);
      case 'CancelOrder':
        return this.cancel(command);
      case 'CancelAllOrders':
        return this.cancelAll(command);
      case 'ExpireOrders':
        return this.expire();
      case 'RegisterAsset': {
        const { type: _, ...asset } = command;
        this.assets.push(asset);
        return this.emit({ type: 'AssetRegistered', ...asset });
      }
      case 'RegisterMarket': {
        const { type: _, ...terms } = command;
        this.markets.push({
          terms,
          state: 'TRADING',
          lastPrice: 0,
          lastTradeAt: 0,
          indexPrice: 0,
          indexAt: 0,
          average: 0n,
          averageAt: 0,
          high: 0,
          low: 0,
          trails: {},
          toTry: 0,
          misses: 0,
        });
        this.emit({ type: 'MarketRegistered', ...terms });
        return this.emit({ type: 'MarketStateChanged', market: terms.market, state: 'TRADING' });
      }
      case 'SetMarketState': {
        const market = this.market(command.market);
        if (market === undefined) return this.refuse([{ reason: 'UnknownMarket', field: 'market' }]);
        market.state = command.state;
        return this.emit({ type: 'MarketStateChanged', market: command.market, state: command.state });
      }
      case 'SetMarketTerms': {
        const { type: _, ...changed } = command;
        return this.changeTerms(changed);
      }
      case 'SetIndexPrice': {
        const market = this.market(command.market);
        if (market === undefined) return this.refuse([{ reason: 'UnknownMarket', field: 'market' }]);
        if (command.price < market.terms.minPrice || command.price > market.terms.maxPrice) {
          return this.refuse([{ reason: 'InvalidPrice', field: 'price' }]);
        }
        market.indexPrice = command.price;
        if (this.rules >= 2) Object.assign(market, { indexAt: this.at, average: BigInt(command.price) * MILLION, averageAt: this.at });
        this.emit({ type: 'IndexPriceSet', market: command.market, price: command.price });
        return this.retryStalled(market);
      }
      case 'ContinueTriggers': {
        const market = this.market(command.market);
        if (market === undefined) return this.refuse([{ reason: 'UnknownMarket', field: 'market' }]);
        if (market.state !== 'TRADING')
          return this.refuse([{ reason: market.state === 'HALT' ? 'MarketHalted' : 'MarketCancelOnly', field: 'market' }]);
        return this.fireSome(command.market);
      }
      case 'ContinueMatching': {
        const market = this.market(command.market);
        if (market === undefined) return this.refuse([{ reason: 'UnknownMarket', field: 'market' }]);
        if (market.state !== 'TRADING')
          return this.refuse([{ reason: market.state === 'HALT' ? 'MarketHalted' : 'MarketCancelOnly', field: 'market' }]);
        return this.continueOrder(command.market);
      }
      case 'UpgradeRules': {
        if (![1, 2, 4, 5, 6, 7, 8, 9, 10].includes(command.version)) return this.refuse([{ reason: 'InvalidField', field: 'version' }]);
        if (command.version <= this.rules) return this.emit({ type: 'CommandRepeated', key: `rules ${command.version}` });
        if (this.rules === 1)
          for (const market of this.markets)
            Object.assign(market, { average: BigInt(this.reference(market)) * MILLION, averageAt: this.at });
        this.rules = command.version;
        return this.emit({ type: 'RulesUpgraded', version: command.version });
      }
      case 'OpenAccount':
        return this.emit({ type: 'AccountOpened', account: this.accountAt(command.address).id, address: command.address });
      case 'SetAccountFlag':
        return this.setFlag(command.account, command.flag, command.value);
      case 'CreditDeposit':
      case 'SuspendDeposit':
      case 'WriteOffDeposit':
      case 'Transfer':
      case 'RequestWithdrawal':
      case 'WithdrawInternally':
      case 'MarkWithdrawalSent':
      case 'PostWithdrawal':
      case 'RefundWithdrawal':
      case 'SetWithdrawalCaps':
      case 'FundBudget':
      case 'AwardFromBudget':
      case 'ReverseAward':
      case 'ReserveFaucetClaim':
      case 'SettleFaucetClaim':
        return this.moveMoney(command);
      default:
        return this.refuse([{ reason: 'RulesTooOld', field: '' }]);
    }
  }

  changeTerms(changed: ChangeableTerms): void {
    const market = this.market(changed.market);
    if (market === undefined) return this.refuse([{ reason: 'UnknownMarket', field: 'market' }]);
    const { maxSize, minNotional, maxNotional, makerFeePpm, takerFeePpm, maxOpenOrders } = changed;
    const reasons: Reason[] = [];
    const mustHold = (holds: boolean, field: keyof ChangeableTerms): void => {
      if (!holds) reasons.push({ reason: 'InvalidField', field });
    };
    mustHold(maxSize >= market.terms.minSize && maxSize <= 10 ** 12, 'maxSize');
    mustHold(minNotional >= 0n, 'minNotional');
    mustHold(maxNotional >= minNotional, 'maxNotional');
    mustHold(makerFeePpm <= 100_000, 'makerFeePpm');
    mustHold(takerFeePpm <= 100_000, 'takerFeePpm');
    mustHold(maxOpenOrders >= 1, 'maxOpenOrders');
    if (this.rules < 4) reasons.push({ reason: 'RulesTooOld', field: '' });
    if (reasons.length > 0) return this.refuse(reasons);
    market.terms = { ...market.terms, ...changed };
    this.emit({ type: 'MarketTermsChanged', ...changed });
  }

  // ---- orders ------------------------------------------------------------------------------------------------------

  setFlag(id: AccountId, flag: AccountFlag, value: boolean): void {
    const account = this.account(id);
    if (account === undefined) return this.refuse([{ reason: 'UnknownAccount', field: 'account' }]);
    account.flags = account.flags.filter((one) => one !== flag);
    if (value) account.flags.push(flag);
    this.emit({ type: 'AccountFlagSet', account: id, flag, value });
    if (flag !== 'blocked') return;
    if (value) for (const open of this.openOf(id)) this.closeIfOpen(open, 'accountBlocked');
    else {
      for (const { key, asset, amount } of account.suspended.splice(0)) {
        this.add(id, 'funding', asset, amount);
        this.emit({ type: 'DepositCredited', key, account: id, asset, amount: atoms(amount), suspended: false });
      }
    }
  }
}

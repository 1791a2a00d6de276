/** A scene with a real contract and a practice one beside each other, of the same terms but for what they are settled in. */
import { assetId, marketId, NO_ATOMS, ticks, type AccountId, type MarketId } from '@orrery/units';
import type { Contract, Event, PlaceContractOrder, Side } from '@orrery/protocol';
import { decodeSnapshot } from '../snapshot/snapshot-codec.ts';
import { BTC_USDC, ContractScene, usdc } from './contract-scene.ts';

export const PRACTICE_ASSET = assetId(3);
export const BTC_PRACTICE: Contract = {
  ...BTC_USDC,
  market: marketId(4),
  symbol: 'BTC_PRACTICE',
  quoteCode: 'PRACTICE',
  settle: PRACTICE_ASSET,
};

/** 1 PRACTICE has 6 decimals, as 1 USDC has. */
export const practice = usdc;

export class PracticeScene extends ContractScene {
  constructor() {
    super();
    this.must({ type: 'RegisterAsset', asset: PRACTICE_ASSET, code: 'PRACTICE', decimals: 6, kind: 'internal' });
    this.must({ type: 'SetPracticeAsset', asset: PRACTICE_ASSET });
    this.must({ type: 'RegisterContract', ...BTC_PRACTICE });
  }

  /** What an account of the exchange has in practice. */
  stock(account: AccountId, units: number): void {
    this.must({ type: 'StockPractice', account, upTo: practice(units) });
  }

  orderIn(market: MarketId, account: AccountId, side: Side, size: number, price: number): PlaceContractOrder {
    return { ...this.order(account, side, size, price), market };
  }

  tradeIn(market: MarketId, buyer: AccountId, seller: AccountId, size: number, price: number): void {
    this.must(this.orderIn(market, seller, 'sell', size, price));
    this.must(this.orderIn(market, buyer, 'buy', size, price));
  }

  /** Three seconds later, a round of one contract. */
  roundIn(market: MarketId, price: number): readonly Event[] {
    this.wait(3);
    const index = ['binance', 'coinbase', 'kraken'].map((source) => ({ source, price: ticks(price), ageMs: 0, weight: 1 }));
    return this.must({ type: 'SubmitPrices', market, index, external: [] });
  }

  /** Both contracts at one price, until they may liquidate. */
  settle(price: number): void {
    for (let count = 0; count < 4; count += 1) {
      this.roundIn(BTC_USDC.market, price);
      this.roundIn(BTC_PRACTICE.market, price);
    }
  }

  /** Free and held atoms of an asset in the futures wallet of an account. */
  futures(account: AccountId, asset: Contract['settle']): bigint {
    const { balances } = decodeSnapshot(this.engine.encodeState());
    const found = balances.find((one) => one.account === account && one.wallet === 'futures' && one.asset === asset);
    return found === undefined ? NO_ATOMS : found.free + found.held;
  }

  systemOf(system: 'INSURANCE' | 'UNCOVERED' | 'FEE' | 'EXTERNAL', asset: Contract['settle']): bigint {
    const { systemBalances } = decodeSnapshot(this.engine.encodeState());
    return systemBalances.find((one) => one.system === system && one.asset === asset)?.free ?? 0n;
  }
}

/** Words and decimals of assets, markets and contracts, as files have them. */
import type { Asset, Contract, Wallet } from '@orrery/protocol';
import {
  assert,
  assetId,
  type AssetId,
  atoms,
  lots,
  marketId,
  type MarketId,
  printAtoms,
  printLots,
  printTicks,
  ticks,
} from '@orrery/units';
import type { MarketsView } from '@orrery/views';

/** What is listed. */
export interface Listed {
  readonly markets: MarketsView;
  readonly contractOf: (market: MarketId) => Contract | undefined;
}

export interface MarketTerms {
  readonly symbol: string;
  readonly product: 'spot' | 'linear' | 'inverse';
  readonly wallet: Wallet;
  readonly priceCoin: string;
  readonly sizeCoin: string;
  readonly valueCoin: string;
  /** Of fees in each side's coin; of a contract both are in the settlement coin. */
  readonly received: { readonly buy: Asset; readonly sell: Asset };
  /** Lots, ticks and atoms of values as decimals; empty where they are 0. */
  readonly size: (count: number) => string;
  readonly price: (count: number) => string;
  readonly value: (amount: string) => string;
}

const WORDS = /[A-Z]/g;

/** `stopLimit` and `STOP_LIMIT` are `stop_limit`. */
export const word = (name: string): string =>
  name === name.toUpperCase() ? name.toLowerCase() : name.replaceAll(WORDS, (letter) => `_${letter.toLowerCase()}`);

export const time = (at: number): string => new Date(at).toISOString();

export class Terms {
  readonly #listed: Listed;
  readonly #known = new Map<number, MarketTerms>();

  constructor(listed: Listed) {
    this.#listed = listed;
  }

  asset(asset: number): Asset {
    const found = this.#listed.markets.asset(assetId(asset));
    assert(found !== undefined, `asset ${asset} was registered before it was used`);
    return found;
  }

  amount(asset: number, amount: string | bigint): string {
    return printAtoms(atoms(BigInt(amount)), this.asset(asset).decimals);
  }

  market(market: number): MarketTerms {
    const known = this.#known.get(market) ?? this.#read(market);
    this.#known.set(market, known);
    return known;
  }

  #read(market: number): MarketTerms {
    const contract = this.#listed.contractOf(marketId(market));
    if (contract !== undefined) return this.#contract(contract);
    const listed = this.#listed.markets.market(marketId(market))?.market;
    assert(listed !== undefined, `market ${market} was registered before it was used`);
    const [base, quote] = [this.asset(listed.base), this.asset(listed.quote)];
    return {
      ...printers(listed, quote),
      symbol: listed.symbol,
      product: 'spot',
      wallet: 'spot',
      priceCoin: quote.code,
      sizeCoin: base.code,
      valueCoin: quote.code,
      received: { buy: base, sell: quote },
    };
  }

  #contract(contract: Contract): MarketTerms {
    const { symbol, payoff, baseCode, quoteCode } = contract;
    const settle = this.asset(contract.settle);
    return {
      ...printers(contract, settle),
      symbol,
      product: payoff,
      wallet: payoff === 'linear' ? 'futures' : 'coinFutures',
      priceCoin: quoteCode,
      sizeCoin: payoff === 'linear' ? baseCode : quoteCode,
      valueCoin: settle.code,
      received: { buy: settle, sell: settle },
    };
  }
}

const printers = (
  { pricePrecision, sizePrecision }: { pricePrecision: number; sizePrecision: number },
  value: { asset: AssetId; decimals: number },
) => ({
  size: (count: number) => (count === 0 ? '' : printLots(lots(count), sizePrecision)),
  price: (count: number) => (count === 0 ? '' : printTicks(ticks(count), pricePrecision)),
  value: (amount: string) => printAtoms(atoms(BigInt(amount)), value.decimals),
});

/** What of a position can be shown to others. Prices and amounts are decimal text. */
export interface SharedPosition {
  /** As it is shown: `BTC/USDC`. */
  readonly contract: string;
  readonly side: 'LONG' | 'SHORT';
  readonly leverage: number;
  /** In per cent of the margin; `undefined` where it is not known. */
  readonly percent: string | undefined;
  readonly profit: string;
  readonly coin: string;
  readonly entryPrice: string;
  readonly otherPrice: string;
  /** Whether `otherPrice` is where it was closed, or the mark of now. */
  readonly otherIs: 'exit' | 'mark';
  /** Unix milliseconds: when it was closed, or now. */
  readonly at: number;
}

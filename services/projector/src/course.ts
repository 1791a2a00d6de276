/** What is remembered of a command while its facts become rows. */
import type { AccountId } from '@orrery/units';
import type { Batch, Row } from './batch.ts';

/** What the facts of one command have in common. */
export interface Course {
  /** The newest trade or liquidation so far: what is realised refers to it. */
  reference: string;
  /** Accounts whose positions were reduced, or that paid funding: what their margin did not cover, others paid. */
  readonly settled: Set<AccountId>;
  isTakeover: boolean;
  /** What may have moved coins between a funding wallet and the escrow of OTC trading: the first of it; undefined where nothing has. */
  otc: string | undefined;
  /** The liquidator is funded before a takeover, and the positions are deleveraged when the fund can not pay for it. */
  isDeleveraging: boolean;
  /** Its first fill is at this place of the batch. */
  readonly firstFill: number;
  /** Fills that have what they realised. */
  readonly realised: Set<Row<'projector_fill'>>;
}

export const newCourse = ({ fills }: Batch): Course => ({
  reference: '',
  settled: new Set(),
  isTakeover: false,
  otc: undefined,
  isDeleveraging: false,
  firstFill: fills.length,
  realised: new Set(),
});

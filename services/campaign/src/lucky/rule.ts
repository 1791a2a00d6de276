/** Who wins by a lucky block: the rule without anything around it. */
const DAY_MS = 86_400_000;

/**
 * Blocks come two seconds apart: of 43,200 a day 6.6 are lucky by chance, and more than 20 on one day in half a thousand years. More winners
 * than that are no luck, and take no more than 1,555,540 points out of a day's budget.
 */
export const WINNERS_PER_DAY = 20;

/** What is known of the first chain transaction of a lucky block, and of who sent it. */
export interface Candidate {
  readonly sender: string;
  readonly recipient: string | undefined;
  readonly value: bigint;
  /** Whether it carries more than a value: a call, or a contract. */
  readonly hasData: boolean;
  readonly isOfTheExchange: boolean;
  readonly account: { readonly isBlocked: boolean } | undefined;
  /** A trade with a fee on the block's UTC day, before the announcement. */
  readonly hasTraded: boolean;
  /** By an earlier lucky block of the same UTC day. */
  readonly hasWon: boolean;
  /** Another member of the sender's cluster, by an earlier lucky block of the same UTC day. */
  readonly clusterHasWon: boolean;
  /** By earlier lucky blocks of the same UTC day. */
  readonly winnersOfDay: number;
}

/** Why it wins nothing; undefined when it wins. */
export function refusalOf(candidate: Candidate): string | undefined {
  if (candidate.isOfTheExchange) return 'the sender belongs to the exchange';
  if (candidate.account === undefined) return 'the sender has no account here';
  if (candidate.account.isBlocked) return 'the account is blocked';
  if (candidate.recipient === candidate.sender) return 'the chain transaction goes from the sender to itself';
  if (candidate.value === 0n && !candidate.hasData) return 'the chain transaction is empty';
  if (!candidate.hasTraded) return 'no trade with a fee on this day (UTC)';
  if (candidate.hasWon) return 'already rewarded on this day (UTC)';
  if (candidate.clusterHasWon) return 'another address of the same cluster was already rewarded on this day (UTC)';
  if (candidate.winnersOfDay >= WINNERS_PER_DAY) return `all ${WINNERS_PER_DAY} rewards of this day (UTC) are given`;
  return undefined;
}

/** The UTC day of a block's time, such as 2026-11-22. */
export const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);

/** Unix milliseconds: from `from` until before `until`. */
export interface Span {
  readonly from: number;
  readonly until: number;
}

export function daySpan(at: number): Span {
  const from = Math.floor(at / DAY_MS) * DAY_MS;
  return { from, until: from + DAY_MS };
}

export function monthSpan(at: number): Span {
  const date = new Date(at);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  return { from: Date.UTC(year, month), until: Date.UTC(year, month + 1) };
}

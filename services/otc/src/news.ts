/** What is announced to people when history has moved on: to their open pages at once, by e-mail to those who do not look for a minute. */
import type { OtcNews, OtcOrderStatus } from '@orrery/api';
import { type AccountId, accountId } from '@orrery/units';
import type { LetterPort } from './ports.ts';
import type { OtcDb, OtcTx } from './tables.ts';

/** Who has not looked for this long is away. */
const AWAY_MS = 60_000;
const LATE_MS = 3_600_000;
/** Letters of one sweep. */
const LETTERS_MAX = 200;

export interface OtcAnnouncement {
  readonly account: AccountId;
  readonly news: OtcNews;
  /** For the list of what happened; null of what is seen on the page alone. */
  readonly notice: { readonly title: string; readonly text: string } | null;
}

type Listener = (announcement: OtcAnnouncement) => void;

/** What one of the two sides reads about a step that the other side, or nobody, made. */
const STEPS: Readonly<Record<OtcOrderStatus, { readonly buyer: string; readonly seller: string }>> = {
  CREATED: { buyer: 'The order is made. Pay the seller, then press Paid.', seller: 'An order is made. Wait for the payment.' },
  PAID: {
    buyer: 'You have marked the order as paid.',
    seller: 'The buyer says the money is sent. Check your account, then release the coin.',
  },
  DISPUTED: { buyer: 'A dispute is open. Send your evidence.', seller: 'A dispute is open. Send your evidence.' },
  RELEASED: { buyer: 'The coin is released to your funding wallet.', seller: 'The coin is released to the buyer.' },
  RETURNED: { buyer: 'The coin was returned to the seller.', seller: 'The coin was returned to you.' },
  CANCELLED: { buyer: 'The order is cancelled.', seller: 'The buyer cancelled the order. The coin is back.' },
  EXPIRED: { buyer: 'The order expired without a payment.', seller: 'The order expired without a payment. The coin is back.' },
};

export class Announcements {
  readonly #db: OtcDb;
  readonly #letters: LetterPort;
  readonly #now: () => number;
  readonly #listeners = new Set<Listener>();

  constructor(parts: { db: OtcDb; letters: LetterPort; now: () => number }) {
    this.#db = parts.db;
    this.#letters = parts.letters;
    this.#now = parts.now;
  }

  on(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  announce(announcements: readonly OtcAnnouncement[]): void {
    for (const announcement of announcements) for (const listener of this.#listeners) listener(announcement);
  }

  /** With the step itself: no crash loses the letter. A later step takes the place of the one before; of a step of long ago, read again, nobody is notified. */
  async note(
    tx: OtcTx,
    { account, orderId, status, at }: { account: AccountId; orderId: number; status: OtcOrderStatus; at: number },
  ): Promise<void> {
    if (at < this.#now() - LATE_MS) return;
    await tx
      .insertInto('otc_notice')
      .values({ account, order_id: orderId, status, at })
      .onConflict((conflict) => conflict.columns(['account', 'order_id']).doUpdateSet({ status, at }))
      .execute();
  }

  /** The person has looked at the order. */
  async seen(account: AccountId, orderId: number): Promise<void> {
    await this.#db.deleteFrom('otc_notice').where('account', '=', account).where('order_id', '=', orderId).execute();
  }

  /** A letter for each step that nobody has looked at: sent once at most, because the row goes first. */
  async sendLetters(): Promise<void> {
    const due = await this.#db
      .deleteFrom('otc_notice')
      .where((of) =>
        of(
          of.refTuple('account', 'order_id'),
          'in',
          of
            .selectFrom('otc_notice')
            .select(['account', 'order_id'])
            .where('at', '<=', this.#now() - AWAY_MS)
            .orderBy('at')
            .limit(LETTERS_MAX)
            .$asTuple('account', 'order_id'),
        ),
      )
      .returning(['account', 'order_id', 'status'])
      .execute();
    for (const row of due) {
      const order = await this.#db.selectFrom('otc_order').select('buyer').where('order_id', '=', row.order_id).executeTakeFirst();
      if (order === undefined) continue;
      const text = stepText(row.status as OtcOrderStatus, order.buyer === row.account ? 'buyer' : 'seller');
      this.#letters.send(accountId(row.account), { subject: `OTC order ${row.order_id}: ${row.status.toLowerCase()}`, text });
    }
  }
}

export const stepText = (status: OtcOrderStatus, side: 'buyer' | 'seller'): string => STEPS[status][side];

/** By what name a client knows its orders, and for how long: while they are open, and a while after. */
import { assert, type Millis } from '@orrery/units';
import { CLOSED_CLIENT_ORDERS_REMEMBERED, CLOSED_CLIENT_ORDERS_REMEMBERED_MS } from '@orrery/rules';
import { OPEN_KEY, type HashKey } from '../keyed/keyed-hash.ts';
import { NO_NAME, type Name, type NamedOrder } from './named-order.ts';
import { Closings, decodeClosings, type ClosedClientOrder, type EncodedClosings } from './closings.ts';
import { Names, NO_CLOSING } from './names.ts';

/** The newest closings are kept, up to this number, including those whose name has closed again since. */
const CLOSINGS_MAX = 4 * CLOSED_CLIENT_ORDERS_REMEMBERED;

/** As its command asked for it. */
export type KnownOrder = Pick<NamedOrder, 'asked' | 'replaces'>;

export const NO_CLOSINGS: EncodedClosings = { count: 0, bytes: new Uint8Array() };

/** The names of one account's orders. */
export class ClientOrders<Open extends NamedOrder> {
  readonly #names: Names<Open>;
  #closings: Closings | undefined;
  /** Closings that are the last of their name. */
  #remembered = 0;

  /** @param key of the hash of names. */
  constructor(key: HashKey = OPEN_KEY) {
    this.#names = new Names<Open>((closing) => this.#kept().read(closing).order.clientOrderId, key);
  }

  /** The open order of this name. */
  open(clientOrderId: string): Open | undefined {
    const name = this.#names.find(clientOrderId);
    return name === NO_NAME ? undefined : this.#names.open(name);
  }

  /** The order of this name that is still known: the open one first. */
  known(clientOrderId: string, at: Millis): KnownOrder | undefined {
    const name = this.#names.find(clientOrderId);
    if (name === NO_NAME) return undefined;
    const open = this.#names.open(name);
    if (open !== undefined) return open;
    const closed = this.#knownClosed(this.#names.closing(name), at);
    return closed === undefined ? undefined : { asked: closed.order, replaces: closed.replaces };
  }

  #knownClosed(closing: number, at: Millis): ClosedClientOrder | undefined {
    const closings = this.#kept();
    return isRemembered(closings.closedAt(closing), at) ? closings.read(closing) : undefined;
  }

  /** Names an order that opens; it keeps its name, so that its closing need not search for it. */
  enter(open: Open): void {
    const name = this.#names.at(open.asked.clientOrderId);
    assert(this.#names.open(name) === undefined, 'a name names one open order');
    this.#names.setOpen(name, open);
    open.name = name;
  }

  /** Its name names what it named before. */
  retract({ name }: Open): void {
    this.#names.setOpen(name, undefined);
    if (this.#names.closing(name) === NO_CLOSING) this.#names.remove(name);
  }

  /** Forgets the oldest beyond the number and the time that are remembered, so that an account's memory is bounded. */
  close(open: Open, at: Millis): void {
    const { name } = open;
    this.#remember({ order: open.asked, replaces: open.replaces, closedAt: at }, name);
    this.#names.setOpen(name, undefined);
    const closings = this.#kept();
    while (this.#remembered > CLOSED_CLIENT_ORDERS_REMEMBERED || !isRemembered(closings.closedAt(closings.oldest), at))
      this.#forgetOldest(closings);
  }

  /** The remembered ones, in the order of their closing. */
  closed(): EncodedClosings {
    return this.#closings?.encoded() ?? NO_CLOSINGS;
  }

  /** Puts back what a snapshot knew. */
  restoreClosed(closed: EncodedClosings): void {
    for (const each of decodeClosings(closed)) this.#remember(each, this.#names.at(each.order.clientOrderId));
  }

  /** Made with the first one. */
  #kept(): Closings {
    this.#closings ??= new Closings(this.#names);
    return this.#closings;
  }

  #remember(closed: ClosedClientOrder, name: Name): void {
    const closings = this.#kept();
    if (this.#names.closing(name) === NO_CLOSING) this.#remembered += 1;
    closings.push(closed, name);
    if (closings.count >= CLOSINGS_MAX) closings.keepCurrent();
  }

  #forgetOldest(closings: Closings): void {
    const number = closings.oldest;
    const name = closings.nameOf(number);
    closings.forgetOldest();
    if (this.#names.closing(name) !== number) return;
    this.#names.setClosing(name, NO_CLOSING);
    this.#remembered -= 1;
    if (this.#names.open(name) === undefined) this.#names.remove(name);
  }
}

const isRemembered = (closedAt: Millis, at: Millis): boolean => at - closedAt < CLOSED_CLIENT_ORDERS_REMEMBERED_MS;

/** The names that a client gave to the orders of one account. */
import { NO_CLOSING, type NamedOrders } from './closings.ts';

export class Names {
  readonly #byName = new Map<string, NamedOrders>();
  /** An order asks for its name three times on its way in: it is searched for once. No order has the empty name. */
  #sought = '';
  #found: NamedOrders | undefined;

  get(name: string): NamedOrders | undefined {
    if (name === this.#sought) return this.#found;
    this.#sought = name;
    this.#found = this.#byName.get(name);
    return this.#found;
  }

  /** Made when there is none. */
  at(name: string): NamedOrders {
    const known = this.get(name);
    if (known !== undefined) return known;
    const named: NamedOrders = { name, open: undefined, closing: NO_CLOSING };
    this.#byName.set(name, named);
    this.#found = named;
    return named;
  }

  delete(name: string): void {
    this.#byName.delete(name);
    if (name === this.#sought) this.#found = undefined;
  }
}

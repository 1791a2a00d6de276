/** The smallest external store: a value, its listeners, and nothing of React. */
export type Listener = () => void;

export class Store<Value> {
  #value: Value;
  readonly #listeners = new Set<Listener>();

  constructor(value: Value) {
    this.#value = value;
  }

  readonly get = (): Value => this.#value;

  /** The same value again notifies nobody. */
  set(value: Value): void {
    if (Object.is(value, this.#value)) return;
    this.#value = value;
    for (const listener of this.#listeners) listener();
  }

  readonly subscribe = (listener: Listener): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };
}

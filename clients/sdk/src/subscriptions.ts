/** Who listens to which topic. A topic is subscribed once however many listen, and again on every new connection. */
/** A topic, and the messages that begin and end it. */
interface Topic {
  readonly name: string;
  readonly begin: object;
  readonly end: object;
}

interface Entry<Listener> {
  readonly topic: Topic;
  readonly listeners: Listener[];
}

export class Subscriptions<Listener> {
  readonly #entries = new Map<string, Entry<Listener>>();
  readonly #send: (message: object) => void;

  constructor(send: (message: object) => void) {
    this.#send = send;
  }

  add(topic: Topic, listener: Listener): () => void {
    const entry = this.#entries.get(topic.name) ?? { topic, listeners: [] };
    if (entry.listeners.length === 0) this.#send(topic.begin);
    this.#entries.set(topic.name, entry);
    entry.listeners.push(listener);
    return () => this.#remove(entry, listener);
  }

  /** Subscribes everything on a new connection. */
  begin(): void {
    for (const { topic } of this.#entries.values()) this.#send(topic.begin);
  }

  /** Ends and begins a topic, so that the whole of it is sent again. */
  renew(topic: Topic): void {
    this.#send(topic.end);
    this.#send(topic.begin);
  }

  of(topic: Topic): readonly Listener[] {
    return this.#entries.get(topic.name)?.listeners ?? [];
  }

  notify(topic: Topic, say: (listener: Listener) => void): void {
    // A copy: a listener may leave while it is called.
    for (const listener of this.of(topic).slice()) say(listener);
  }

  #remove(entry: Entry<Listener>, listener: Listener): void {
    const place = entry.listeners.indexOf(listener);
    if (place === -1) return;
    entry.listeners.splice(place, 1);
    if (entry.listeners.length > 0) return;
    this.#entries.delete(entry.topic.name);
    this.#send(entry.topic.end);
  }
}

/**
 * A bot as they were written for the older API, with nothing of ours: plain `fetch` and `WebSocket`, parameters in the query, signed in
 * the order in which they are given, prices with two decimals and sizes with four.
 */
import { createHmac, randomUUID } from 'node:crypto';

export interface BotKey {
  readonly accessKey: string;
  readonly secret: string;
}

export type BotParameters = Readonly<Record<string, string | number>>;

/** Of the envelope, what the bot reads. */
interface Envelope {
  readonly code: number;
  readonly msg: string;
  readonly data: unknown;
}

export interface BotMessage {
  readonly resType: string;
  readonly data: Readonly<Record<string, unknown>>;
}

export class OldBot {
  readonly #url: string;
  readonly #key: BotKey;
  #lastTimestamp = 0;

  constructor(url: string, key: BotKey) {
    this.#url = url;
    this.#key = key;
  }

  get(path: string, parameters: BotParameters = {}): Promise<unknown> {
    return this.#call('GET', path, parameters);
  }

  post(path: string, parameters: BotParameters = {}): Promise<unknown> {
    return this.#call('POST', path, parameters);
  }

  /** Code 0 is success, and anything else is raised with its message. */
  async #call(method: string, path: string, parameters: BotParameters): Promise<unknown> {
    const given = Object.entries(parameters).map(([name, value]) => [name, String(value)] as const);
    const search = given.length === 0 ? '' : `?${new URLSearchParams(given.map(([name, value]) => [name, value])).toString()}`;
    const response = await fetch(`${this.#url}${path}${search}`, { method, headers: this.#signed(given) });
    const { code, msg, data } = (await response.json()) as Envelope;
    if (code !== 0) throw new Error(`${path}: ${code} ${msg}`);
    return data;
  }

  #signed(given: readonly (readonly [string, string])[]): Record<string, string> {
    // Two calls of one millisecond would have one signature.
    this.#lastTimestamp = Math.max(Date.now(), this.#lastTimestamp + 1);
    const timestamp = String(this.#lastTimestamp);
    const raw = `${given.map(([name, value]) => `${name}=${value}`).join('&')}&timestamp=${timestamp}`;
    return {
      'User-Agent': 'TradingBot/1.0',
      'X-Access-Key': this.#key.accessKey,
      'X-Request-Timestamp': timestamp,
      'X-Request-Nonce': randomUUID(),
      'X-Signature': createHmac('sha256', this.#key.secret).update(raw).digest('hex'),
    };
  }
}

/** The bot's stream. */
export class OldBotStream {
  readonly #socket: WebSocket;
  readonly messages: BotMessage[] = [];
  /** Texts that are not JSON. */
  readonly texts: string[] = [];

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.addEventListener('message', ({ data }) => {
      const text = String(data);
      if (text.startsWith('{')) this.messages.push(JSON.parse(text) as BotMessage);
      else this.texts.push(text);
    });
  }

  static async open(url: string): Promise<OldBotStream> {
    const socket = new WebSocket(`${url.replace('http', 'ws')}/spot/v1/ws/socket`);
    const stream = new OldBotStream(socket);
    await new Promise((resolve, reject) => {
      socket.addEventListener('open', resolve, { once: true });
      socket.addEventListener('error', () => reject(new Error('the stream did not open')), { once: true });
    });
    return stream;
  }

  send(message: object | string): void {
    this.#socket.send(typeof message === 'string' ? message : JSON.stringify(message));
  }

  of(resType: string): readonly BotMessage['data'][] {
    return this.messages.filter((message) => message.resType === resType).map(({ data }) => data);
  }

  close(): void {
    this.#socket.close();
  }
}

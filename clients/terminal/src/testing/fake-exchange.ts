/**
 * The exchange as a page reaches it: `fetch` alone is replaced. What a test does not answer is unknown to the exchange, and whose call it is follows
 * from its token, as there.
 */
import { ACCOUNT_HEADER, contract } from '@orrery/api';
import type { CallBody, CallData, CallName, CallQuery, FaultName } from '@orrery/api';

export interface Received<Name extends CallName> {
  /** The account whose token came with it. */
  readonly by: string | undefined;
  /** The account that it says it is made for. */
  readonly as: string | undefined;
  readonly query: CallQuery[Name];
  readonly body: CallBody[Name];
}

type Answer<Name extends CallName> = (call: Received<Name>) => CallData[Name] | Promise<CallData[Name]>;

interface Refused {
  readonly status: number;
  readonly msg: string;
  readonly reason?: FaultName;
}

/** Thrown by an answer: the exchange refuses. */
export class Refusal extends Error {
  readonly refused: Refused;

  constructor(refused: Refused) {
    super(refused.msg);
    this.refused = refused;
  }
}

/** As the answer: none comes, and nobody knows whether the call was done. */
export const silence = (): never => {
  throw new DOMException('no answer in time', 'TimeoutError');
};

/** An answer that comes when the test says so. */
export function held<Data>(): { readonly answer: () => Promise<Data>; readonly give: (data: Data) => void } {
  const { promise, resolve } = Promise.withResolvers<Data>();
  return { answer: () => promise, give: resolve };
}

const TOKEN = 'token of ';
export const tokenOf = (account: string): string => `${TOKEN}${account}`;

const NAMES = new Map(Object.entries(contract).map(([name, { method, path }]) => [`${method} ${path}`, name as CallName]));

const json = (status: number, value: unknown): Response =>
  new Response(JSON.stringify(value), { status, headers: { 'content-type': 'application/json' } });

const refuse = ({ status, msg, reason }: Refused): Response => json(status, { code: 12_000, msg, data: { reason, field: '' } });

export class FakeExchange {
  readonly #answers = new Map<CallName, Answer<never>>();
  readonly #received: (readonly [CallName, Received<never>])[] = [];

  answer<Name extends CallName>(name: Name, answer: Answer<Name>): void {
    this.#answers.set(name, answer as unknown as Answer<never>);
  }

  /** What a call has received so far. */
  received<Name extends CallName>(name: Name): readonly Received<Name>[] {
    return this.#received.filter(([of]) => of === name).map(([, call]) => call as unknown as Received<Name>);
  }

  readonly fetch: typeof globalThis.fetch = async (input, init) => {
    const request = new Request(input, init);
    const { pathname, searchParams } = new URL(request.url);
    const name = NAMES.get(`${request.method} ${pathname}`);
    const text = request.method === 'GET' ? '' : await request.text();
    const token = request.headers.get('authorization')?.replace(`Bearer ${TOKEN}`, '');
    const call = {
      by: token,
      as: request.headers.get(ACCOUNT_HEADER) ?? undefined,
      query: Object.fromEntries(searchParams),
      body: text === '' ? undefined : (JSON.parse(text) as unknown),
    } as unknown as Received<never>;
    const answer = name && this.#answers.get(name);
    if (name !== undefined) this.#received.push([name, call]);
    if (answer === undefined) return refuse({ status: 404, msg: `${pathname} is not there` });
    try {
      return json(200, { code: 0, msg: 'success', data: await (answer(call) as unknown) });
    } catch (error) {
      if (error instanceof Refusal) return refuse(error.refused);
      throw error;
    }
  };
}

/** A table of routes together with what answers them. */
import type { Caller, Handlers, Operator, Principal, Route } from '@orrery/api';
import { assert } from '@orrery/units';

/** A call as the gateway makes it: it has validated `query` and `body` by the route's schemas, which is what their types in `Call` say. */
interface ValidatedCall {
  readonly principal: Principal | Operator | undefined;
  readonly query: unknown;
  readonly body: unknown;
  readonly caller: Caller;
}

export interface Mounted {
  /** By which the documentation calls it. */
  readonly name: string;
  readonly route: Route;
  readonly answer: (call: ValidatedCall) => unknown;
}

/** The type of `handlers` is the proof that each route has its handler and each handler its route. */
export function mount<Table extends Record<string, Route>>(table: Table, handlers: Handlers<Table>): readonly Mounted[] {
  return Object.entries(table).map(([name, route]) => {
    const handler: unknown = Reflect.get(handlers, name);
    assert(typeof handler === 'function', `no handler for ${name}`);
    return { name, route, answer: (call) => handler.call(handlers, call) };
  });
}

/** A table of routes together with what answers them. */
import { assert } from '@orrery/units';
import type { Operator, Principal } from './access.ts';
import type { Caller, Handlers } from './handler.ts';
import type { Route } from './route.ts';

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

/** The tables of a service, each under the name of its handlers. */
export type RouteTables = Readonly<Record<string, Readonly<Record<string, Route>>>>;

/** One handler for each route of each table. */
export type TableHandlers<Tables extends RouteTables> = { readonly [Name in keyof Tables]: Handlers<Tables[Name]> };

/** The type of `handlers` is the proof that each route has its handler and each handler its route. */
export function mount<Table extends Record<string, Route>>(table: Table, handlers: Handlers<Table>): readonly Mounted[] {
  return Object.entries(table).map(([name, route]) => {
    const handler: unknown = Reflect.get(handlers, name);
    assert(typeof handler === 'function', `no handler for ${name}`);
    return { name, route, answer: (call) => handler.call(handlers, call) };
  });
}

/** The calls of a service, in the order of its tables. */
export function mountTables<Tables extends RouteTables>(tables: Tables, handlers: TableHandlers<Tables>): readonly Mounted[] {
  return Object.keys(tables).flatMap((name: keyof Tables) => mount(tables[name] as Tables[keyof Tables], handlers[name]));
}

/** With which methods each path of the API is called. */
import { contract, type Route } from '@orrery/api';

const METHODS: ReadonlyMap<string, readonly Route['method'][]> = methodsOf(Object.values<Route>(contract));

/** Undefined where there is no such path. */
export const methodsAt = (path: string): readonly Route['method'][] | undefined => METHODS.get(path);

function methodsOf(routes: readonly Route[]): ReadonlyMap<string, readonly Route['method'][]> {
  const methods = new Map<string, readonly Route['method'][]>([['/rpc', ['POST']]]);
  for (const { method, path, aliases = [] } of routes) {
    for (const each of [path, ...aliases]) methods.set(each, [...(methods.get(each) ?? []), method]);
  }
  return methods;
}

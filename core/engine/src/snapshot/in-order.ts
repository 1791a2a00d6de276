/** The entries of a map in the order of their keys: what results is the same whatever the order of insertion was. */
export function byId<Id extends number, Value>(map: ReadonlyMap<Id, Value>): Value[] {
  return [...map].sort(([left], [right]) => left - right).map(([, value]) => value);
}

export function byName<Value>(map: Iterable<[string, Value]>): [string, Value][] {
  return [...map].sort(([left], [right]) => (left < right ? -1 : 1));
}

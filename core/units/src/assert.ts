/** A failed assertion is a bug: the process stops, restarts and replays. It is never an answer to a request. */
export class AssertionError extends Error {
  override readonly name = 'AssertionError';
}

export function assert(condition: boolean, message: string): asserts condition {
  if (!condition) throw new AssertionError(message);
}

/** Ends every switch over a union, so that a new member is a compile error where it was forgotten. */
export function unreachable(value: never): never {
  throw new AssertionError(`unreachable: ${String(value)}`);
}

/** Something a person does, and whether its answer is awaited. What goes wrong has been said in a toast by then. */
import { useState } from 'react';

export interface Pending<Input> {
  /** What was begun last and is not answered; `undefined` when nothing is. */
  readonly pending: { readonly input: Input } | undefined;
  readonly begin: (input: Input) => void;
}

export function usePending<Input>(work: (input: Input) => Promise<unknown>): Pending<Input> {
  const [pending, setPending] = useState<{ readonly input: Input }>();
  return {
    pending,
    begin(input) {
      const mine = { input };
      setPending(mine);
      const end = (): void => setPending((now) => (now === mine ? undefined : now));
      work(input).then(end, end);
    },
  };
}

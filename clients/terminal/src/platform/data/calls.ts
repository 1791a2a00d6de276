/** Calls of the exchange's routes by name. What a component shows is read with `useData`; these are for all else. */
import { http } from '../client/client.ts';
import type { Http } from '../client/http.ts';
import { queryClient } from '../client/query-client.ts';

export type { CallInput } from '../client/http.ts';

/** For what a person does: what goes wrong is shown as a toast, and the call rejects. A write takes the account it is made for. */
export const act: Http['call'] = http.call;

/** For what says in place what went wrong, without a toast: what a page reads by itself, and forms. */
export const ask: Http['load'] = http.load;

/** The answer as it came, a refusal too: no toast, no event. Rejects only when there was none. */
export const answerOf: Http['raw'] = http.raw;

/** Reads of these names are old: what is shown of them is read again. Resolves when it is. */
export async function refresh(...names: readonly string[]): Promise<void> {
  await Promise.all(names.map((name) => queryClient.invalidateQueries({ queryKey: [name] })));
}

/** Text messages by a service that takes `{"to":"+8613800138000","text":"…"}` by HTTP POST and answers with a status below 300. */
import type { Post } from '@orrery/accounts';

const PATIENCE_MS = 15_000;

/** @param options.token is sent as a bearer token, where there is one */
export function textPost({ url, token }: { readonly url: string; readonly token: string | undefined }): Post {
  return async ({ to, text }) => {
    const { status } = await fetch(url, {
      method: 'POST',
      redirect: 'error',
      signal: AbortSignal.timeout(PATIENCE_MS),
      headers: { 'content-type': 'application/json', ...(token !== undefined && { authorization: `Bearer ${token}` }) },
      body: JSON.stringify({ to, text }),
    });
    if (status >= 300) throw new Error(`the service of text messages answered ${status}`);
  };
}

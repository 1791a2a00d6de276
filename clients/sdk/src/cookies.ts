/** The cookies of one exchange, for programs: browsers keep their own, and let no page read or send them by hand. */

/** @returns `fetch` that sends back what cookies it was given. Names and values of the exchange need no escaping. */
export function withCookies(send: typeof globalThis.fetch = globalThis.fetch): typeof globalThis.fetch {
  const kept = new Map<string, string>();
  return async (input, init) => {
    const request = new Request(input, init);
    if (kept.size > 0) request.headers.set('cookie', [...kept].map(([name, value]) => `${name}=${value}`).join('; '));
    const response = await send(request);
    for (const cookie of response.headers.getSetCookie()) keep(kept, cookie);
    return response;
  };
}

function keep(kept: Map<string, string>, cookie: string): void {
  const [pair = '', ...attributes] = cookie.split(';');
  const equals = pair.indexOf('=');
  if (equals === -1) return;
  const name = pair.slice(0, equals).trim();
  if (attributes.some((attribute) => /^\s*max-age\s*=\s*0\s*$/i.test(attribute))) kept.delete(name);
  else kept.set(name, pair.slice(equals + 1).trim());
}

/** The calls of the signing page, which the exchange takes at this origin only. */

export class CallFailed extends Error {
  override readonly name = 'CallFailed';
  /** By which the exchange refused; undefined where it did not answer. */
  readonly reason: string | undefined;

  constructor(message: string, { reason, cause }: { reason?: string | undefined; cause?: unknown } = {}) {
    super(message, { cause });
    this.reason = reason;
  }
}

type Answers = {
  readonly create: null;
  readonly stretch: { readonly evaluated: string };
  readonly share: { readonly share: string; readonly use: 'sign' | 'export' };
  readonly recover: { readonly share: string; readonly recovery: string; readonly evaluated: string };
  readonly renew: { readonly withdrawalsHeldUntil: number };
};

/** @throws CallFailed with the words of the exchange. */
export async function call<Name extends keyof Answers>(name: Name, body: Readonly<Record<string, string>>): Promise<Answers[Name]> {
  const response = await fetch(`/pro/p/wallet/${name}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    credentials: 'omit',
    body: JSON.stringify(body),
  }).catch((cause: unknown) => {
    throw new CallFailed('the exchange does not answer', { cause });
  });
  // The envelope of every call of the exchange, which serves this page too.
  const { code, msg, data } = (await response.json()) as { code: number; msg: string; data: Answers[Name] & { reason?: string } };
  if (code !== 0) throw new CallFailed(msg, { reason: data?.reason });
  return data;
}

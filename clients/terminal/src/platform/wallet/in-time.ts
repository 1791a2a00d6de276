/** A wallet may never answer: a window was closed, a phone was put away. Everything that waits for one gives up in time. */
export class WalletTimeout extends Error {
  override readonly name = 'WalletTimeout';
  override readonly message = 'the wallet did not answer in time';
}

/** @throws WalletTimeout when the work takes longer than `limitMs`; what comes of it later is dropped. */
export function inTime<Result>(work: Promise<Result>, limitMs: number): Promise<Result> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new WalletTimeout()), limitMs);
  return Promise.race([work, promise]).finally(() => clearTimeout(timer));
}

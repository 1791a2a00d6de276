/** The program can not start, and one sentence says why. Shown as it is, without a stack, before a non-zero exit. */
export class StartError extends Error {
  override readonly name = 'StartError';
}

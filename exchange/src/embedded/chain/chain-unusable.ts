/** The local chain can not start or go on, for a reason the person who runs the program can mend. One sentence. */
export class ChainUnusable extends Error {
  override readonly name = 'ChainUnusable';
}

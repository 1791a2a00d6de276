/** The database can not start, for a reason the person who runs the program can mend. One sentence. */
export class DatabaseUnusable extends Error {
  override readonly name = 'DatabaseUnusable';
}

/** One thing of every account, by its id. */

/** Sets an entry. All before it are there: an array with holes would become a dictionary. */
export function setAt<Entry>(column: (Entry | undefined)[], id: number, entry: Entry): void {
  while (column.length <= id) column.push(undefined);
  column[id] = entry;
}

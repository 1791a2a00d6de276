/** Runs something for each item with limited concurrency; results in the order of the items. The first failure ends it. */
export async function atOnce<Item, Result>(
  limit: number,
  items: readonly Item[],
  run: (item: Item, index: number) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  const queue = items.entries();
  const work = async (): Promise<void> => {
    for (const [index, item] of queue) results[index] = await run(item, index);
  };
  await Promise.all(Array.from({ length: limit }, work));
  return results;
}

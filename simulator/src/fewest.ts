/** The smallest part of `all` found that still fails, within `runs` runs. */
export async function fewestOf<Of>(
  all: readonly Of[],
  runs: number,
  fails: (some: readonly Of[]) => Promise<boolean>,
): Promise<readonly Of[]> {
  let fewest = all;
  let part = Math.ceil(fewest.length / 2);
  let from = 0;
  for (let run = 0; run < runs && part >= 1; run += 1) {
    const candidate = [...fewest.slice(0, from), ...fewest.slice(from + part)];
    if (await fails(candidate)) fewest = candidate;
    else from += part;
    if (from < fewest.length) continue;
    from = 0;
    part = part === 1 ? 0 : Math.ceil(part / 2);
  }
  return fewest;
}

/** `+1.23%`: how far a price is from another, in hundredths of a percent, rounded towards zero. */
export function distanceText(price: number, from: number): string | undefined {
  if (!(price > 0) || !(from > 0)) return undefined;
  // A hair beyond the float's own error, so that 1 % is not written as 0.99 %.
  const hundredths = Math.trunc(((price - from) / from) * 10_000 * (1 + Number.EPSILON * 8));
  const digits = (Math.abs(hundredths) / 100).toFixed(2);
  return `${hundredths < 0 ? '\u2212' : hundredths > 0 ? '+' : ''}${digits}%`;
}

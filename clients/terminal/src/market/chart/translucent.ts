/** A colour with an alpha from 0 to 1, as a canvas reads it. */
export function translucent(color: string, alpha: number): string {
  return `color-mix(in srgb, ${color} ${Math.round(alpha * 100)}%, transparent)`;
}

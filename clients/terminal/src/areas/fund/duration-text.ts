/** Whole hours of a time span, in words. */
import type { useText } from '../../kit/i18n/text.tsx';

const HOUR_MS = 3_600_000;

export const durationText = (text: ReturnType<typeof useText>, ms: number): string =>
  text('quanto.hours', { hours: Math.ceil(ms / HOUR_MS) });

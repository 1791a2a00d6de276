/** The height of a row of the book follows the density setting. */
import { useSettings } from '../../../kit/settings/settings.ts';
import type { Settings } from '../../../kit/settings/settings.ts';

/** The same values as `--book-row` in tokens.css. */
const HEIGHTS: Readonly<Record<Settings['density'], number>> = { standard: 21, compact: 19, touch: 28 };

export const useRowHeight = (): number => HEIGHTS[useSettings((settings) => settings.density)];

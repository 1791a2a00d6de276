/** How often the feed updates the page, as the person has chosen. */
import { useEffect } from 'react';
import { marketStream } from '../../platform/data/streams/streams.ts';
import { useSettings } from '../../kit/settings/settings.ts';
import type { Settings } from '../../kit/settings/settings.ts';

const HERTZ = { live: 10, calm: 2 } as const satisfies Record<Settings['pace'], number>;

export function usePace(): void {
  const pace = useSettings((settings) => settings.pace);
  useEffect(() => marketStream.setPace(HERTZ[pace]), [pace]);
}

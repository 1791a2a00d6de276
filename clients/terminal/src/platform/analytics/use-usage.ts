/** Loads what measures the use of the pages, once cookies are accepted. */
import { useEffect } from 'react';
import { useSettings } from '../../kit/settings/settings.ts';
import { loadCode } from '../../kit/ui/load-code.ts';

/** The query by which this visit began, read before a page leads elsewhere. In memory alone. */
const arrivedBy = location.search;

/** Mounted once. */
export function useUsage(path: string): void {
  const isOn = useSettings((settings) => settings.analytics);
  useEffect(() => {
    if (isOn) void loadCode(() => import('./usage.ts')).then(({ noteView }) => noteView({ path, arrivedBy }));
  }, [isOn, path]);
}

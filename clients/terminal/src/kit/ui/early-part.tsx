/**
 * A part of a page whose code is asked for as soon as the page's own has come, and which is shown without a fallback once it is there. A part that
 * waits for Suspense is drawn after everything that was begun meanwhile, such as the chart.
 */
import { useSyncExternalStore } from 'react';
import type { ComponentType, ReactElement } from 'react';
import { earlyCode } from './early-code.ts';

/** For what nobody waits for: where its code cannot be loaded, there is nothing in its place. */
export function earlyPart<Props extends object>(load: () => Promise<ComponentType<Props>>): (props: Props) => ReactElement | null {
  const { current, subscribe } = earlyCode(load);
  return function EarlyPart(props) {
    const Part = useSyncExternalStore(subscribe, current);
    return Part === undefined ? null : <Part {...props} />;
  };
}

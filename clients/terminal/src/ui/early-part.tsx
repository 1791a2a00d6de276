/**
 * A part of a page whose code is asked for as soon as the page's own has come, and which is shown without a fallback once it is there. A part that
 * waits for Suspense is drawn after everything that was begun meanwhile, such as the chart.
 */
import { useSyncExternalStore } from 'react';
import type { ComponentType, ReactElement } from 'react';
import { loadCode } from './load-code.ts';

/** For what nobody waits for: where its code cannot be loaded, there is nothing in its place. */
export function earlyPart<Props extends object>(load: () => Promise<ComponentType<Props>>): (props: Props) => ReactElement | null {
  let part: ComponentType<Props> | undefined;
  const listeners = new Set<() => void>();
  const found = (loaded: ComponentType<Props>): void => {
    part = loaded;
    for (const listener of listeners) listener();
  };
  void loadCode(load).then(found, () => undefined);
  const subscribe = (listener: () => void): (() => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  return function EarlyPart(props) {
    const Part = useSyncExternalStore(subscribe, () => part);
    return Part === undefined ? null : <Part {...props} />;
  };
}

/** What another tab of this browser remembers is noticed here. */
import type { Stored } from './stored.ts';

export type StorageEvents = Pick<EventTarget, 'addEventListener' | 'removeEventListener'>;

/**
 * @param onChange called after another tab has written or cleared one of these values; also when it has cleared everything.
 * @returns stops following.
 */
export function followOtherTabs(
  values: readonly Pick<Stored<unknown>, 'name'>[],
  onChange: () => void,
  events: StorageEvents | undefined = globalThis.window,
): () => void {
  const names = new Set(values.map(({ name }) => name));
  const listen = (event: Event): void => {
    const { key } = event as StorageEvent;
    if (key === null || names.has(key)) onChange();
  };
  events?.addEventListener('storage', listen);
  return () => events?.removeEventListener('storage', listen);
}

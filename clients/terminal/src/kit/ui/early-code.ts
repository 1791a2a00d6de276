/** Code that is asked for at once, and can be read from the moment it is there. */
import { loadCode } from './load-code.ts';

export interface EarlyCode<Module> {
  /** `undefined` until it has come, and always where it cannot be loaded. */
  readonly current: () => Module | undefined;
  /** @returns ends it. */
  readonly subscribe: (listener: () => void) => () => void;
}

export function earlyCode<Module>(load: () => Promise<Module>, sleep?: (millis: number) => Promise<void>): EarlyCode<Module> {
  let code: Module | undefined;
  const listeners = new Set<() => void>();
  const found = (loaded: Module): void => {
    code = loaded;
    for (const listener of listeners) listener();
  };
  void loadCode(load, sleep).then(found, () => undefined);
  return {
    current: () => code,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

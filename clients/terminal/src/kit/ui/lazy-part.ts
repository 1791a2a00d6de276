/** A part of a page whose code is loaded when it is first shown. */
import { lazy } from 'react';
import type { ComponentType, LazyExoticComponent } from 'react';
import { loadCode } from './load-code.ts';

export function lazyPart<Props extends object>(load: () => Promise<ComponentType<Props>>): LazyExoticComponent<ComponentType<Props>> {
  return lazy(async () => ({ default: await loadCode(load) }));
}

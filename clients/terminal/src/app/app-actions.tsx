/** What can be done on every page, and the keys that do it. Mounted once. */
import { useEffect, useState } from 'react';
import type { ReactElement } from 'react';
import { registerActions } from '../platform/actions/action.ts';
import { useActionKeys } from '../platform/actions/follow-keys.ts';
import { generalActions } from '../platform/actions/general-actions.ts';
import { lazyPart } from '../kit/ui/lazy-part.ts';
import { Panel } from '../kit/ui/panel.tsx';

const PageActions = lazyPart(async () => (await import('./page-actions.tsx')).PageActions);

export function AppActions(): ReactElement | null {
  const [isTouched, setTouched] = useState(false);
  useActionKeys();
  useEffect(() => registerActions(generalActions), []);
  useEffect(() => {
    const touch = (): void => setTouched(true);
    const events = ['keydown', 'pointerdown'] as const;
    for (const event of events) window.addEventListener(event, touch, { once: true });
    return () => {
      for (const event of events) window.removeEventListener(event, touch);
    };
  }, []);
  if (!isTouched) return null;
  return (
    <Panel room="none">
      <PageActions />
    </Panel>
  );
}

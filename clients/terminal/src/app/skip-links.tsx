/** For people without a pointer: links past the header to the page's content and to each of its panels; F6 and Shift+F6 go from panel to panel. */
import { useEffect, useState } from 'react';
import type { ReactElement } from 'react';
import { useText } from '../kit/i18n/text.tsx';
import { panelsIn } from '../kit/ui/panels.ts';

const SKIP_LINK =
  'sr-only focus:not-sr-only focus:fixed focus:inset-s-2 focus:top-2 focus:z-[80] focus:rounded focus:bg-bone focus:px-3 focus:py-2 focus:text-on-bone';

function usePanelKeys(): void {
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (event.key !== 'F6' || event.ctrlKey || event.altKey || event.metaKey) return;
      const panels = panelsIn(document);
      const current = panels.findIndex((panel) => panel.contains(document.activeElement));
      const step = event.shiftKey ? -1 : 1;
      const from = current === -1 && event.shiftKey ? 0 : current;
      const next = panels.at((from + step) % Math.max(panels.length, 1));
      if (next === undefined) return;
      event.preventDefault();
      next.focus();
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, []);
}

export function SkipLinks(): ReactElement {
  const text = useText();
  // What the page has is read when the first link is reached: panels come and go.
  const [panels, setPanels] = useState<readonly HTMLElement[]>([]);
  usePanelKeys();
  return (
    <>
      <a href="#content" className={SKIP_LINK} onFocus={() => setPanels(panelsIn(document))}>
        {text('app.skip')}
      </a>
      {panels.map((panel) => (
        <a
          key={panel.ariaLabel}
          href="#content"
          className={SKIP_LINK}
          onClick={(event) => {
            event.preventDefault();
            panel.focus();
          }}
        >
          {text('app.skipTo', { panel: panel.ariaLabel ?? '' })}
        </a>
      ))}
    </>
  );
}

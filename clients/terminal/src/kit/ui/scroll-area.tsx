/** Content that may be wider than its place: scrolled sideways, by keyboard as well while there is something to scroll. */
import { useLayoutEffect, useRef, useState } from 'react';
import type { ReactElement, ReactNode } from 'react';

export function ScrollArea({ label, children }: { readonly label: string; readonly children: ReactNode }): ReactElement {
  const place = useRef<HTMLDivElement>(null);
  const [overflows, setOverflows] = useState(false);
  useLayoutEffect(() => {
    const element = place.current;
    if (!element) return undefined;
    const measure = (): void => setOverflows(element.scrollWidth > element.clientWidth);
    const observer = new ResizeObserver(measure);
    for (const box of [element, ...element.children]) observer.observe(box);
    measure();
    return () => observer.disconnect();
  }, []);
  return (
    <div
      ref={place}
      className="@container relative min-w-0 overflow-x-auto outline-offset-[-2px]"
      {...(overflows && { role: 'region', 'aria-label': label, tabIndex: 0 })}
    >
      {children}
    </div>
  );
}

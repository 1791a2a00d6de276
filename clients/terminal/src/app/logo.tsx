import type { ReactElement } from 'react';

/** An orrery: orbits about a middle, one body warm. */
export function Logo(): ReactElement {
  return (
    <svg viewBox="0 0 24 24" className="size-5 text-fg" aria-hidden="true" fill="none" stroke="currentColor" strokeWidth="1.4">
      <circle cx="12" cy="12" r="9.5" opacity=".5" />
      <ellipse cx="12" cy="12" rx="9.5" ry="3.9" transform="rotate(-28 12 12)" />
      <circle cx="12" cy="12" r="2.6" fill="currentColor" stroke="none" />
      <circle cx="20" cy="7.2" r="1.9" className="fill-warn" stroke="none" />
    </svg>
  );
}

/** The pages of one area, beside each other. */
import { Link } from '@tanstack/react-router';
import type { LinkProps } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import type { ReactElement } from 'react';
import type { MessageId } from '../i18n/catalog.ts';
import { useText } from '../i18n/text.tsx';

export interface Place {
  readonly to: NonNullable<LinkProps['to']>;
  readonly label: MessageId;
  /** Not where a page below it is in view, which has a place of its own. */
  readonly alone?: boolean;
}

export interface SectionNavProps {
  readonly label: MessageId;
  readonly places: readonly Place[];
}

export function SectionNav({ label, places }: SectionNavProps): ReactElement {
  const text = useText();
  const bar = useRef<HTMLElement>(null);
  useEffect(() => {
    // Newer browsers answer a promise, which must not be taken for the effect's clean-up.
    bar.current?.querySelector('[data-status=active]')?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, []);
  return (
    <nav ref={bar} aria-label={text(label)} className="mb-5 border-b border-line">
      <div className="fade-sides -mx-1 -mb-px flex px-1 gap-5 overflow-x-auto text-md [scrollbar-width:none] max-tablet:gap-3 max-tablet:text-sm">
        {places.map((place) => (
          <Link key={place.to} to={place.to} activeOptions={{ exact: place.alone === true }} className="tab pb-2">
            {text(place.label)}
          </Link>
        ))}
      </div>
    </nav>
  );
}

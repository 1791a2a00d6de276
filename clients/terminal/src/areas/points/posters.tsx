/** What the exchange puts up beside the points: a campaign that begins, a prize that was won. Nothing while there is nothing. */
import type { ReactElement } from 'react';
import { useText } from '../../kit/i18n/text.tsx';
import { useNotices } from '../notices/use-notices.ts';
import type { KnownNotice } from '../notices/use-notices.ts';

function Poster({ poster }: { readonly poster: KnownNotice }): ReactElement {
  const text = useText();
  return (
    <li className="flex min-w-0 flex-col gap-2 overflow-hidden rounded-md border border-line bg-panel">
      <div className="hazard-strip" />
      <div className="flex grow flex-col items-start gap-1 px-4 pt-2 pb-4">
        <h2 className="text-xl font-semibold tracking-[-0.01em] break-words">{poster.title}</h2>
        {poster.text !== '' && <p className="text-md break-words whitespace-pre-line text-fg2">{poster.text}</p>}
        {poster.link !== null && (
          <a href={poster.link} className="text-link mt-1 text-md">
            {text('notices.more')}
          </a>
        )}
      </div>
    </li>
  );
}

export function Posters(): ReactElement | null {
  const text = useText();
  const posters = useNotices('POSTER');
  if (posters.length === 0) return null;
  return (
    <ul aria-label={text('points.posters')} className="mb-5 grid gap-5 tablet:has-[li:nth-child(2)]:grid-cols-2">
      {posters.map((poster) => (
        <Poster key={poster.noticeId} poster={poster} />
      ))}
    </ul>
  );
}

/** The newest blocks beside each other, newest first: what each holds, how old it is, and which are lucky. */
import type { ChainBlockLine } from '@orrery/api';
import { Link } from '@tanstack/react-router';
import { Clover } from 'lucide-react';
import type { ReactElement } from 'react';
import type { Loaded } from '../../kit/ui/loaded.ts';
import { useData } from '../../platform/data/use-data.ts';
import { formatSpan } from '../../kit/format/time.ts';
import { useText } from '../../kit/i18n/text.tsx';
import { useFormat } from '../../kit/settings/use-format.ts';
import { classes } from '../../kit/ui/classes.ts';
import { FailedState } from '../../kit/ui/empty-state.tsx';
import { Skeleton } from '../../kit/ui/skeleton.tsx';
import { useServerNow } from '../../platform/client/server-clock.ts';

const SHOWN = 20;
const POLL_MS = 10_000;
/** More transactions than this draw no longer line. */
const FULL = 4;

const WIDTHS = ['w-0', 'w-1/4', 'w-1/2', 'w-3/4', 'w-full'] as const;

interface BlockProps {
  readonly block: ChainBlockLine;
  readonly now: number;
}

function Block({ block, now }: BlockProps): ReactElement {
  const text = useText();
  const format = useFormat();
  const { number, transactions, lucky } = block;
  const age = formatSpan(now - block.time * 1000);
  return (
    <li className="shrink-0">
      <Link
        to="/explorer/block/$number"
        params={{ number: String(number) }}
        title={`${block.hash}\n${format.time(block.time * 1000)}`}
        className={classes(
          'flex h-[72px] w-[104px] flex-col justify-between rounded border p-2 hover:bg-hover',
          lucky ? 'border-warn bg-raised' : 'border-line bg-panel hover:border-control',
        )}
      >
        <span className="flex items-center justify-between gap-1 text-md font-semibold">
          {number}
          {lucky && <Clover size={14} role="img" aria-label={text('explorer.lucky')} className="text-warn" />}
        </span>
        <span className={classes('text-sm', transactions === 0 ? 'text-fg3' : 'text-fg2')}>
          {text('explorer.count', { count: transactions })}
        </span>
        <span className="flex items-center justify-between gap-2 text-sm text-fg3">
          <span className="h-1 grow rounded-sm bg-hover" aria-hidden="true">
            <span className={classes('block h-1 rounded-sm bg-fg3', WIDTHS[Math.min(transactions, FULL)])} />
          </span>
          {age}
        </span>
      </Link>
    </li>
  );
}

/** Newest first. */
export const useNewestBlocks = (): Loaded<readonly ChainBlockLine[]> =>
  useData({ name: 'chainBlocks', input: { query: { size: SHOWN } }, of: 'everybody', pollMs: POLL_MS });

export function BlockRibbon(): ReactElement {
  const text = useText();
  const now = useServerNow(1_000);
  const read = useNewestBlocks();
  const { value: blocks } = read;
  if (read.phase === 'failed') return <FailedState onRetry={read.retry} />;
  return (
    <nav aria-label={text('explorer.ribbon')} className="fade-sides mb-5 overflow-x-auto pb-1 [scrollbar-width:thin]">
      {blocks === undefined ? (
        <Skeleton className="h-[72px] w-full" />
      ) : (
        <ol className="flex gap-2">
          {blocks.map((block) => (
            <Block key={block.number} block={block} now={now} />
          ))}
        </ol>
      )}
    </nav>
  );
}

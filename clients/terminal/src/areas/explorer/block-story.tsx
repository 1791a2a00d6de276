/** What happened in a block, in sentences: when it was sealed, who came first in it, and why it is lucky or not. */
import { LUCKY_BLOCK_POINTS } from '@orrery/api';
import type { ChainBlock, ChainTransactionLine } from '@orrery/api';
import type { ReactElement } from 'react';
import { useData } from '../../platform/data/use-data.ts';
import { formatSpan } from '../../kit/format/time.ts';
import { useText } from '../../kit/i18n/text.tsx';
import { useFormat } from '../../kit/settings/use-format.ts';
import { classes } from '../../kit/ui/classes.ts';
import { CopyButton } from '../../kit/ui/copy-button.tsx';
import { Section } from '../../kit/ui/page.tsx';
import { useServerNow } from '../../platform/client/server-clock.ts';
import { AddressLink } from './chain-links.tsx';
import { luckyDigits } from './lucky-digits.ts';
import { LuckyMark } from './lucky-mark.tsx';
import { Method } from './method.tsx';

interface StoryProps {
  readonly block: ChainBlock;
}

/** The hash with the digits that decide, each for itself. */
function Digits({ hash }: { readonly hash: string }): ReactElement {
  const { digits, rest, verdict } = luckyDigits(hash);
  return (
    <p className="flex flex-wrap items-center gap-x-1 gap-y-2 font-mono text-md">
      <span className="text-fg3">0x</span>
      {Array.from(digits, (digit, at) => (
        <span
          key={at}
          className={classes(
            'flex size-7 items-center justify-center rounded border text-lg font-semibold',
            verdict === 'lucky' ? 'border-warn text-warn' : 'border-control text-fg',
          )}
        >
          {digit}
        </span>
      ))}
      <span className="min-w-0 break-all text-fg3">
        {rest}
        <CopyButton value={hash} />
      </span>
    </p>
  );
}

function Sealed({ block }: StoryProps): ReactElement {
  const text = useText();
  const now = useServerNow(1_000);
  const { value: parent } = useData({
    name: 'chainBlock',
    input: { query: { number: block.number - 1 } },
    of: 'everybody',
    when: block.number > 0,
  });
  const age = formatSpan(now - block.time * 1000);
  if (parent === undefined) return <>{text('explorer.story.first', { age })}</>;
  return <>{text('explorer.story.sealed', { age, since: formatSpan((block.time - parent.time) * 1000) })}</>;
}

/** The transaction that comes first in the block: lists are newest first. */
function useFirst({ number, transactions }: ChainBlock): ChainTransactionLine | undefined {
  const pages = Math.max(1, Math.ceil(transactions.length / 10));
  const { value } = useData({
    name: 'chainTransactions',
    input: { query: { block: number, page: pages, pageSize: 10 } },
    of: 'everybody',
    when: transactions.length > 0,
  });
  return value?.list.at(-1);
}

function Holds({ block }: StoryProps): ReactElement {
  const text = useText();
  const first = useFirst(block);
  const count = block.transactions.length;
  if (count === 0) return <>{text('explorer.story.empty')}</>;
  return (
    <span className="inline-flex flex-wrap items-baseline gap-x-1.5 gap-y-1">
      {text('explorer.story.holds', { count })}
      {first !== undefined && (
        <>
          <Method line={first} />
          <span>{text('explorer.story.by')}</span>
          <AddressLink address={first.from} />
        </>
      )}
    </span>
  );
}

function Verdict({ block }: StoryProps): ReactElement {
  const text = useText();
  const format = useFormat();
  const { verdict } = luckyDigits(block.hash);
  if (verdict !== 'lucky') return <>{text(`explorer.story.${verdict}`)}</>;
  if (block.transactions.length > 0) return <LuckyMark of="block" />;
  return <>{text('explorer.story.nobody', { points: format.number(String(LUCKY_BLOCK_POINTS)) })}</>;
}

export function BlockStory({ block }: StoryProps): ReactElement {
  const text = useText();
  return (
    <Section title={text('explorer.story')}>
      <div className="flex flex-col gap-3 p-4 text-md text-fg2">
        <Digits hash={block.hash} />
        <p>
          <Verdict block={block} />
        </p>
        <p>
          <Sealed block={block} />
        </p>
        <p>
          <Holds block={block} />
        </p>
      </div>
    </Section>
  );
}

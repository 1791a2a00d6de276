import type { ChainBlock } from '@orrery/api';
import { useParams } from '@tanstack/react-router';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import type { ReactElement } from 'react';
import { usePulse } from '../../platform/data/streams/pulse.ts';
import { useData } from '../../platform/data/use-data.ts';
import { useText } from '../../kit/i18n/text.tsx';
import { useFormat } from '../../kit/settings/use-format.ts';
import { LinkButton } from '../../kit/ui/link-button.tsx';
import { Fact, Facts, Page, Section } from '../../kit/ui/page.tsx';
import { BlockStory } from './block-story.tsx';
import { Hex } from './chain-links.tsx';
import { ExplorerSearch } from './explorer-search.tsx';
import { Lookup } from './lookup.tsx';
import { TransactionTable } from './transaction-table.tsx';

function Neighbours({ number }: { readonly number: number }): ReactElement {
  const text = useText();
  const newest = usePulse().block?.number ?? number;
  return (
    <>
      {number > 0 && (
        <LinkButton to="/explorer/block/$number" params={{ number: String(number - 1) }} size="small">
          <ChevronLeft size={14} aria-hidden="true" />
          <span className="sr-only">{text('explorer.previous')}</span>
          {number - 1}
        </LinkButton>
      )}
      {number < newest && (
        <LinkButton to="/explorer/block/$number" params={{ number: String(number + 1) }} size="small">
          <span className="sr-only">{text('explorer.next')}</span>
          {number + 1}
          <ChevronRight size={14} aria-hidden="true" />
        </LinkButton>
      )}
    </>
  );
}

function Summary({ block }: { readonly block: ChainBlock }): ReactElement {
  const text = useText();
  const format = useFormat();
  return (
    <>
      <BlockStory block={block} />
      <Section title={`${text('explorer.transactions')} ${block.transactions.length}`}>
        {block.transactions.length === 0 ? (
          <p className="p-4 text-fg2">{text('explorer.noTransactions')}</p>
        ) : (
          <TransactionTable key={block.number} block={block.number} />
        )}
      </Section>
      <Section title={text('explorer.blockTitle', { number: block.number })}>
        <Facts>
          <Fact term={text('explorer.time')}>{format.time(block.time * 1000)}</Fact>
          <Fact term={text('explorer.parent')}>
            <Hex value={block.parentHash} />
          </Fact>
          <Fact term={text('explorer.gasUsed')}>{format.number(block.gasUsed)}</Fact>
        </Facts>
      </Section>
    </>
  );
}

export function BlockPage(): ReactElement {
  const text = useText();
  const { number } = useParams({ from: '/explorer/block/$number' });
  const known = useData({ name: 'chainBlock', input: { query: { number: Number(number) } }, of: 'everybody' });
  const actions = known.value === undefined ? undefined : <Neighbours number={known.value.number} />;
  return (
    <Page title={text('explorer.blockTitle', { number })} actions={actions}>
      <ExplorerSearch />
      <Lookup known={known} thing="block">
        {(block) => <Summary block={block} />}
      </Lookup>
    </Page>
  );
}

import type { ChainTransaction } from '@orrery/api';
import { useParams } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { useData } from '../../platform/data/use-data.ts';
import { formatSpan } from '../../kit/format/time.ts';
import { useText } from '../../kit/i18n/text.tsx';
import { useFormat } from '../../kit/settings/use-format.ts';
import { Fact, Facts, Page, Section } from '../../kit/ui/page.tsx';
import { StateTag } from '../../kit/ui/state-tag.tsx';
import type { StateTone } from '../../kit/ui/state-tag.tsx';
import { useServerNow } from '../../platform/client/server-clock.ts';
import { AddressLink, BlockLink, Hex } from './chain-links.tsx';
import { ChainLogCard } from './chain-log.tsx';
import { ExplorerSearch } from './explorer-search.tsx';
import { Lookup } from './lookup.tsx';
import { LuckyMark } from './lucky-mark.tsx';
import { Method } from './method.tsx';
import { OwnRecords } from './own-records.tsx';

const tones: Readonly<Record<ChainTransaction['status'], StateTone>> = { success: 'done', failed: 'failed', pending: 'waiting' };

function Summary({ transaction }: { readonly transaction: ChainTransaction }): ReactElement {
  const text = useText();
  const format = useFormat();
  const now = useServerNow(1_000);
  const { from, to, createdContract } = transaction;
  return (
    <Section title={text('explorer.transaction')}>
      <Facts>
        <Fact term={text('explorer.hash')}>
          <Hex value={transaction.txHash} />
        </Fact>
        <Fact term={text('explorer.status')}>
          <StateTag tone={tones[transaction.status]}>{text(`explorer.status.${transaction.status}`)}</StateTag>
        </Fact>
        {transaction.blockNumber !== null && (
          <Fact term={text('explorer.block')}>
            <BlockLink number={transaction.blockNumber} />
          </Fact>
        )}
        {transaction.lucky && (
          <Fact term={text('explorer.lucky')}>
            <LuckyMark of="transaction" />
          </Fact>
        )}
        {transaction.blockTime !== null && (
          <Fact term={text('explorer.time')}>
            {format.time(transaction.blockTime * 1000)}{' '}
            <span className="text-fg3">{text('explorer.ago', { age: formatSpan(now - transaction.blockTime * 1000) })}</span>
          </Fact>
        )}
        <Fact term={text('explorer.from')}>
          <AddressLink address={from} whole />
        </Fact>
        {to !== null && (
          <Fact term={text('explorer.to')}>
            <AddressLink address={to} whole />
          </Fact>
        )}
        {createdContract !== null && (
          <Fact term={text('explorer.created')}>
            <AddressLink address={createdContract} whole />
          </Fact>
        )}
        <Fact term={text('explorer.value')}>{format.number(transaction.value)} SOSO</Fact>
        <Fact term={text('explorer.method')}>
          <Method line={transaction} />
        </Fact>
        {transaction.fee !== null && <Fact term={text('explorer.fee')}>{format.number(transaction.fee)} SOSO</Fact>}
        {transaction.gasUsed !== null && <Fact term={text('explorer.gasUsed')}>{format.number(transaction.gasUsed)}</Fact>}
        <Fact term={text('explorer.nonce')}>{transaction.nonce}</Fact>
        {transaction.transactionIndex !== null && <Fact term={text('explorer.position')}>{transaction.transactionIndex}</Fact>}
        <Fact term={text('explorer.confirmations')}>{transaction.confirmations}</Fact>
        <Fact term={text('explorer.input')}>
          <span className="block max-h-28 overflow-y-auto font-mono text-sm break-all text-fg2">{transaction.input}</span>
        </Fact>
      </Facts>
    </Section>
  );
}

function Logs({ transaction }: { readonly transaction: ChainTransaction }): ReactElement {
  const text = useText();
  return (
    <Section title={`${text('explorer.logs')} ${transaction.logs.length}`}>
      {transaction.logs.length === 0 ? (
        <p className="p-4 text-fg2">{text('explorer.noLogs')}</p>
      ) : (
        <ol>
          {transaction.logs.map((log) => (
            <ChainLogCard key={log.logIndex} log={log} />
          ))}
        </ol>
      )}
    </Section>
  );
}

export function TransactionPage(): ReactElement {
  const text = useText();
  const { hash } = useParams({ from: '/explorer/tx/$hash' });
  const known = useData({
    name: 'chainTransaction',
    input: { query: { hash } },
    of: 'everybody',
    pollMs: (transaction) => (transaction?.status === 'pending' ? 1_000 : undefined),
  });
  return (
    <Page title={text('explorer.transaction')}>
      <ExplorerSearch />
      <Lookup known={known} thing="transaction">
        {(transaction) => (
          <>
            <Summary transaction={transaction} />
            <OwnRecords hash={transaction.txHash} />
            <Logs transaction={transaction} />
          </>
        )}
      </Lookup>
    </Page>
  );
}

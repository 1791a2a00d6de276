import type { ReactElement } from 'react';
import { useContracts } from '../balances/chain-contracts.ts';
import { coinName } from '../balances/coin-name.ts';
import { useText } from '../../kit/i18n/text.tsx';
import { Fact, Facts, Page, Section } from '../../kit/ui/page.tsx';
import { Skeleton } from '../../kit/ui/skeleton.tsx';
import { BlockRibbon, useNewestBlocks } from './block-ribbon.tsx';
import { BlockLink, ContractLink } from './chain-links.tsx';
import { ExplorerSearch } from './explorer-search.tsx';
import { TransactionTable } from './transaction-table.tsx';

function Contracts(): ReactElement {
  const text = useText();
  const contracts = useContracts();
  const block = useNewestBlocks().value?.[0];
  return (
    <Section title={text('explorer.contracts')}>
      <Facts>
        <Fact term={text('explorer.latestBlock')}>{block === undefined ? <Skeleton /> : <BlockLink number={block.number} />}</Fact>
        <Fact term={text('explorer.exchange')}>
          {contracts === undefined ? <Skeleton /> : <ContractLink address={contracts.exchange} />}
        </Fact>
        <Fact term={text('explorer.faucet')}>{contracts === undefined ? <Skeleton /> : <ContractLink address={contracts.faucet} />}</Fact>
        {contracts?.tokens.map((token) => (
          <Fact key={token.address} term={coinName(token.coin)}>
            <ContractLink address={token.address} />
          </Fact>
        ))}
      </Facts>
    </Section>
  );
}

export function ExplorerPage(): ReactElement {
  const text = useText();
  return (
    <Page title={text('explorer.title')} lead={text('explorer.lead')}>
      <ExplorerSearch />
      <BlockRibbon />
      <div className="grid items-start gap-x-5 laptop:grid-cols-[minmax(0,1fr)_280px]">
        <Section title={text('explorer.latest')}>
          <TransactionTable />
        </Section>
        <Contracts />
      </div>
    </Page>
  );
}

import { useParams } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { vaultUserId } from '../balances/wallet-deposit.ts';
import { useContracts } from '../balances/chain-contracts.ts';
import { useReading } from '../../platform/data/use-data.ts';
import { useText } from '../../kit/i18n/text.tsx';
import { Fact, Facts, Page, Section } from '../../kit/ui/page.tsx';
import { Skeleton } from '../../kit/ui/skeleton.tsx';
import { wallets } from '../../platform/wallet/open-wallets.ts';
import { Hex } from './chain-links.tsx';
import { ExplorerSearch } from './explorer-search.tsx';
import { TransactionTable } from './transaction-table.tsx';

function UserId({ address }: { readonly address: string }): ReactElement {
  const text = useText();
  const vault = useContracts()?.exchange;
  const { value: userId } = useReading({
    key: ['vaultUserId', address, vault],
    load: async () => (await vaultUserId(await wallets(), { vault: vault as `0x${string}`, owner: address as `0x${string}` })).toString(),
    of: 'everybody',
    when: vault !== undefined,
  });
  if (userId === undefined) return <Skeleton />;
  return <>{userId === '0' ? text('explorer.noUserId') : userId}</>;
}

export function AddressPage(): ReactElement {
  const text = useText();
  const { address } = useParams({ from: '/explorer/address/$address' });
  return (
    <Page title={text('explorer.address')}>
      <ExplorerSearch />
      <Section title={text('explorer.address')}>
        <Facts>
          <Fact term={text('explorer.address')}>
            <Hex value={address} />
          </Fact>
          <Fact term={text('explorer.userId')}>
            <UserId address={address} />
          </Fact>
        </Facts>
      </Section>
      <Section title={text('explorer.transactions')}>
        <TransactionTable key={address} address={address} />
      </Section>
    </Page>
  );
}

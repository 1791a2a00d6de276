/** What a lucky block is, and who had one. A change of tab starts again: first page, ten rows, an empty list that loads. */
import type { LuckyBlock } from '@orrery/api';
import type { ReactElement } from 'react';
import { ask } from '../../platform/data/calls.ts';
import { usePageQuery } from '../../platform/data/page-query.ts';
import { useText } from '../../kit/i18n/text.tsx';
import { SignedInOnly } from '../sign-in/signed-in-only.tsx';
import { useSession } from '../../platform/session/session.ts';
import { useChoiceInUrl } from '../../kit/ui/in-url.ts';
import { TabPanel, Tabs } from '../../kit/ui/tabs.tsx';
import { Explainer } from './explainer.tsx';
import { LuckyRecords } from './lucky-records.tsx';

/** Blocks come every few seconds, lucky ones a few times a day. */
const POLL_MS = 15_000;

const WHOSE = ['own', 'all'] as const;
const LISTS = ['ownLuckyBlocks', 'luckyBlocks'] as const;

function OwnRecords(): ReactElement {
  const address = useSession((state) => state.address) ?? '';
  const records = usePageQuery<LuckyBlock>({
    key: ['ownLuckyBlocks', address],
    load: (page) => ask('ownLuckyBlocks', { body: { walletAddress: address, ...page } }),
    pollMs: POLL_MS,
    memory: 'none',
  });
  return <LuckyRecords records={records} />;
}

function AllRecords(): ReactElement {
  const records = usePageQuery<LuckyBlock>({
    key: ['luckyBlocks'],
    load: (page) => ask('luckyBlocks', { body: page, ignoreToken: true }),
    pollMs: POLL_MS,
    of: 'everybody',
    memory: 'none',
  });
  return <LuckyRecords records={records} />;
}

export function LuckyPanel(): ReactElement {
  const text = useText();
  const isSignedIn = useSession((state) => state.signedIn !== undefined);
  const [whose, choose] = useChoiceInUrl({ name: 'whose', values: WHOSE, usual: isSignedIn ? 'own' : 'all', lists: LISTS });
  const tabs = [
    { id: 'own', label: text('lucky.own') },
    { id: 'all', label: text('lucky.all') },
  ] as const;
  return (
    <section aria-label={text('lucky.title')} className="overflow-hidden rounded-md border border-line bg-panel">
      <Explainer />
      <Tabs
        label={text('lucky.records')}
        tabs={tabs}
        value={whose}
        onChange={choose}
        className="[&>div:first-child]:h-10 [&>div:first-child]:px-4"
      >
        <TabPanel id="own">
          <SignedInOnly invitation="lucky.connect">
            <OwnRecords />
          </SignedInOnly>
        </TabPanel>
        <TabPanel id="all">
          <AllRecords />
        </TabPanel>
      </Tabs>
    </section>
  );
}

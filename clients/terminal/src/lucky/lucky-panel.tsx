/** What a lucky block is, and who had one. A change of tab starts again: first page, ten rows, an empty list that loads. */
import type { LuckyBlock } from '@orrery/api';
import { ChevronRight } from 'lucide-react';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { usePageQuery } from '../assets/use-page-query.ts';
import { http } from '../client/client.ts';
import { useText } from '../i18n/text.tsx';
import { SignedInOnly } from '../session/signed-in-only.tsx';
import { useSession } from '../session/session.ts';
import { useFormat } from '../settings/use-format.ts';
import { TabPanel, Tabs } from '../ui/tabs.tsx';
import { LuckyRecords } from './lucky-records.tsx';

/** Blocks come every few seconds, lucky ones a few times a day. */
const POLL_MS = 15_000;
const REWARD = '77777';

type Whose = 'own' | 'all';

function Explainer(): ReactElement {
  const text = useText();
  const format = useFormat();
  return (
    <details className="group border-b border-line">
      <summary className="flex list-none items-center gap-2 px-4 py-3 text-md font-semibold hover:bg-hover focus-visible:outline-offset-[-2px] [&::-webkit-details-marker]:hidden">
        <ChevronRight size={14} aria-hidden="true" className="text-fg3 transition-transform duration-[120ms] group-open:rotate-90" />
        {text('lucky.what')}
      </summary>
      <div className="flex max-w-[72ch] flex-col gap-2 pt-1 pr-4 pb-4 pl-[38px] text-md text-fg2">
        <p>{text('lucky.rule', { points: format.number(REWARD) })}</p>
        <p>{text('lucky.once')}</p>
        <p>{text('lucky.when')}</p>
      </div>
    </details>
  );
}

function OwnRecords(): ReactElement {
  const address = useSession((state) => state.address) ?? '';
  const records = usePageQuery<LuckyBlock>({
    key: ['ownLuckyBlocks', address],
    load: (page) => http.load('ownLuckyBlocks', { body: { walletAddress: address, ...page } }),
    pollMs: POLL_MS,
    memory: 'none',
  });
  return <LuckyRecords records={records} />;
}

function AllRecords(): ReactElement {
  const records = usePageQuery<LuckyBlock>({
    key: ['luckyBlocks'],
    load: (page) => http.load('luckyBlocks', { body: page, ignoreToken: true }),
    pollMs: POLL_MS,
    of: 'everybody',
    memory: 'none',
  });
  return <LuckyRecords records={records} />;
}

export function LuckyPanel(): ReactElement {
  const text = useText();
  const isSignedIn = useSession((state) => state.signedIn !== undefined);
  const [chosen, choose] = useState<Whose>();
  const whose = chosen ?? (isSignedIn ? 'own' : 'all');
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
        active={whose}
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

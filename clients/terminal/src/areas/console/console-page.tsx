/** The operators' console: no trading here, only those who keep the exchange. */
import { Link, useParams } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import type { ComponentType, ReactElement } from 'react';
import { useText } from '../../kit/i18n/text.tsx';
import { Button } from '../../kit/ui/button.tsx';
import { lazyPart } from '../../kit/ui/lazy-part.ts';
import { Page } from '../../kit/ui/page.tsx';
import { Skeleton } from '../../kit/ui/skeleton.tsx';
import { Panel } from '../../kit/ui/panel.tsx';
import type { AreaProps } from './area.ts';
import { AuditArea } from './audit.tsx';
import { BlockedArea } from './blocked.tsx';
import { useOperator } from '../../platform/data/operators.ts';
import { LuckyArea } from './lucky.tsx';
import { NoticesArea } from './notices.tsx';
import { OperatorsArea } from './operators.tsx';
import { OverviewArea } from './overview.tsx';
import { signOut } from './passkey.ts';
import { ProposalsArea } from './proposals.tsx';
import { RewardsArea } from './rewards.tsx';
import { SignIn } from './sign-in.tsx';
import { TasksArea } from './tasks.tsx';
import { WhitelistArea } from './whitelist.tsx';

/** The larger ones are loaded when they are opened. */
const CampaignsArea = lazyPart(async () => (await import('./campaigns.tsx')).CampaignsArea);
const ClustersArea = lazyPart(async () => (await import('./clusters.tsx')).ClustersArea);
const IdentityArea = lazyPart(async () => (await import('./identities.tsx')).IdentityArea);
const OtcArea = lazyPart(async () => (await import('./otc.tsx')).OtcArea);
const WithdrawalsArea = lazyPart(async () => (await import('./withdrawals.tsx')).WithdrawalsArea);

const areas = {
  overview: OverviewArea,
  whitelist: WhitelistArea,
  notices: NoticesArea,
  blocked: BlockedArea,
  identity: IdentityArea,
  withdrawals: WithdrawalsArea,
  otc: OtcArea,
  rewards: RewardsArea,
  tasks: TasksArea,
  campaigns: CampaignsArea,
  clusters: ClustersArea,
  lucky: LuckyArea,
  proposals: ProposalsArea,
  operators: OperatorsArea,
  audit: AuditArea,
} as const satisfies Record<string, ComponentType<AreaProps>>;

type AreaName = keyof typeof areas;

const names = Object.keys(areas) as AreaName[];

/** Mounted again for each area: the one that is shown is in sight. */
function Areas(): ReactElement {
  const text = useText();
  const bar = useRef<HTMLElement>(null);
  useEffect(() => {
    // Newer browsers answer a promise, which must not be taken for the effect's clean-up.
    bar.current?.querySelector('[data-status=active]')?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, []);
  return (
    <nav
      ref={bar}
      aria-label={text('console.areas')}
      className="fade-sides flex gap-4 overflow-x-auto px-3 text-md whitespace-nowrap [scrollbar-width:none]"
    >
      {names.map((name) => (
        <Link key={name} to="/console/$area" params={{ area: name }} className="tab py-2">
          {text(`console.${name}.title`)}
        </Link>
      ))}
    </nav>
  );
}

function Bar({ me }: AreaProps): ReactElement {
  const text = useText();
  const { area } = useParams({ strict: false });
  return (
    <header className="shrink-0 border-b border-line bg-page">
      <div className="flex min-h-11 flex-wrap items-center gap-3 px-3 py-1">
        <Link to="/console" className="text-lg font-semibold">
          {text('console.title')}
        </Link>
        <span className="ms-auto text-sm text-fg2">{text('console.me', { name: me.name, role: text(`console.role.${me.role}`) })}</span>
        <Button size="small" onClick={() => void signOut().catch(() => undefined)}>
          {text('console.signOut')}
        </Button>
      </div>
      <Areas key={area} />
    </header>
  );
}

function Loading({ name }: { readonly name: AreaName }): ReactElement {
  const text = useText();
  return (
    <Page title={text(`console.${name}.title`)}>
      <Skeleton className="h-24" />
    </Page>
  );
}

export function ConsolePage(): ReactElement | null {
  const me = useOperator();
  const { area } = useParams({ strict: false });
  if (me === undefined) return null;
  if (me === null) return <SignIn />;
  const name = names.find((known) => known === area) ?? 'overview';
  const Area = areas[name];
  return (
    <>
      <Bar me={me} />
      <Panel loading={<Loading name={name} />}>
        <Area me={me} />
      </Panel>
    </>
  );
}

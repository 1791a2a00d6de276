/** The status line: is it live, which block, how long the session lasts, how numbers and times are written. */
import { Link } from '@tanstack/react-router';
import { Fragment } from 'react';
import type { ReactElement } from 'react';
import { actionOf, runAction } from '../platform/actions/action.ts';
import { shortHash } from '../kit/format/hash.ts';
import { formatSpan, localOffset, zoneName } from '../kit/format/time.ts';
import { useText } from '../kit/i18n/text.tsx';
import { useSession } from '../platform/session/session.ts';
import { useSettings } from '../kit/settings/settings.ts';
import { classes } from '../kit/ui/classes.ts';
import { Panel } from '../kit/ui/panel.tsx';
import { Popover } from '../kit/ui/popover.tsx';
import { Tooltip } from '../kit/ui/tooltip.tsx';
import { useServerNow } from '../platform/client/server-clock.ts';
import { usePulse } from '../platform/data/streams/pulse.ts';
import { useRunningFeedStatus } from '../platform/data/streams/use-running.ts';
import { livenessOf } from './liveness.ts';
import type { Liveness } from './liveness.ts';
import { lazyPart } from '../kit/ui/lazy-part.ts';

const Connection = lazyPart(async () => (await import('./connection.tsx')).Connection);

const DOT = { live: 'bg-ok', partly: 'bg-warn', offline: 'bg-error', starting: 'bg-fg3' } as const satisfies Record<
  Liveness['overall'],
  string
>;

function Topics({ topics }: Pick<Liveness, 'topics'>): ReactElement {
  const text = useText();
  return (
    <span className="grid grid-cols-[max-content_max-content] gap-x-4">
      {topics.map(([topic, freshness]) => (
        <Fragment key={topic}>
          <span>{text(`live.${topic}`)}</span>
          <span className={freshness === 'waiting' || freshness === 'failed' ? 'text-warn' : 'text-fg2'}>{text(`live.${freshness}`)}</span>
        </Fragment>
      ))}
    </span>
  );
}

function Live(): ReactElement {
  const text = useText();
  const { state, latencyMs } = usePulse();
  const { overall, topics } = livenessOf(state, useRunningFeedStatus());
  const waiting = topics.find(([topic, freshness]) => topic !== 'calls' && (freshness === 'waiting' || freshness === 'failed'));
  const words = {
    live: text('footer.live', { millis: latencyMs ?? 0 }),
    partly: text('footer.partly', { topic: text(`live.${waiting?.[0] ?? 'stream'}`) }),
    offline: text('footer.offline'),
    starting: text('footer.starting'),
  }[overall];
  return (
    <Popover
      label={text('latency.title')}
      trigger={
        <button type="button" className="flex items-center gap-1.5 hover:text-fg">
          <span aria-hidden="true" className={classes('size-1.5 rounded-full', DOT[overall])} />
          {words}
        </button>
      }
    >
      <Connection>
        <Topics topics={topics} />
      </Connection>
    </Popover>
  );
}

function LatestBlock(): ReactElement | null {
  const text = useText();
  const { block } = usePulse();
  if (block === undefined) return null;
  return (
    <Link
      to="/explorer/block/$number"
      params={{ number: String(block.number) }}
      className="flex items-center gap-1.5 hover:text-fg max-laptop:hidden"
    >
      {text('footer.block', { number: block.number })} <span className="font-mono">{shortHash(block.hash)}</span>
    </Link>
  );
}

function SessionMeter(): ReactElement | null {
  const text = useText();
  const now = useServerNow(15_000);
  const endsAt = useSession((state) => state.signedIn?.endsAt);
  if (endsAt === undefined) return null;
  return (
    <Tooltip content={text('footer.sessionHint')}>
      <Link to="/account/login-record" className="hover:text-fg">
        {text('footer.session', { span: formatSpan(endsAt - now) })}
      </Link>
    </Tooltip>
  );
}

export function Footer(): ReactElement {
  const text = useText();
  const numberFormat = useSettings((settings) => settings.numberFormat);
  const zone = useSettings((settings) => settings.timeZone);
  return (
    <footer className="flex h-6 shrink-0 items-center justify-between gap-4 overflow-hidden border-t border-line bg-page px-3 text-sm whitespace-nowrap text-fg2">
      <div className="flex items-center gap-4">
        {[Live, LatestBlock, SessionMeter].map((Part, at) => (
          <Panel key={at} room="line">
            <Part />
          </Panel>
        ))}
      </div>
      <div className="flex items-center gap-4">
        <nav className="flex gap-3 max-tablet:hidden" aria-label={text('nav.terms')}>
          <Link to="/app" className="hover:text-fg">
            {text('nav.app')}
          </Link>
          <Link to="/terms" className="hover:text-fg">
            {text('nav.terms')}
          </Link>
          <Link to="/privacy" className="hover:text-fg">
            {text('nav.privacy')}
          </Link>
          <Link to="/cookies" className="hover:text-fg">
            {text('nav.cookies')}
          </Link>
        </nav>
        <button type="button" onClick={() => runAction(actionOf('shortcuts'))} className="hover:text-fg max-laptop:hidden">
          {text('actions.shortcutsShort')}
        </button>
        <span className="max-tablet:hidden">{numberFormat}</span>
        <span>{zoneName(zone, localOffset())}</span>
      </div>
    </footer>
  );
}

/** The text of a bug report: what runs here and what happened last. Everything in it is shown before it goes anywhere. */
import type { LoggedEvent } from '../../platform/client/event-log.ts';
import type { FeedStatus } from '../../platform/data/streams/streams.ts';

export interface BugFacts {
  /** Of the exchange; `undefined` when it did not say. */
  readonly version: string | undefined;
  readonly environment: string;
  readonly path: string;
  readonly browser: string;
  /** CSS pixels. */
  readonly window: { readonly width: number; readonly height: number };
  readonly language: string;
  readonly feed: FeedStatus | undefined;
  readonly events: readonly LoggedEvent[];
}

const timeOf = (millis: number): string => new Date(millis).toISOString();

export function bugReport(facts: BugFacts): string {
  const { feed, events, window: size } = facts;
  return [
    'What happened:',
    '',
    'What should have happened:',
    '',
    `Exchange: ${facts.version ?? 'unknown version'}, environment ${facts.environment}`,
    `Page: ${facts.path}`,
    `Browser: ${facts.browser}`,
    `Window: ${size.width} × ${size.height}, language ${facts.language}`,
    feed === undefined
      ? 'Feed: not in use'
      : `Feed: ${feed.phase}, book ${feed.book}, account ${feed.account}, last heard ${feed.heardAt === 0 ? 'never' : timeOf(feed.heardAt)}, gaps ${feed.resyncs}`,
    '',
    `Last ${events.length} events, UTC:`,
    ...events.map(({ at, kind, words }) => `${timeOf(at)} ${kind}: ${words}`),
  ].join('\n');
}

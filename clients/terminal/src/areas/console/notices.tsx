/** Notices, banners and posters: published at once, shown until their time is over or somebody ends them. */
import { mayOperate, NOTICE_TEXT_MAX, NOTICE_TITLE_MAX, NoticeKind, type DeskNotice } from '@orrery/api';
import { useState } from 'react';
import type { FormEvent, ReactElement } from 'react';
import { UNKNOWN } from '../../kit/format/number-format.ts';
import { useText } from '../../kit/i18n/text.tsx';
import { useFormat } from '../../kit/settings/use-format.ts';
import { Button } from '../../kit/ui/button.tsx';
import { Field } from '../../kit/ui/field.tsx';
import { Page, Section } from '../../kit/ui/page.tsx';
import { PagedTable } from '../../kit/ui/paged-table.tsx';
import { SelectField } from '../../kit/ui/select-field.tsx';
import { StateTag } from '../../kit/ui/state-tag.tsx';
import type { Column } from '../../kit/ui/table.tsx';
import { usePageInUrl } from '../../kit/ui/in-url.ts';
import { serverClock } from '../../platform/client/server-clock.ts';
import { consoleHttp, pageOf, useAct, useList } from '../../platform/data/operators.ts';
import type { AreaProps } from './area.ts';

const HOUR = 3_600_000;
/** How long something is shown, in hours; until somebody ends it otherwise. */
const durations = ['open', '1', '24', '168'] as const;
type Duration = (typeof durations)[number];

const endsAtOf = (duration: Duration): { endsAt?: number } =>
  duration === 'open' ? {} : { endsAt: serverClock.now() + Number(duration) * HOUR };

function PublishForm(): ReactElement {
  const text = useText();
  const { busy, act } = useAct();
  const [kind, setKind] = useState<NoticeKind>('NOTICE');
  const [duration, setDuration] = useState<Duration>('open');
  const [title, setTitle] = useState('');
  const [words, setWords] = useState('');
  const [link, setLink] = useState('');
  const publish = (event: FormEvent): void => {
    event.preventDefault();
    const body = { kind, title: title.trim(), text: words.trim(), ...(link.trim() !== '' && { link: link.trim() }), ...endsAtOf(duration) };
    act(async () => {
      await consoleHttp.call('createNotice', { body });
      setTitle('');
      setWords('');
      setLink('');
    }, 'console.notices.published');
  };
  return (
    <form onSubmit={publish} className="flex flex-col gap-3 p-4">
      <div className="flex flex-wrap gap-3">
        <SelectField
          label={text('console.notices.kind')}
          value={kind}
          choices={NoticeKind.enum.map((value) => ({ value, label: text(`console.notices.kind.${value}`) }))}
          onChange={setKind}
        />
        <SelectField
          label={text('console.notices.duration')}
          value={duration}
          choices={durations.map((value) => ({ value, label: text(`console.notices.duration.${value}`) }))}
          onChange={setDuration}
        />
      </div>
      <Field label={text('console.notices.name')} maxLength={NOTICE_TITLE_MAX} value={title} onChange={setTitle} />
      <Field label={text('console.notices.text')} maxLength={NOTICE_TEXT_MAX} value={words} onChange={setWords} />
      <Field label={text('console.notices.link')} hint={text('console.notices.linkHint')} maxLength={256} value={link} onChange={setLink} />
      <Button type="submit" kind="primary" className="self-start" busy={busy} disabled={title.trim() === ''}>
        {text('console.notices.publish')}
      </Button>
    </form>
  );
}

const tones = { UPCOMING: 'waiting', SHOWN: 'done', ENDED: 'neutral' } as const;

function useColumns(end: ((notice: DeskNotice) => void) | undefined): readonly Column<DeskNotice>[] {
  const text = useText();
  const format = useFormat();
  return [
    { id: 'kind', header: text('console.notices.kind'), cell: (row) => text(`console.notices.kind.${row.kind}`) },
    { id: 'title', header: text('console.notices.name'), cell: (row) => row.title },
    {
      id: 'state',
      header: text('console.state'),
      cell: (row) => <StateTag tone={tones[row.state]}>{text(`console.notices.state.${row.state}`)}</StateTag>,
    },
    { id: 'from', header: text('console.notices.from'), wideOnly: true, cell: (row) => format.time(row.startsAt) },
    {
      id: 'until',
      header: text('console.notices.until'),
      wideOnly: true,
      cell: (row) => (row.endsAt === null ? UNKNOWN : format.time(row.endsAt)),
    },
    { id: 'by', header: text('console.by'), wideOnly: true, cell: (row) => row.createdBy },
    {
      id: 'end',
      header: <span className="sr-only">{text('console.notices.end')}</span>,
      align: 'end',
      pinned: true,
      cell: (row) =>
        end !== undefined &&
        row.state !== 'ENDED' && (
          <Button size="small" onClick={() => end(row)}>
            {text('console.notices.end')}
          </Button>
        ),
    },
  ];
}

export function NoticesArea({ me }: AreaProps): ReactElement {
  const text = useText();
  const [page, setPage] = usePageInUrl('notices');
  const { act } = useAct();
  const list = useList('deskNotices', page);
  const mayPublish = mayOperate(me.role, 'operator');
  const end = ({ noticeId }: DeskNotice): void =>
    act(() => consoleHttp.call('endNotice', { body: { noticeId } }), 'console.notices.endedNow');
  const columns = useColumns(mayPublish ? end : undefined);
  return (
    <Page title={text('console.notices.title')} lead={text('console.notices.lead')}>
      {mayPublish && (
        <Section title={text('console.notices.new')}>
          <PublishForm />
        </Section>
      )}
      <Section title={text('console.notices.title')}>
        <PagedTable
          query={pageOf(list, { page, onChange: setPage })}
          label={text('console.notices.title')}
          columns={columns}
          keyOf={(row) => String(row.noticeId)}
          empty={text('console.notices.empty')}
        />
      </Section>
    </Page>
  );
}

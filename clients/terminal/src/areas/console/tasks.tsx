/** The catalogue of tasks: what is offered, from when to when, and for how many points. A higher reward needs a second person. */
import { mayOperate, type DeskTask, type TaskChange } from '@orrery/api';
import { useState } from 'react';
import type { FormEvent, ReactElement } from 'react';
import { UNKNOWN } from '../../kit/format/number-format.ts';
import { useText } from '../../kit/i18n/text.tsx';
import { useFormat } from '../../kit/settings/use-format.ts';
import { Button } from '../../kit/ui/button.tsx';
import { Field } from '../../kit/ui/field.tsx';
import { NumberField } from '../../kit/ui/number-field.tsx';
import { Page, Section } from '../../kit/ui/page.tsx';
import { StateTag } from '../../kit/ui/state-tag.tsx';
import { Table } from '../../kit/ui/table.tsx';
import type { Column } from '../../kit/ui/table.tsx';
import { showSuccess } from '../../kit/ui/toast.ts';
import { consoleHttp, useAct, useWhole } from '../../platform/data/operators.ts';
import type { AreaProps } from './area.ts';
import { utcOf, utcText } from './utc-text.ts';
import { wholeOf } from './whole.ts';
import { mapped } from '../../kit/ui/loaded.ts';

const changeOf = ({ taskCode, active, reward, startsAt, endsAt }: DeskTask): TaskChange => ({ taskCode, active, reward, startsAt, endsAt });

/** Says whether it is done or waits for somebody else. */
async function sendChange(body: TaskChange): Promise<void> {
  const { proposalId } = await consoleHttp.call('changeTask', { body });
  showSuccess(proposalId === null ? 'console.tasks.changed' : 'console.proposed');
}

function ChangeForm({ task, onDone }: { readonly task: DeskTask; readonly onDone: () => void }): ReactElement {
  const text = useText();
  const { busy, act } = useAct();
  const [typed, setTyped] = useState(String(task.reward));
  const [starts, setStarts] = useState(utcText(task.startsAt));
  const [ends, setEnds] = useState(utcText(task.endsAt));
  const [reward, startsAt, endsAt] = [wholeOf(typed), utcOf(starts), utcOf(ends)];
  const isBackwards = typeof startsAt === 'number' && typeof endsAt === 'number' && endsAt <= startsAt;
  const change = (event: FormEvent): void => {
    event.preventDefault();
    if (reward === undefined || startsAt === undefined || endsAt === undefined) return;
    act(async () => {
      await sendChange({ ...changeOf(task), reward, startsAt, endsAt });
      onDone();
    });
  };
  return (
    <form onSubmit={change} className="flex flex-wrap items-start gap-3 p-4">
      <NumberField
        label={text('console.tasks.reward')}
        value={typed}
        error={reward === undefined ? text('console.wrong.whole') : undefined}
        onChange={setTyped}
      />
      <Field
        label={text('console.startsUtc')}
        placeholder={text('console.timeForm')}
        value={starts}
        error={startsAt === undefined ? text('console.wrong.time') : undefined}
        onChange={setStarts}
      />
      <Field
        label={text('console.endsUtc')}
        placeholder={text('console.timeForm')}
        value={ends}
        error={endsAt === undefined ? text('console.wrong.time') : isBackwards ? text('console.wrong.order') : undefined}
        onChange={setEnds}
      />
      <Button
        type="submit"
        kind="primary"
        busy={busy}
        disabled={reward === undefined || startsAt === undefined || endsAt === undefined || isBackwards}
      >
        {text('console.tasks.save')}
      </Button>
      <Button onClick={onDone}>{text('ui.cancel')}</Button>
    </form>
  );
}

function RowActions({ task, onEdit }: { readonly task: DeskTask; readonly onEdit: () => void }): ReactElement {
  const text = useText();
  const { busy, act } = useAct();
  const toggle = (): void => act(() => sendChange({ ...changeOf(task), active: !task.active }));
  return (
    <span className="inline-flex gap-2 max-tablet:flex-col max-tablet:py-1">
      <Button size="small" onClick={onEdit}>
        {text('console.tasks.change')}
      </Button>
      <Button size="small" busy={busy} onClick={toggle}>
        {text(task.active ? 'console.tasks.deactivate' : 'console.tasks.activate')}
      </Button>
    </span>
  );
}

function useColumns(edit: ((task: DeskTask) => void) | undefined): readonly Column<DeskTask>[] {
  const text = useText();
  const format = useFormat();
  const time = (at: number | null): string => (at === null ? UNKNOWN : format.time(at));
  return [
    {
      id: 'name',
      header: text('console.name'),
      cell: (row) => (
        <span className="flex flex-col max-tablet:whitespace-normal">
          {row.name}
          <span className="text-warn tablet:hidden">+{format.number(String(row.reward))}</span>
        </span>
      ),
    },
    { id: 'code', header: text('console.tasks.code'), wideOnly: true, cell: (row) => <code className="font-mono">{row.taskCode}</code> },
    {
      id: 'state',
      header: text('console.state'),
      cell: (row) => (
        <StateTag tone={row.active ? 'done' : 'neutral'}>{text(row.active ? 'console.tasks.active' : 'console.tasks.inactive')}</StateTag>
      ),
    },
    { id: 'reward', header: text('console.tasks.reward'), align: 'end', wideOnly: true, cell: (row) => format.number(String(row.reward)) },
    { id: 'starts', header: text('console.starts'), wideOnly: true, cell: (row) => time(row.startsAt) },
    { id: 'ends', header: text('console.ends'), wideOnly: true, cell: (row) => time(row.endsAt) },
    {
      id: 'change',
      header: <span className="sr-only">{text('console.tasks.change')}</span>,
      align: 'end',
      pinned: true,
      cell: (row) => edit !== undefined && <RowActions task={row} onEdit={() => edit(row)} />,
    },
  ];
}

export function TasksArea({ me }: AreaProps): ReactElement {
  const text = useText();
  const [chosen, setChosen] = useState<string>();
  const read = useWhole('deskTasks');
  const columns = useColumns(mayOperate(me.role, 'operator') ? ({ taskCode }) => setChosen(taskCode) : undefined);
  const task = read.value?.list.find(({ taskCode }) => taskCode === chosen);
  return (
    <Page title={text('console.tasks.title')} lead={text('console.tasks.lead')}>
      {task !== undefined && (
        <Section title={text('console.tasks.changeTitle', { name: task.name })}>
          <ChangeForm key={JSON.stringify(task)} task={task} onDone={() => setChosen(undefined)} />
        </Section>
      )}
      <Section title={text('console.tasks.title')}>
        <Table
          label={text('console.tasks.title')}
          columns={columns}
          read={mapped(read, ({ list }) => list)}
          keyOf={(row) => row.taskCode}
          empty={text('console.tasks.empty')}
        />
      </Section>
    </Page>
  );
}

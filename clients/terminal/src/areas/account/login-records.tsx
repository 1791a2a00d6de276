/** The logins to the account and the tries that failed. */
import type { LoginRecord } from '@orrery/api';
import type { ReactElement } from 'react';
import { ask } from '../../platform/data/calls.ts';
import { RecordTable } from '../../platform/data/record-table.tsx';
import { isoTime } from '../../kit/format/time.ts';
import { useText } from '../../kit/i18n/text.tsx';
import { useFormat } from '../../kit/settings/use-format.ts';
import type { DataColumn } from '../../kit/ui/data-columns.ts';
import type { Page } from '../../kit/ui/pager.tsx';
import { StateTag } from '../../kit/ui/state-tag.tsx';
import { browserName } from './browser-name.ts';

function useColumns(): readonly DataColumn<LoginRecord>[] {
  const text = useText();
  const format = useFormat();
  return [
    {
      id: 'time',
      header: text('logins.time'),
      cell: (row) => format.time(row.createTime),
      csv: (row) => isoTime(row.createTime),
      fixed: true,
    },
    {
      id: 'result',
      header: text('logins.result'),
      cell: (row) => (
        <StateTag tone={row.result === 'SUCCESS' ? 'done' : 'failed'}>
          {text(row.newDevice ? 'logins.newDevice' : `logins.result.${row.result}`)}
        </StateTag>
      ),
      csv: (row) => row.result,
    },
    {
      id: 'device',
      header: text('sessions.device'),
      cell: (row) => <span title={row.device}>{browserName(row.device)}</span>,
      csv: (row) => row.device,
    },
    { id: 'way', header: text('logins.way'), wideOnly: true, cell: (row) => text(`logins.way.${row.way}`), csv: (row) => row.way },
    { id: 'ip', header: text('sessions.ip'), wideOnly: true, cell: (row) => row.ip, csv: (row) => row.ip },
  ];
}

export function LoginRecords(): ReactElement {
  const text = useText();
  const columns = useColumns();
  const load = async (page: Page): Promise<{ list: LoginRecord[]; total: number }> => {
    const { items, total } = await ask('loginRecord', { query: { ...page } });
    return { list: items, total };
  };
  return (
    <RecordTable
      name="logins"
      label={text('logins.title')}
      columns={columns}
      query={{ key: ['loginRecord'], load }}
      keyOf={(row) => `${row.createTime} ${row.result} ${row.way}`}
      empty={text('logins.empty')}
    />
  );
}

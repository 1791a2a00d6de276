import type { ChainLog } from '@orrery/api';
import type { ReactElement } from 'react';
import { useText } from '../../kit/i18n/text.tsx';
import { AddressLink, Hex } from './chain-links.tsx';

function Value({ type, value }: { readonly type: string; readonly value: string }): ReactElement {
  if (type === 'address') return <AddressLink address={value} whole />;
  return type.startsWith('bytes') ? <Hex value={value} /> : <span className="break-all">{value}</span>;
}

function Arguments({ log }: { readonly log: ChainLog }): ReactElement {
  return (
    <dl className="grid grid-cols-[minmax(6rem,max-content)_minmax(0,1fr)] gap-x-5 gap-y-1">
      {log.arguments.map((argument, place) => (
        <div key={`${place}-${argument.name}`} className="col-span-full grid grid-cols-subgrid">
          <dt className="text-fg3">{argument.name}</dt>
          <dd className="min-w-0">
            <Value type={argument.type} value={argument.value} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function RawLog({ log }: { readonly log: ChainLog }): ReactElement {
  const text = useText();
  return (
    <dl className="grid grid-cols-[minmax(6rem,max-content)_minmax(0,1fr)] gap-x-5 gap-y-1 font-mono text-sm break-all">
      <dt className="font-sans text-fg3">{text('explorer.topics')}</dt>
      <dd>{log.topics.join('\n')}</dd>
      <dt className="font-sans text-fg3">{text('explorer.data')}</dt>
      <dd>{log.data}</dd>
    </dl>
  );
}

/** One log of a transaction: decoded when the contract is ours, raw otherwise. */
export function ChainLogCard({ log }: { readonly log: ChainLog }): ReactElement {
  const text = useText();
  return (
    <li className="border-b border-line px-4 py-3 last:border-0">
      <p className="mb-2 flex flex-wrap items-baseline gap-x-3 gap-y-1">
        <span className="text-fg3">{log.logIndex}</span>
        <span className="font-semibold">{log.name ?? text('explorer.unknownEvent')}</span>
        {log.contract !== null && <span className="text-fg2">{log.contract}</span>}
        <AddressLink address={log.address} />
      </p>
      {log.name === null ? <RawLog log={log} /> : <Arguments log={log} />}
    </li>
  );
}

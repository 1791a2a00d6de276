/** What a transaction does, in one word: the function of a contract of ours that it calls, or what it is without one. */
import type { ChainTransactionLine } from '@orrery/api';
import type { ReactElement } from 'react';
import type { MessageId } from '../../kit/i18n/catalog.ts';
import { useText } from '../../kit/i18n/text.tsx';

/** Functions with words of their own; the others are shown by their name in the contract. */
const words: Readonly<Record<string, MessageId>> = {
  depositERC20: 'explorer.method.deposit',
  depositNative: 'explorer.method.deposit',
  claim: 'explorer.method.claim',
  request: 'explorer.method.request',
  release: 'explorer.method.release',
  approve: 'explorer.method.approve',
  transfer: 'explorer.method.transfer',
  mint: 'explorer.method.mint',
};

export function Method({ line }: { readonly line: Pick<ChainTransactionLine, 'method' | 'to' | 'value'> }): ReactElement {
  const text = useText();
  const { method, to, value } = line;
  if (method !== null) {
    const word = words[method];
    return (
      <span title={method} className="rounded-sm border border-strong px-1.5 py-0.5 text-sm text-fg2">
        {word === undefined ? method : text(word)}
      </span>
    );
  }
  return <span className="text-fg3">{text(to === null ? 'explorer.created' : value === '0' ? 'explorer.call' : 'explorer.payment')}</span>;
}

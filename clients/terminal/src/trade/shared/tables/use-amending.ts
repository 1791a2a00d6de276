/** One order at a time is changed in its row. While the answer is open nothing of the change can be edited; a repeated one is made once. */
import { useState } from 'react';
import { isUnanswered } from '../../../platform/client/failure.ts';
import { actor } from '../../../kit/storage/account-in-view.ts';
import type { By } from '../../../kit/storage/account-in-view.ts';
import { randomHex } from '../../../kit/storage/random-hex.ts';
import { AMEND_FIELDS, amendmentOf } from './amendment.ts';
import type { Amendable, Amendment, AmendField } from './amendment.ts';

const ID_BYTES = 16;

type Phase = 'editing' | 'sending' | 'unanswered';

export interface Amending {
  readonly amendment: Amendment | undefined;
  readonly phase: Phase;
  readonly begin: (order: Amendable) => void;
  readonly change: (field: AmendField, typed: string) => void;
  /** Where a field of the row is wrong, that has the focus and nothing is sent. */
  readonly save: (row: Element | null) => void;
  readonly stop: () => void;
}

/** A field that the order has was emptied: then it says nothing. */
const isBlank = ({ typed, begun }: Amendment): boolean => AMEND_FIELDS.some((field) => begun[field] !== '' && typed[field] === '');

/** @param send throws what the exchange refused or did not answer. */
export function useAmending(send: (amendment: Amendment, by: By) => Promise<void>): Amending {
  const [amendment, setAmendment] = useState<Amendment>();
  // Of the account whose order it is.
  const [by, setBy] = useState(actor);
  const [phase, setPhase] = useState<Phase>('editing');
  const stop = (): void => {
    setAmendment(undefined);
    setPhase('editing');
  };
  const save = async (): Promise<void> => {
    if (amendment === undefined || phase === 'sending' || isBlank(amendment)) return;
    setPhase('sending');
    try {
      await send(amendment, by);
      stop();
    } catch (cause) {
      setPhase(isUnanswered(cause) ? 'unanswered' : 'editing');
    }
  };
  return {
    amendment,
    phase,
    begin(order) {
      setAmendment(amendmentOf(order, randomHex(ID_BYTES)));
      setBy(actor());
      setPhase('editing');
    },
    change: (field, typed) => setAmendment((now) => now && { ...now, typed: { ...now.typed, [field]: typed } }),
    save(row) {
      const wrong = row?.querySelector<HTMLElement>('[aria-invalid=true]');
      if (wrong == null) void save();
      else wrong.focus();
    },
    stop,
  };
}

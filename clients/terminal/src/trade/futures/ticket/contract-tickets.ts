/** The tickets of contracts, one for each account and contract, outside the components: they outlive a change of layout. */
import { create } from 'zustand';
import { parseBoolean } from '../../../storage/parse.ts';
import { stored } from '../../../storage/stored.ts';
import { useAccountInView, accountInView } from '../../spot/ticket/ticket-store.ts';
import { EMPTY_CONTRACT_FORM } from './contract-form.ts';
import type { ContractForm } from './contract-form.ts';

/** Whether orders of contracts only reduce, and whether what protects them is shown: remembered for the next visit. */
const reduceOnly = stored<boolean>({ name: 'futuresReduceOnly', version: 1, fallback: false, parse: parseBoolean });
const showsProtection = stored<boolean>({ name: 'showTakeProfitStopLoss', version: 1, fallback: false, parse: parseBoolean });

/** The ticket of a contract that was not in view before. */
const first: ContractForm = {
  ...EMPTY_CONTRACT_FORM,
  reduceOnly: reduceOnly.read() ? 'on' : 'off',
  protection: showsProtection.read() ? 'on' : 'off',
};

const useTickets = create<{ readonly forms: Readonly<Record<string, ContractForm>> }>()(() => ({ forms: {} }));

const keyOf = (account: string | undefined, symbol: string): string => `${account ?? ''}:${symbol}`;

export function editContract(symbol: string, part: Partial<ContractForm>): void {
  const key = keyOf(accountInView(), symbol);
  if (part.reduceOnly !== undefined) reduceOnly.write(part.reduceOnly === 'on');
  if (part.protection !== undefined) showsProtection.write(part.protection === 'on');
  useTickets.setState(({ forms }) => ({ forms: { ...forms, [key]: { ...(forms[key] ?? first), ...part } } }));
}

export function useContractForm(symbol: string): ContractForm {
  const key = keyOf(useAccountInView(), symbol);
  return useTickets(({ forms }) => forms[key] ?? first);
}

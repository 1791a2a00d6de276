/** The tickets of contracts, one for each account and contract, outside the components: they outlive a change of layout. */
import { create } from 'zustand';
import { useAccountInView, accountInView } from '../../spot/ticket/ticket-store.ts';
import { EMPTY_CONTRACT_FORM } from './contract-form.ts';
import type { ContractForm } from './contract-form.ts';

const useTickets = create<{ readonly forms: Readonly<Record<string, ContractForm>> }>()(() => ({ forms: {} }));

const keyOf = (account: string | undefined, symbol: string): string => `${account ?? ''}:${symbol}`;

export function editContract(symbol: string, part: Partial<ContractForm>): void {
  const key = keyOf(accountInView(), symbol);
  useTickets.setState(({ forms }) => ({ forms: { ...forms, [key]: { ...(forms[key] ?? EMPTY_CONTRACT_FORM), ...part } } }));
}

export function useContractForm(symbol: string): ContractForm {
  const key = keyOf(useAccountInView(), symbol);
  return useTickets(({ forms }) => forms[key] ?? EMPTY_CONTRACT_FORM);
}

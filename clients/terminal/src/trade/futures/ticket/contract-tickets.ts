/** The tickets of contracts, one for each account and contract, outside the components: they outlive a change of layout. */
import { create } from 'zustand';
import { parseBoolean, parseChoice, parseRecord } from '../../../kit/storage/parse.ts';
import { stored } from '../../../kit/storage/stored.ts';
import { useAccountInView } from '../../../platform/session/session.ts';
import { accountInView } from '../../../kit/storage/account-in-view.ts';
import { CONTRACT_TABS, EMPTY_CONTRACT_FORM, PROTECTION_MODES } from './contract-form.ts';
import type { ContractForm, ProtectionMode } from './contract-form.ts';

/** Which order the ticket of each contract was left at, by symbol. */
const symbolConfig = stored<Readonly<Record<string, string>>>({
  name: 'futuresSymbolConfig',
  version: 1,
  fallback: {},
  parse: parseRecord,
});
const parseMode = parseChoice(PROTECTION_MODES);
/** Whether what protects is typed as a price or in per cent of the order's price. */
const protectionMode = stored<ProtectionMode>({ name: 'takeProfitStopLossMode', version: 1, fallback: 'price', parse: parseMode });
const parseTab = parseChoice(CONTRACT_TABS);
/** Whether orders of contracts only reduce, and whether what protects them is shown: remembered for the next visit. */
const reduceOnly = stored<boolean>({ name: 'futuresReduceOnly', version: 1, fallback: false, parse: parseBoolean });
const showsProtection = stored<boolean>({ name: 'showTakeProfitStopLoss', version: 1, fallback: false, parse: parseBoolean });

const first: ContractForm = {
  ...EMPTY_CONTRACT_FORM,
  reduceOnly: reduceOnly.read() ? 'on' : 'off',
  protection: showsProtection.read() ? 'on' : 'off',
  protectionMode: protectionMode.read(),
};
const firsts = new Map<string, ContractForm>();

/** The ticket of a contract that was not in view before. */
function firstOf(symbol: string): ContractForm {
  const known = firsts.get(symbol) ?? { ...first, tab: parseTab(symbolConfig.read()[symbol]) ?? first.tab };
  firsts.set(symbol, known);
  return known;
}

const useTickets = create<{ readonly forms: Readonly<Record<string, ContractForm>> }>()(() => ({ forms: {} }));

const keyOf = (account: string | undefined, symbol: string): string => `${account ?? ''}:${symbol}`;

export function editContract(symbol: string, part: Partial<ContractForm>): void {
  const key = keyOf(accountInView(), symbol);
  if (part.reduceOnly !== undefined) reduceOnly.write(part.reduceOnly === 'on');
  if (part.protectionMode !== undefined) protectionMode.write(part.protectionMode);
  if (part.tab !== undefined) symbolConfig.write({ ...symbolConfig.read(), [symbol]: part.tab });
  if (part.protection !== undefined) showsProtection.write(part.protection === 'on');
  useTickets.setState(({ forms }) => ({ forms: { ...forms, [key]: { ...(forms[key] ?? firstOf(symbol)), ...part } } }));
}

/** A price of the person's own stays. */
export function prefillContract(symbol: string, price: string): void {
  const key = keyOf(accountInView(), symbol);
  if ((useTickets.getState().forms[key] ?? firstOf(symbol)).price === '') editContract(symbol, { price });
}

export function useContractForm(symbol: string): ContractForm {
  const key = keyOf(useAccountInView(), symbol);
  return useTickets(({ forms }) => forms[key] ?? firstOf(symbol));
}

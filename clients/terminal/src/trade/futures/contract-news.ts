/** What happens to the account in contracts is shown on every page. The words for it are loaded with the first event. */
import type { ContractNews } from '../../platform/data/streams/streams.ts';

export function hearContracts(news: ContractNews): void {
  void import('./contract-toasts.tsx').then(({ toastContract }) => toastContract(news));
}

/** What the contracts of the exchange are called, so that an address of theirs can be read. */
import { coinName } from '../balances/coin-name.ts';
import { useContracts } from '../balances/chain-contracts.ts';
import { useText } from '../../kit/i18n/text.tsx';

/** Answers `undefined` for every other address. */
export function useAddressName(): (address: string) => string | undefined {
  const text = useText();
  const contracts = useContracts();
  return (address) => {
    if (contracts === undefined) return undefined;
    const isThis = (other: string): boolean => other.toLowerCase() === address.toLowerCase();
    if (isThis(contracts.exchange)) return text('explorer.exchange');
    if (isThis(contracts.faucet)) return text('explorer.faucet');
    const token = contracts.tokens.find((candidate) => isThis(candidate.address));
    return token && text('explorer.token', { coin: coinName(token.coin) });
  };
}

import { getAddress, isAddress } from 'viem';
import type { MessageId } from '../../kit/i18n/catalog.ts';

/** What is wrong with a typed address: not one at all, or one whose mixed case does not match its own digits. */
export function addressProblem(text: string): MessageId | undefined {
  if (!/^0x[0-9a-fA-F]{40}$/.test(text)) return 'withdraw.invalidAddress';
  const digits = text.slice(2);
  const hasChecksum = digits !== digits.toLowerCase() && digits !== digits.toUpperCase();
  return hasChecksum && !isAddress(text, { strict: true }) ? 'withdraw.badChecksum' : undefined;
}

/** The checksum form, for showing. */
export const showAddress = (text: string): string => getAddress(text);

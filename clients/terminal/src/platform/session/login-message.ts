/** The EIP-4361 text a wallet signs. The server builds the same text from its own record and compares it letter by letter. */
import { MESSAGE_VERSION } from '@orrery/api';
import { getAddress } from 'viem';

export interface LoginMessage {
  readonly address: string;
  /** Where the page is served from: `https://orrery.example`. */
  readonly origin: string;
  readonly chainId: number;
  readonly statement: string;
  readonly nonce: string;
  readonly issuedAt: number;
  readonly requestId?: string;
}

export function printLoginMessage(message: LoginMessage): string {
  const { host } = new URL(message.origin);
  const lines = [
    `${host} wants you to sign in with your Ethereum account:`,
    // Checksum form, as the standard asks.
    getAddress(message.address),
    '',
    message.statement,
    '',
    `URI: ${message.origin}`,
    `Version: ${MESSAGE_VERSION}`,
    `Chain ID: ${message.chainId}`,
    `Nonce: ${message.nonce}`,
    `Issued At: ${new Date(message.issuedAt).toISOString()}`,
  ];
  if (message.requestId !== undefined) lines.push(`Request ID: ${message.requestId}`);
  return lines.join('\n');
}

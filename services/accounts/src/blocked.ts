/** Addresses that may not take part. The server refuses them everywhere; what a page does about them is only courtesy. */
import type { AccountDirectory } from '@orrery/foundation';
import { type Address, addressOf } from '@orrery/units';

/**
 * Nine addresses for trying out the refusal, with no other owner: their private keys are the numbers
 * 0x0b10c0001 to 0x0b10c0009. An installation gives its own list instead.
 */
export const TEST_BLOCKED_ADDRESSES: readonly string[] = [
  '0xe11909C5bB9Ba9c542768B8272589a8ac2Dd5d37',
  '0xb9CE9ad3c9a4932747A2ED7f24bD20a7a500C538',
  '0xb43E202890577Aa7c4b634093a7AFaa12450C655',
  '0x771C2B0E59C439b4feC713f0d7595b9E533c4F52',
  '0x199A0526f4293dc101bCB66706298fead0E9BAfD',
  '0x6454A2C69645fAF9416B55688a95151ea0A13414',
  '0x76913b68e7401431902AB825d9EbdbBf144379f4',
  '0x00baAf243c48658Cd8d471AC609a5aF198FEbf19',
  '0xa35b632F0bC1E132ec0d04d03a4aD029196E7E99',
];

export class BlockedAddresses {
  readonly #listed: ReadonlySet<Address>;
  readonly #directory: AccountDirectory;

  constructor(parts: { listed: readonly string[]; directory: AccountDirectory }) {
    this.#listed = new Set(parts.listed.map(addressOf));
    this.#directory = parts.directory;
  }

  has(address: Address): boolean {
    return this.#listed.has(address) || this.#directory.find(address)?.flags.blocked === true;
  }

  /** The engine must know too: it holds back their deposits, and refuses whatever finds another way in. */
  async reportEngine(): Promise<void> {
    for (const address of this.#listed) {
      const { account } = await this.#directory.open(address);
      await this.#directory.setFlag(account, 'blocked');
    }
  }
}

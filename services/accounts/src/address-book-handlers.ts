/** The calls about the address book. */
import { addressField, type Handlers, type withdrawAddressRoutes } from '@orrery/api';
import type { AddressBook } from './address-book.ts';
import { CHANGE, type Factors } from './factors/factors.ts';

export const addressBookHandlers = (parts: { addressBook: AddressBook; factors: Factors }): Handlers<typeof withdrawAddressRoutes> => {
  const { addressBook, factors } = parts;
  return {
    async withdrawAddresses({ principal }) {
      const list = await addressBook.list(principal);
      return { list, total: list.length, waitMs: addressBook.waitMs };
    },

    async addWithdrawAddress({ principal, body, caller }) {
      const address = addressField(body.address, 'address');
      // Before the code is used up.
      addressBook.checkReceiver(address);
      await factors.required(principal.account, body, { origin: caller.origin, purpose: CHANGE })?.();
      return addressBook.add(principal, { address, label: body.label });
    },

    async removeWithdrawAddress({ principal, body }) {
      const address = addressField(body.address, 'address');
      await addressBook.remove(principal, address);
      return { address };
    },

    checkWithdrawAddress: ({ principal, query }) => addressBook.describe(principal, addressField(query.address, 'address')),
  };
};

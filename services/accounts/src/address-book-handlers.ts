/** The calls about the address book. */
import { addressField, type Handlers, type withdrawAddressRoutes } from '@orrery/api';
import { CHANGE } from './factors/factors.ts';
import type { Parts } from './handlers.ts';

export const addressBookHandlers = ({
  addressBook,
  factors,
  nameAccounts,
}: Pick<Parts, 'addressBook' | 'factors' | 'nameAccounts'>): Handlers<typeof withdrawAddressRoutes> => {
  return {
    async withdrawAddresses({ principal }) {
      const list = await addressBook.list(principal);
      return { list, total: list.length, waitMs: addressBook.waitMs };
    },

    async addWithdrawAddress({ principal, body, caller }) {
      const address = addressField(body.address, 'address');
      // Before the code is used up.
      addressBook.checkReceiver(address);
      if (body.google !== undefined) await nameAccounts.passGate(body.captcha, caller);
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

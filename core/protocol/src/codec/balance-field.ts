/** What an account has of an asset in a wallet, in bytes, each field by its own name: every trade changes four of them. */
import type { BalanceChanged } from '../events.ts';
import { account, amount, asset, wallet } from './field.ts';
import type { Field } from './field.ts';

export const balanceField: Field<Omit<BalanceChanged, 'type'>> = {
  write: (writer, value) => {
    writer.uint(value.account);
    wallet.write(writer, value.wallet);
    writer.uint(value.asset);
    writer.bigint(value.free);
    writer.bigint(value.held);
  },
  read: (reader) => ({
    account: account.read(reader),
    wallet: wallet.read(reader),
    asset: asset.read(reader),
    free: amount.read(reader),
    held: amount.read(reader),
  }),
};

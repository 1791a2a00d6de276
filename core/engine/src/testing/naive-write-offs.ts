/** Credits of the naive exchange, and what becomes of those that are written off. */
import { atoms, type AccountId, type AssetId } from '@orrery/units';
import { type NaiveAccount, NaiveState, type NaiveWrittenOff } from './naive-state.ts';

export class NaiveWriteOffs extends NaiveState {
  credit(account: NaiveAccount, key: string, asset: AssetId, amount: bigint): void {
    const suspended = account.flags.includes('blocked');
    if (suspended) account.suspended.push({ key, asset, amount });
    else this.add(account.id, 'funding', asset, amount);
    this.emit({ type: 'DepositCredited', key, account: account.id, asset, amount: atoms(amount), suspended });
  }

  takeFree(id: AccountId, asset: AssetId, wanted: bigint) {
    const taken = { funding: 0n, spot: 0n, futures: 0n, coinFutures: 0n };
    let missing = wanted;
    for (const wallet of ['funding', 'spot', 'futures', 'coinFutures'] as const) {
      if (wallet === 'coinFutures' && this.rules < 6) continue;
      const free = this.free(id, wallet, asset);
      taken[wallet] = free < missing ? free : missing;
      missing -= taken[wallet];
      this.add(id, wallet, asset, -taken[wallet]);
    }
    return { ...taken, missing };
  }

  /** The deposit is never mentioned again in what is owed: what the account does not have, the insurance fund pays, and debts are noted. */
  writeOff(key: string): void {
    if (this.writtenOff.some((one) => one.key === key)) return this.emit({ type: 'CommandRepeated', key });
    const deposit = this.deposits.find((one) => one.key === key);
    if (deposit === undefined) return this.refuse([{ reason: 'UnknownDeposit', field: 'key' }]);
    if (this.rules < 6) return this.refuse([{ reason: 'RulesTooOld', field: '' }]);
    const orphan = this.orphans.find((one) => one.key === key);
    if (orphan === undefined) return this.refuse([{ reason: 'DepositNotInSuspense', field: 'key' }]);
    const { account, asset, amount } = deposit;
    const taken = this.takeFree(account, asset, amount - orphan.amount);
    const insurance = this.budget('insurance', asset);
    const fromInsurance = insurance < taken.missing ? insurance : taken.missing;
    this.budgets.set(`insurance ${asset}`, insurance - fromInsurance);
    const uncovered = taken.missing - fromInsurance;
    this.debts.set(asset, (this.debts.get(asset) ?? 0n) + uncovered);
    this.orphans = this.orphans.filter((one) => one !== orphan);
    this.writtenOff.push({ key, account, asset, amount, paid: taken.missing });
    this.emit({
      type: 'DepositWrittenOff',
      key,
      account,
      asset,
      amount: atoms(amount),
      fromSuspense: atoms(orphan.amount),
      fromFunding: atoms(taken.funding),
      fromSpot: atoms(taken.spot),
      fromFutures: atoms(taken.futures),
      fromCoinFutures: atoms(taken.coinFutures),
      fromInsurance: atoms(fromInsurance),
      uncovered: atoms(uncovered),
    });
  }

  takeIn(written: NaiveWrittenOff): void {
    const { key, account, asset, amount, paid } = written;
    this.writtenOff = this.writtenOff.filter((one) => one !== written);
    this.credit(this.account(account)!, key, asset, amount - paid);
    if (paid === 0n) return;
    this.fundInsurance(asset, paid);
    this.emit({ type: 'WriteOffRepaid', key, account, asset, amount: atoms(paid) });
  }

  /** Debts are paid first, since rules 6. */
  fundInsurance(asset: AssetId, amount: bigint): void {
    const fund = this.budget('insurance', asset) + amount;
    const debt = this.rules < 6 ? 0n : (this.debts.get(asset) ?? 0n);
    const repaid = debt < fund ? debt : fund;
    if (repaid > 0n) this.debts.set(asset, debt - repaid);
    this.budgets.set(`insurance ${asset}`, fund - repaid);
  }

  budget(budget: string, asset: AssetId): bigint {
    return this.budgets.get(`${budget} ${asset}`) ?? 0n;
  }
}

/** The money commands of the naive exchange. */
import { type Command, type QuotaTerms } from '@orrery/protocol';
import { atoms, millis, type AccountId, type AssetId } from '@orrery/units';
import { DAY, HOUR, MINUTE, type NaiveWithdrawal, text, type Reason } from './naive-state.ts';
import { NaiveWriteOffs } from './naive-write-offs.ts';

type MoneyType =
  | 'CreditDeposit'
  | 'SuspendDeposit'
  | 'WriteOffDeposit'
  | 'Transfer'
  | 'RequestWithdrawal'
  | 'WithdrawInternally'
  | 'MarkWithdrawalSent'
  | 'PostWithdrawal'
  | 'RefundWithdrawal'
  | 'SetWithdrawalCaps'
  | 'FundBudget'
  | 'AwardFromBudget'
  | 'ReverseAward'
  | 'ReserveFaucetClaim'
  | 'SettleFaucetClaim';
type MoneyCommand = Extract<Command, { type: MoneyType }>;

export class NaiveMoney extends NaiveWriteOffs {
  moveMoney(command: MoneyCommand): void {
    switch (command.type) {
      case 'CreditDeposit': {
        const { key, address, asset, amount } = command;
        const memory = this.remember('deposit', key, [address, asset, amount]);
        if (memory === 'same') return this.giveBack(key);
        const reasons = this.againstMoney(asset, amount, 'chain');
        if (memory === 'other') reasons.push({ reason: 'KeyConflict', field: 'key' });
        if (reasons.length > 0) return this.refuse(reasons);
        this.seen.set(`deposit ${key}`, text([address, asset, amount]));
        const isNew = !this.accounts.some((account) => account.address === address);
        const account = this.accountAt(address);
        if (isNew) this.emit({ type: 'AccountOpened', account: account.id, address });
        this.deposits.push({ key, account: account.id, asset, amount });
        return this.credit(account, key, asset, amount);
      }
      case 'SuspendDeposit':
        return this.suspendDeposit(command.key);
      case 'WriteOffDeposit':
        return this.writeOff(command.key);
      case 'Transfer': {
        const { account, transferId, asset, amount, from, to } = command;
        const memory = this.remember(`transfer ${account}`, transferId, [asset, amount, from, to]);
        if (memory === 'same') return this.emit({ type: 'CommandRepeated', key: transferId });
        const reasons: Reason[] = from === to ? [{ reason: 'InvalidCombination', field: 'to' }] : [];
        reasons.push(...this.againstMoney(asset, amount, 'chain'), ...this.againstBlocked(account));
        reasons.push(...this.againstTerms(account));
        const coin = [from, to].filter((wallet) => wallet === 'coinFutures');
        if (coin.length > 0 && this.rules < 5) reasons.push({ reason: 'RulesTooOld', field: '' });
        const isClosed = (from === 'futures' && to === 'funding') || (coin.length > 0 && from !== 'spot' && to !== 'spot');
        if (isClosed) reasons.push({ reason: 'TransferRouteClosed', field: 'to' });
        if (memory === 'other') reasons.push({ reason: 'KeyConflict', field: 'transferId' });
        if (this.free(account, from, asset) < amount) reasons.push({ reason: 'InsufficientBalance', field: 'amount' });
        if (reasons.length > 0) return this.refuse(reasons);
        this.seen.set(`transfer ${account} ${transferId}`, text([asset, amount, from, to]));
        this.add(account, from, asset, 0n - amount);
        this.add(account, to, asset, amount);
        return this.emit({ type: 'Transferred', account, transferId, asset, amount, from, to });
      }
      case 'RequestWithdrawal': {
        const { account, withdrawalId, asset, amount, to, quota } = command;
        const before = this.withdrawals.find((one) => one.id === withdrawalId);
        const same = before?.account === account && before.asset === asset && before.amount === amount && before.to === to;
        if (same) return this.emit({ type: 'CommandRepeated', key: withdrawalId });
        const reasons = this.againstMoney(asset, amount, 'chain');
        reasons.push(...this.againstBlocked(account), ...this.againstQuota(account, quota));
        if (this.accounts.find((one) => one.address === to)?.flags.includes('blocked') === true)
          reasons.push({ reason: 'AccountBlocked', field: 'to' });
        if (this.orphans.some((one) => one.account === account)) reasons.push({ reason: 'DepositInSuspense', field: 'account' });
        reasons.push(...this.againstTerms(account), ...this.againstCaps(asset, amount));
        if (before !== undefined || this.seen.has(`internal ${withdrawalId}`))
          reasons.push({ reason: 'KeyConflict', field: 'withdrawalId' });
        if (this.free(account, 'funding', asset) < amount) reasons.push({ reason: 'InsufficientBalance', field: 'amount' });
        if (reasons.length > 0) return this.refuse(reasons);
        const heldAt = this.rules < 4 ? undefined : this.at;
        this.withdrawals.push({ id: withdrawalId, account, asset, amount, to, state: 'held', txHash: '', heldAt });
        this.emit({ type: 'WithdrawalHeld', account, withdrawalId, asset, amount, to });
        this.emitOutflow(asset, heldAt);
        return this.useQuota(account, withdrawalId, quota);
      }
      case 'WithdrawInternally': {
        const { account, withdrawalId, asset, amount, to, quota } = command;
        const memory = this.remember('internal', withdrawalId, [account, asset, amount, to]);
        if (memory === 'same') return this.emit({ type: 'CommandRepeated', key: withdrawalId });
        const recipient = this.accounts.find((one) => one.address === to);
        const reasons: Reason[] = recipient?.id === account ? [{ reason: 'InvalidCombination', field: 'to' }] : [];
        reasons.push(...this.againstMoney(asset, amount, 'chain'), ...this.againstBlocked(account));
        if (recipient === undefined) reasons.push({ reason: 'UnknownAccount', field: 'to' });
        if (recipient?.flags.includes('blocked') === true) reasons.push({ reason: 'AccountBlocked', field: 'to' });
        if (this.orphans.some((one) => one.account === account)) reasons.push({ reason: 'DepositInSuspense', field: 'account' });
        reasons.push(...this.againstTerms(account));
        reasons.push(...this.againstQuota(account, quota));
        if (this.rules < 6) reasons.push({ reason: 'RulesTooOld', field: '' });
        if (memory === 'other' || this.withdrawals.some((one) => one.id === withdrawalId))
          reasons.push({ reason: 'KeyConflict', field: 'withdrawalId' });
        if (this.free(account, 'funding', asset) < amount) reasons.push({ reason: 'InsufficientBalance', field: 'amount' });
        if (reasons.length > 0 || recipient === undefined) return this.refuse(reasons);
        this.seen.set(`internal ${withdrawalId}`, text([account, asset, amount, to]));
        this.add(account, 'funding', asset, 0n - amount);
        this.add(recipient.id, 'funding', asset, amount);
        this.emit({ type: 'WithdrawnInternally', account, recipient: recipient.id, withdrawalId, asset, amount, to });
        return this.useQuota(account, withdrawalId, quota);
      }
      case 'MarkWithdrawalSent':
      case 'PostWithdrawal':
      case 'RefundWithdrawal':
        return this.payWithdrawal(command);
      case 'SetWithdrawalCaps':
        return this.setCaps(command);
      case 'FundBudget': {
        const { key, budget, asset, amount } = command;
        const memory = this.remember('budget', key, [budget, asset, amount]);
        if (memory === 'same') return this.emit({ type: 'CommandRepeated', key });
        const reasons = this.againstMoney(asset, amount, 'any');
        if (budget === 'insurance' && this.rules < 5) reasons.push({ reason: 'RulesTooOld', field: '' });
        if (memory === 'other') reasons.push({ reason: 'KeyConflict', field: 'key' });
        if (reasons.length > 0) return this.refuse(reasons);
        this.seen.set(`budget ${key}`, text([budget, asset, amount]));
        if (budget === 'insurance') this.fundInsurance(asset, amount);
        else this.budgets.set(`${budget} ${asset}`, this.budget(budget, asset) + amount);
        return this.emit({ type: 'BudgetFunded', key, budget, asset, amount });
      }
      case 'AwardFromBudget': {
        const { key, budget, account, asset, amount } = command;
        const memory = this.remember('award', key, [budget, account, asset, amount]);
        if (memory === 'same') return this.emit({ type: 'CommandRepeated', key });
        const reasons = this.againstMoney(asset, amount, 'any');
        if (budget === 'insurance') reasons.push({ reason: 'InvalidField', field: 'budget' });
        reasons.push(...this.againstBlocked(account));
        if (this.assets.find((one) => one.asset === asset)?.code === 'POINTS' && amount > 77_777n)
          reasons.push({ reason: 'AwardTooLarge', field: 'amount' });
        if (memory === 'other') reasons.push({ reason: 'KeyConflict', field: 'key' });
        if (this.budget(budget, asset) < amount) reasons.push({ reason: 'BudgetExhausted', field: 'budget' });
        if (reasons.length > 0) return this.refuse(reasons);
        this.seen.set(`award ${key}`, text([budget, account, asset, amount]));
        this.budgets.set(`${budget} ${asset}`, this.budget(budget, asset) - amount);
        this.add(account, 'funding', asset, amount);
        this.awards.push({ key, budget, account, asset, amount, reversal: undefined });
        return this.emit({ type: 'Awarded', key, budget, account, asset, amount });
      }
      case 'ReverseAward':
        return this.reverseAward(command.key, command.awardKey);
      case 'ReserveFaucetClaim':
        return this.reserveClaim(command.account, command.claimId);
      case 'SettleFaucetClaim':
        return this.settleClaim(command.claimId, command.outcome);
    }
  }

  giveBack(key: string): void {
    const written = this.writtenOff.find((one) => one.key === key);
    if (written !== undefined) return this.takeIn(written);
    const orphan = this.orphans.find((one) => one.key === key);
    if (orphan === undefined) return this.emit({ type: 'CommandRepeated', key });
    this.orphans = this.orphans.filter((one) => one !== orphan);
    this.credit(this.account(orphan.account)!, key, orphan.asset, orphan.amount);
  }

  suspendDeposit(key: string): void {
    if ([...this.orphans, ...this.writtenOff].some((one) => one.key === key)) return this.emit({ type: 'CommandRepeated', key });
    const deposit = this.deposits.find((one) => one.key === key);
    if (deposit === undefined) return this.refuse([{ reason: 'UnknownDeposit', field: 'key' }]);
    const { account: id, asset } = deposit;
    const account = this.account(id)!;
    const waiting = account.suspended.find((one) => one.key === key);
    const { missing, ...taken } = this.takeFree(id, asset, waiting === undefined ? deposit.amount : 0n);
    account.suspended = account.suspended.filter((one) => one !== waiting);
    const amount = waiting?.amount ?? deposit.amount - missing;
    this.orphans.push({ key, account: id, asset, amount });
    this.emit({
      type: 'DepositSuspended',
      key,
      account: id,
      asset,
      amount: atoms(amount),
      fromFunding: atoms(taken.funding),
      fromSpot: atoms(taken.spot),
      fromFutures: atoms(taken.futures),
    });
    if (taken.coinFutures > 0n) this.emit({ type: 'CoinFuturesSuspended', key, account: id, asset, amount: atoms(taken.coinFutures) });
  }

  reverseAward(key: string, awardKey: string): void {
    const award = this.awards.find((one) => one.key === awardKey);
    const before = this.awards.find((one) => one.reversal === key);
    if (before !== undefined && before === award) return this.emit({ type: 'CommandRepeated', key });
    if (award === undefined) return this.refuse([{ reason: 'UnknownAward', field: 'awardKey' }]);
    const { budget, account, asset, amount } = award;
    const reasons: Reason[] = [];
    if (award.reversal !== undefined) reasons.push({ reason: 'AwardAlreadyReversed', field: 'awardKey' });
    if (before !== undefined) reasons.push({ reason: 'KeyConflict', field: 'key' });
    if (this.free(account, 'funding', asset) < amount) reasons.push({ reason: 'InsufficientBalance', field: 'awardKey' });
    if (reasons.length > 0) return this.refuse(reasons);
    award.reversal = key;
    this.add(account, 'funding', asset, -amount);
    this.budgets.set(`${budget} ${asset}`, this.budget(budget, asset) + amount);
    this.emit({ type: 'AwardReversed', key, awardKey, budget, account, asset, amount: atoms(amount) });
  }

  payWithdrawal(command: Extract<Command, { type: 'MarkWithdrawalSent' | 'PostWithdrawal' | 'RefundWithdrawal' }>): void {
    const { withdrawalId } = command;
    const one = this.withdrawals.find((candidate) => candidate.id === withdrawalId);
    if (one === undefined) return this.refuse([{ reason: 'UnknownWithdrawal', field: 'withdrawalId' }]);
    const { account, asset, amount } = one;
    const allowed = { MarkWithdrawalSent: ['held', 'sent'], PostWithdrawal: ['sent'], RefundWithdrawal: ['held', 'sent'] }[command.type];
    const repeated =
      command.type === 'MarkWithdrawalSent'
        ? one.txHash === command.txHash
        : command.type === 'PostWithdrawal'
          ? one.state === 'posted' && one.txHash === command.txHash
          : one.state === 'refunded';
    if (repeated) return this.emit({ type: 'CommandRepeated', key: withdrawalId });
    if (!allowed.includes(one.state)) return this.refuse([{ reason: 'WithdrawalNotInState', field: 'withdrawalId' }]);
    if (command.type === 'RefundWithdrawal') {
      one.state = 'refunded';
      this.emit({ type: 'WithdrawalRefunded', account, withdrawalId, asset, amount: atoms(amount) });
      this.emitOutflow(asset, one.heldAt);
      return this.giveQuotaBack(withdrawalId);
    }
    one.txHash = command.txHash;
    if (command.type === 'MarkWithdrawalSent') {
      one.state = 'sent';
      return this.emit({ type: 'WithdrawalSent', account, withdrawalId, txHash: command.txHash });
    }
    one.state = 'posted';
    this.add(account, 'funding', asset, -amount);
    return this.emit({ type: 'WithdrawalPosted', account, withdrawalId, asset, amount: atoms(amount), txHash: command.txHash });
  }

  setCaps({ asset, hourly, daily }: Extract<Command, { type: 'SetWithdrawalCaps' }>): void {
    const reasons: Reason[] = this.againstMoney(asset, 1n, 'chain');
    if (daily < 0n || daily.toString().length > 38) reasons.push({ reason: 'InvalidField', field: 'daily' });
    else if (hourly < 0n || hourly > daily) reasons.push({ reason: 'InvalidField', field: 'hourly' });
    if (this.rules < 4) reasons.push({ reason: 'RulesTooOld', field: '' });
    if (reasons.length > 0) return this.refuse(reasons);
    this.caps = [...this.caps.filter((one) => one.asset !== asset), { asset, hourly, daily }];
    this.emit({ type: 'WithdrawalCapsSet', asset, hourly, daily });
  }

  againstCaps(asset: AssetId, amount: bigint): Reason[] {
    const caps = this.caps.find((one) => one.asset === asset);
    const takenIn = (window: number): bigint =>
      sumOf(this.withdrawals.filter((one) => isCounted(one, asset) && minuteOf(this.at) - minuteOf(one.heldAt ?? 0) <= window));
    const reasons: Reason[] = [];
    if (caps !== undefined && takenIn(HOUR) + amount > caps.hourly) reasons.push({ reason: 'HourlyCapExceeded', field: 'amount' });
    if (caps !== undefined && takenIn(DAY) + amount > caps.daily) reasons.push({ reason: 'DailyCapExceeded', field: 'amount' });
    return reasons;
  }

  againstQuota(account: AccountId, quota: QuotaTerms | undefined): Reason[] {
    if (quota === undefined) return [];
    const { worth, limit } = quota;
    if ([worth, limit].some((one) => one < 0n || one.toString().length > 38)) return [{ reason: 'InvalidField', field: 'quota' }];
    if (this.rules < 10) return [{ reason: 'RulesTooOld', field: '' }];
    const recent = this.quotaUses.filter((one) => one.account === account && !one.isRefunded && one.at + DAY > this.at);
    const together = recent.reduce<bigint>((sum, one) => sum + one.worth, worth);
    return worth > 0n && together > limit ? [{ reason: 'QuotaExceeded', field: 'amount' }] : [];
  }

  useQuota(account: AccountId, id: string, quota: QuotaTerms | undefined): void {
    if (quota === undefined || quota.worth === 0n) return;
    this.quotaUses.push({ id, account, worth: quota.worth, at: this.at, isRefunded: false });
    this.emitQuota(account, this.at);
  }

  giveQuotaBack(id: string): void {
    const use = this.quotaUses.find((one) => one.id === id);
    if (use === undefined) return;
    use.isRefunded = true;
    if (use.at + DAY > this.at) this.emitQuota(use.account, use.at);
  }

  emitQuota(account: AccountId, at: number): void {
    const together = this.quotaUses.filter((one) => one.account === account && one.at === at && !one.isRefunded);
    const worth = together.reduce((sum, one) => sum + one.worth, 0n);
    this.emit({ type: 'QuotaUsed', account, since: millis(at), worth: atoms(worth) });
  }

  againstTerms(id: AccountId): Reason[] {
    const account = this.account(id);
    if (this.rules < 4 || account === undefined || account.flags.includes('termsAccepted')) return [];
    return [{ reason: 'TermsNotAccepted', field: 'account' }];
  }

  /** What the minute of a withdrawal holds now; of one that has left the day nothing is emitted. */
  emitOutflow(asset: AssetId, heldAt: number | undefined): void {
    if (heldAt === undefined || minuteOf(this.at) - minuteOf(heldAt) > DAY) return;
    const minute = minuteOf(heldAt);
    const amount = sumOf(this.withdrawals.filter((one) => isCounted(one, asset) && minuteOf(one.heldAt ?? 0) === minute));
    this.emit({ type: 'OutflowChanged', asset, minute: millis(minute), amount: atoms(amount) });
  }

  reserveClaim(account: AccountId, claimId: string): void {
    const before = this.claims.find((one) => one.id === claimId);
    if (before?.account === account) return this.emit({ type: 'CommandRepeated', key: claimId });
    const asset = this.assets.find((one) => one.code === 'CLAIM')!.asset;
    const owner = this.account(account);
    const reasons: Reason[] = this.againstBlocked(account);
    if (owner !== undefined && !owner.flags.includes('whitelisted')) reasons.push({ reason: 'NotWhitelisted', field: 'account' });
    if (owner?.lastClaimAt !== undefined && this.at - owner.lastClaimAt < DAY) reasons.push({ reason: 'ClaimTooSoon', field: 'account' });
    if (before !== undefined) reasons.push({ reason: 'KeyConflict', field: 'claimId' });
    if (this.budget('faucet', asset) < 1n) reasons.push({ reason: 'BudgetExhausted', field: '' });
    if (reasons.length > 0) return this.refuse(reasons);
    this.claims.push({ id: claimId, account, at: this.at, state: 'reserved' });
    owner!.lastClaimAt = this.at;
    this.budgets.set(`faucet ${asset}`, this.budget('faucet', asset) - 1n);
    this.emit({ type: 'FaucetClaimReserved', account, claimId });
  }

  settleClaim(claimId: string, outcome: 'paid' | 'failed'): void {
    const claim = this.claims.find((one) => one.id === claimId);
    if (claim === undefined) return this.refuse([{ reason: 'UnknownClaim', field: 'claimId' }]);
    if (claim.state === outcome) return this.emit({ type: 'CommandRepeated', key: claimId });
    if (claim.state !== 'reserved') return this.refuse([{ reason: 'KeyConflict', field: 'outcome' }]);
    claim.state = outcome;
    const asset = this.assets.find((one) => one.code === 'CLAIM')!.asset;
    const owner = this.account(claim.account)!;
    if (outcome === 'failed') {
      this.budgets.set(`faucet ${asset}`, this.budget('faucet', asset) + 1n);
      if (owner.lastClaimAt === claim.at) owner.lastClaimAt = undefined;
    }
    this.emit({ type: 'FaucetClaimSettled', account: claim.account, claimId, outcome });
  }

  againstMoney(asset: AssetId, amount: bigint, kind: 'chain' | 'any'): Reason[] {
    const reasons: Reason[] = [];
    const known = this.assets.find((one) => one.asset === asset);
    if (known === undefined) reasons.push({ reason: 'UnknownAsset', field: 'asset' });
    else if (kind === 'chain' && known.kind !== 'chain') reasons.push({ reason: 'InvalidCombination', field: 'asset' });
    if (amount <= 0n || amount.toString().length > 38) reasons.push({ reason: 'InvalidAmount', field: 'amount' });
    return reasons;
  }

  againstBlocked(id: AccountId): Reason[] {
    const account = this.account(id);
    if (account === undefined) return [{ reason: 'UnknownAccount', field: 'account' }];
    return account.flags.includes('blocked') ? [{ reason: 'AccountBlocked', field: 'account' }] : [];
  }

  remember(kind: string, key: string, body: readonly unknown[]): 'new' | 'same' | 'other' {
    const before = this.seen.get(`${kind} ${key}`);
    return before === undefined ? 'new' : before === text(body) ? 'same' : 'other';
  }
}

const minuteOf = (at: number): number => Math.floor(at / MINUTE) * MINUTE;
const sumOf = (withdrawals: readonly NaiveWithdrawal[]): bigint => withdrawals.reduce((sum, { amount }) => sum + amount, 0n);
const isCounted = (one: NaiveWithdrawal, asset: AssetId): boolean =>
  one.asset === asset && one.heldAt !== undefined && one.state !== 'refunded';

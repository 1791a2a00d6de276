/** Advertisements: published, changed, halted and taken down by their advertiser. What `sell` offers lies in escrow. */
import { NO_ATOMS, subtractAtoms, type Atoms, type Millis } from '@orrery/units';
import type {
  ChangeableAdvertisement,
  CommandRejected,
  Event,
  PublishAdvertisement,
  SetAdvertisementState,
  UpdateAdvertisement,
} from '@orrery/protocol';
import { ADVERTISEMENTS_PER_ACCOUNT, countBeyond, reject, rejectBeyond } from '@orrery/rules';
import { pay } from '../ledger/movements.ts';
import { checkKey, refuseUnfunded } from '../money/check-money.ts';
import { bodyOf } from '../money/money-records.ts';
import { isExhausted, isLive, noteChange, publishedOf, stateOf, worthOf, type KeptAdvertisement } from './advertisement.ts';
import { checkAdvertised, checkChangeable, checkTradedAsset, refuseActor, refuseBeginner, refuseSeller, totalBeyond } from './check-otc.ts';
import { madeBefore, rememberMade } from './once.ts';
import { NEVER } from './otc-order.ts';
import { decimalsOf, escrowOf, fundingOf, type OtcState } from './otc-state.ts';

export function publishAdvertisement(state: OtcState, command: PublishAdvertisement, at: Millis): Event[] {
  const { account, clientAdvertisementId, side, asset, currency, pricing, minTotal, maxTotal, payWindowMs, amount } = command;
  const key = bodyOf(account, clientAdvertisementId);
  const body = bodyOf(side, asset, currency, amount, changeableBody(command));
  const before = madeBefore(state.money, 'advertisement', key, body);
  if (before?.isSame === true) return [{ type: 'CommandRepeated', key: before.id }];
  const refusal =
    refusePublisher(state, command, at) ?? (before === undefined ? undefined : reject('KeyConflict', 'clientAdvertisementId'));
  if (refusal !== undefined) return [refusal];
  const unfunded = side === 'sell' ? refuseUnfunded(state, command, at) : undefined;
  if (unfunded !== undefined) return [unfunded];
  // After this point nothing fails.
  const advertisement: KeptAdvertisement = {
    advertisement: state.otc.nextAdvertisement(),
    account,
    clientAdvertisementId,
    side,
    asset,
    currency,
    pricing,
    minTotal,
    maxTotal,
    payWindowMs,
    available: amount,
    version: 1,
    state: 'PUBLISHED',
    forgottenAt: NEVER,
  };
  rememberMade(state.money, 'advertisement', key, advertisement.advertisement, body);
  state.otc.enterAdvertisement(advertisement);
  if (side === 'sell') pay(state.ledger, fundingOf(state, account, asset), escrowOf(state, asset), amount);
  return [publishedOf(advertisement)];
}

const changeableBody = ({ pricing, minTotal, maxTotal, payWindowMs }: ChangeableAdvertisement): string =>
  bodyOf(pricing.kind, pricing.kind === 'FIXED' ? pricing.price : pricing.premium, minTotal, maxTotal, payWindowMs);

function refusePublisher(state: OtcState, command: PublishAdvertisement, at: Millis): CommandRejected | undefined {
  const { account, clientAdvertisementId, side, asset, currency, amount } = command;
  const malformed =
    checkKey(clientAdvertisementId, 'clientAdvertisementId') ??
    checkChangeable(command) ??
    checkAdvertised(amount, 1n) ??
    checkTradedAsset(state, asset) ??
    refuseBeginner(state, account) ??
    (side === 'sell' ? refuseSeller(state, account, at) : undefined);
  if (malformed !== undefined) return malformed;
  if (state.otc.terms === undefined) return reject('OtcClosed');
  if (state.otc.people.isPaused(account, at)) return reject('OtcPaused', 'account');
  const live = state.otc.people.open(account).advertisements;
  if (live >= ADVERTISEMENTS_PER_ACCOUNT)
    return rejectBeyond('TooManyAdvertisements', '', countBeyond({ asked: live + 1, limit: ADVERTISEMENTS_PER_ACCOUNT }));
  const decimals = decimalsOf(state, asset);
  const priced = { ...command, available: amount };
  if (!isExhausted(priced, decimals)) return undefined;
  return rejectBeyond('OtcTotalOutside', 'amount', totalBeyond(currency, worthOf(priced, decimals) ?? command.minTotal, command.minTotal));
}

export function updateAdvertisement(state: OtcState, command: UpdateAdvertisement, at: Millis): Event[] {
  const { account, pricing, minTotal, maxTotal, payWindowMs } = command;
  const malformed = checkChangeable(command) ?? (command.amount === undefined ? undefined : checkAdvertised(command.amount, 0n));
  if (malformed !== undefined) return [malformed];
  const advertisement = ownAdvertisement(state, command);
  if (advertisement === undefined) return [reject('UnknownAdvertisement', 'advertisement')];
  const { amount = advertisement.available } = command;
  if (isLive(advertisement) && isAsIs(advertisement, { ...command, amount }))
    return [{ type: 'CommandRepeated', key: `${advertisement.advertisement}` }];
  const more = advertisement.side === 'sell' ? subtractAtoms(amount, advertisement.available) : NO_ATOMS;
  const refusal = refuseUpdate(state, { advertisement, more, version: command.version }, at);
  if (refusal !== undefined) return [refusal];
  // After this point nothing fails.
  Object.assign(advertisement, { pricing, minTotal, maxTotal, payWindowMs } satisfies ChangeableAdvertisement);
  const { asset } = advertisement;
  state.otc.setAvailable(advertisement, amount);
  pay(state.ledger, fundingOf(state, account, asset), escrowOf(state, asset), more);
  return [settled(state, advertisement)];
}

const isAsIs = (advertisement: KeptAdvertisement, command: UpdateAdvertisement): boolean =>
  advertisement.available === command.amount && changeableBody(advertisement) === changeableBody(command);

interface Update {
  readonly advertisement: KeptAdvertisement;
  /** What moves into escrow; below zero what moves out of it. */
  readonly more: Atoms;
  /** The one that the advertiser saw. */
  readonly version: number | undefined;
}

function refuseUpdate(state: OtcState, { advertisement, more, version }: Update, at: Millis): CommandRejected | undefined {
  const { account, asset } = advertisement;
  const leaves = more > NO_ATOMS;
  const refusal =
    (leaves ? refuseBeginner(state, account) : refuseActor(state, account)) ?? (leaves ? refuseSeller(state, account, at) : undefined);
  if (refusal !== undefined) return refusal;
  if (!isLive(advertisement)) return reject('AdvertisementNotOpen', 'advertisement');
  if (version !== undefined && version !== advertisement.version) return reject('AdvertisementVersionStale', 'version');
  return leaves ? refuseUnfunded(state, { account, asset, amount: more }, at) : undefined;
}

export function setAdvertisementState(state: OtcState, command: SetAdvertisementState, at: Millis): Event[] {
  const { account } = command;
  const advertisement = ownAdvertisement(state, command);
  if (advertisement === undefined) return [reject('UnknownAdvertisement', 'advertisement')];
  const refusal = account === 0 ? undefined : refuseActor(state, account);
  if (refusal !== undefined) return [refusal];
  const next =
    command.state === 'PUBLISHED'
      ? stateOf({ ...advertisement, state: 'PUBLISHED' }, decimalsOf(state, advertisement.asset))
      : command.state;
  if (next === advertisement.state) return [{ type: 'CommandRepeated', key: `${advertisement.advertisement}` }];
  if (!isLive(advertisement)) return [reject('AdvertisementNotOpen', 'advertisement')];
  // After this point nothing fails.
  if (next === 'TAKEN_DOWN') return takeDown(state, advertisement, at);
  advertisement.state = next;
  return [noteChange(advertisement)];
}

function takeDown(state: OtcState, advertisement: KeptAdvertisement, at: Millis): Event[] {
  const { side, asset, account, available } = advertisement;
  state.otc.takeDown(advertisement, at);
  if (side === 'sell') pay(state.ledger, escrowOf(state, asset), fundingOf(state, account, asset), available);
  return [noteChange(advertisement)];
}

/** An operator acts on every one. */
function ownAdvertisement(
  state: OtcState,
  { account, advertisement: id }: Pick<SetAdvertisementState, 'account' | 'advertisement'>,
): KeptAdvertisement | undefined {
  const advertisement = state.otc.advertisement(id);
  return account === 0 || advertisement?.account === account ? advertisement : undefined;
}

/** After what is available, or its price, has changed. */
export function settled(state: OtcState, advertisement: KeptAdvertisement): Event {
  advertisement.state = stateOf(advertisement, decimalsOf(state, advertisement.asset));
  return noteChange(advertisement);
}

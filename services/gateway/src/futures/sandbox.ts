/** Calls by which testers move prices, funding and their own orders: mounted only where the exchange is given a sandbox, and on practice contracts alone. */
import { ApiError, DEPTH_LEVELS_MAX, type Handlers, type Principal, type sandboxRoutes } from '@orrery/api';
import type { Contract, FundingSettled } from '@orrery/protocol';
import { dayOf, isPracticeContract } from '@orrery/rules';
import { bigintOf, lots, millis, NO_ATOMS, parseDecimal, printAtoms, printDecimal, printLots, printTicks, type Lots } from '@orrery/units';
import { liquidationPriceOf, marginFigures, type ListedContract, type OrderState } from '@orrery/views';
import { marginGroupOf } from '@orrery/rules';
import type { Floor } from '../floor.ts';
import { orderIdOf } from '../orders/parse-order.ts';
import type { Sandbox } from '../ports.ts';
import { contractNamed, ppbRatio, settleOf } from './contract-listing.ts';
import type { FuturesDesk } from './futures-desk.ts';
import { isWaiting, POSITION_SIDE_NAMES } from './futures-order-text.ts';
import { Hunts } from './hunts.ts';
import { placeContractOrder, POSITION_SIDES } from './parse-contract-order.ts';
import type { PracticeNews } from './practice-news.ts';

const SECOND_MS = 1_000;
const DAY_MS = 86_400_000;
const PPM_DECIMALS = 6;
const MILLION = 1_000_000;
const MOVE_MAX_PPM = 500_000n;
/** How far from the mark the house fills an order of a practice contract: further away it would be a present. */
const FILL_BAND_PPM = 10_000;

/** What is named is a contract: whether its funding can be settled now is a matter of its prices. */
const FIELDS = { market: 'symbol', interval: 'symbol' };

export interface SandboxPorts {
  readonly desk: FuturesDesk;
  readonly floor: Floor;
  readonly sandbox: Sandbox;
  readonly practiceNews: PracticeNews;
  readonly now: () => number;
}

type SandboxHandlers = Handlers<typeof sandboxRoutes>;

export function sandboxHandlers(ports: SandboxPorts): SandboxHandlers {
  const { practiceNews } = ports;
  return { ...moveHandlers(ports), ...positionHandlers(ports), practiceActions: () => [...practiceNews.actions] };
}

/** What changes a contract for everybody who holds it. */
function moveHandlers(ports: SandboxPorts): Pick<SandboxHandlers, 'movePrice' | 'forceFunding' | 'skipHour'> {
  const { sandbox, practiceNews, now } = ports;
  return {
    async movePrice({ principal, body }) {
      const { contract } = await subjectOf(ports, principal, body.symbol);
      const { market, symbol } = contract;
      const at = millis(now());
      const endsAt = millis(at + body.seconds * SECOND_MS);
      await sandbox.move({ market, ppm: shiftOf(body.change), endsAt }, at);
      practiceNews.add({ account: principal.account, contract, action: 'MOVE_PRICE', change: body.change, endsAt });
      return { symbol, change: body.change, endsAt };
    },
    async forceFunding({ principal, body, caller }) {
      const { contract } = await subjectOf(ports, principal, body.symbol);
      const { seq, settled } = await settle(ports, contract);
      caller.committed(seq);
      practiceNews.add({ account: principal.account, contract, action: 'FORCE_FUNDING' });
      return fundingText(contract, settled);
    },
    async skipHour({ principal, body, caller }) {
      const { contract } = await subjectOf(ports, principal, body.symbol);
      const { seq, settled } = await settle(ports, contract);
      caller.committed(seq);
      practiceNews.add({ account: principal.account, contract, action: 'SKIP_HOUR' });
      return fundingText(contract, settled);
    },
  };
}

/** What a tester does with an order, a position and money of their own. */
function positionHandlers(ports: SandboxPorts): Pick<SandboxHandlers, 'fillMyOrder' | 'liquidateMe' | 'grantPractice'> {
  const hunts = new Hunts(ports);
  return {
    fillMyOrder: ({ principal, body, caller }) => fillByHouse(ports, principal, body, caller),
    liquidateMe: ({ principal, body }) => beginHunt(ports, hunts, principal, body),
    async grantPractice({ principal, caller }) {
      const { desk, floor, now } = ports;
      await refuseWithoutTerms(ports, principal);
      const day = dayOf(millis(now()));
      const { seq, events } = await desk.give({ type: 'GrantPractice', account: principal.account, day });
      caller.committed(seq);
      const granted = events.find((event) => event.type === 'PracticeGranted');
      const practice = floor.contracts.contracts().find(({ contract }) => isPracticeContract(contract))?.contract;
      if (practice === undefined) throw new ApiError('NotNow');
      const { code, decimals } = settleOf(floor, practice);
      const amount = printAtoms(granted?.amount ?? NO_ATOMS, decimals);
      return { coin: code, amount, isRepeated: granted === undefined, nextTime: millis(day + DAY_MS) };
    },
  };
}

/** The contract of a symbol, if testers may act on it; the caller has accepted the terms. */
async function subjectOf(ports: SandboxPorts, principal: Principal, symbol: string): Promise<ListedContract> {
  const { floor, sandbox } = ports;
  await refuseWithoutTerms(ports, principal);
  const listed = contractNamed(floor, symbol);
  refuseOthers(sandbox, listed.contract, 'symbol');
  return listed;
}

async function settle({ desk, now }: SandboxPorts, { market }: Contract): Promise<Settled> {
  const { seq, events } = await desk.give({ type: 'ForceFunding', market, interval: millis(now()) }, FIELDS);
  const settled = events.find((event) => event.type === 'FundingSettled');
  // Another caller has settled the same millisecond.
  if (settled === undefined) throw new ApiError('NotNow', { retryAfterSeconds: 1 });
  return { seq, settled };
}

type Call<Name extends keyof SandboxHandlers> = Parameters<SandboxHandlers[Name]>[0];

async function fillByHouse(
  ports: SandboxPorts,
  principal: Principal,
  body: Call<'fillMyOrder'>['body'],
  caller: Call<'fillMyOrder'>['caller'],
) {
  const { desk, floor, sandbox } = ports;
  await refuseWithoutTerms(ports, principal);
  const orderId = orderIdOf(body.orderId);
  const state = await desk.own(principal.account, orderId, 'orderId');
  const listed = floor.listedContract(state.order.market);
  refuseOthers(sandbox, listed.contract, 'orderId');
  if (isWaiting(state))
    throw new ApiError('InvalidCombination', { field: 'orderId', message: 'only an order that rests in the book is filled' });
  const isPractice = isPracticeContract(listed.contract);
  if (isPractice) refuseFarFromMark(listed, state);
  const { symbol, pricePrecision, sizePrecision } = listed.contract;
  const taking = placeContractOrder(floor, await sandbox.house(isPractice ? 'practice' : 'others'), {
    symbol,
    orderSide: state.order.side === 'buy' ? 'SELL' : 'BUY',
    orderType: 'LIMIT',
    timeInForce: 'IOC',
    price: printTicks(state.order.price, pricePrecision),
    origQty: printLots(sizeUpTo(floor, listed, state), sizePrecision),
  });
  const { seq, events } = await desk.give(taking);
  caller.committed(seq);
  const filled = events.reduce((sum, event) => sum + (event.type === 'Trade' && event.makerOrderId === orderId ? event.size : 0), 0);
  const isFilled = events.some((event) => event.type === 'OrderClosed' && event.orderId === orderId && event.reason === 'filled');
  return { orderId: body.orderId, filledQty: printLots(lots(filled), sizePrecision), isFilled };
}

async function beginHunt(ports: SandboxPorts, hunts: Hunts, principal: Principal, body: Call<'liquidateMe'>['body']) {
  const { desk, floor, practiceNews } = ports;
  const { contract, index } = await subjectOf(ports, principal, body.symbol);
  await desk.upToDate();
  const { account } = principal;
  const place = { account, market: contract.market, positionSide: POSITION_SIDES[body.positionSide ?? 'BOTH'] };
  const position = floor.positions.get(place);
  if (position === undefined) throw new ApiError('UnknownPosition', { field: 'symbol' });
  const figures = marginFigures(floor, { account, group: marginGroupOf(contract), settle: contract.settle });
  const own = figures?.positions.find((each) => each.position === position);
  if (figures === undefined || own === undefined) throw new ApiError('NotNow', { retryAfterSeconds: 3 });
  const liquidationPrice = liquidationPriceOf(own, figures);
  const { ppm, endsAt } = await hunts.begin({ place, isLong: position.size > 0, liquidationPrice, indexPrice: index });
  const change = printDecimal(BigInt(ppm), PPM_DECIMALS);
  practiceNews.add({ account, contract, action: 'LIQUIDATE_ME', change, endsAt });
  return {
    symbol: contract.symbol,
    positionSide: POSITION_SIDE_NAMES[place.positionSide],
    liquidationPrice: printTicks(liquidationPrice, contract.pricePrecision),
    change,
    endsAt,
  };
}

interface Settled {
  readonly seq: Awaited<ReturnType<FuturesDesk['give']>>['seq'];
  readonly settled: FundingSettled;
}

function fundingText({ symbol, pricePrecision }: Contract, { ratePpb, price, interval }: FundingSettled) {
  return { symbol, fundingRate: ppbRatio(ratePpb), price: printTicks(price, pricePrecision), createdTime: interval };
}

/** A view that is behind is waited for: the terms may have been accepted at another gateway a moment ago. */
async function refuseWithoutTerms({ floor, desk }: SandboxPorts, { account }: Principal): Promise<void> {
  const hasAccepted = (): boolean => floor.accounts.account(account)?.flags.termsAccepted === true;
  if (hasAccepted()) return;
  await desk.upToDate();
  if (!hasAccepted()) throw new ApiError('TermsNotAccepted', { field: 'account' });
}

/** Real money is never a tester's to move. */
function refuseOthers({ scope }: Sandbox, contract: Contract, field: string): void {
  if (scope === 'practice' && !isPracticeContract(contract)) throw new ApiError('PracticeOnly', { field });
}

function refuseFarFromMark({ mark }: ListedContract, { order }: OrderState): void {
  const [price, at] = [bigintOf(order.price), bigintOf(mark)];
  const away = price > at ? price - at : at - price;
  if (at === 0n || away * BigInt(MILLION) > at * BigInt(FILL_BAND_PPM))
    throw new ApiError('PriceOutOfBand', { field: 'orderId', message: 'the house fills orders within 1 % of the mark price' });
}

/** Millionths. */
function shiftOf(change: string): number {
  const size = parseDecimal(change.replace('-', ''), PPM_DECIMALS);
  if (size === undefined || size > MOVE_MAX_PPM)
    throw new ApiError('MalformedField', { field: 'change', message: 'change must be from -0.5 to 0.5' });
  return change.startsWith('-') ? -Number(size) : Number(size);
}

/** What stands in the book up to and with the price of the order: what is before it has priority. */
function sizeUpTo(floor: Floor, { contract: { market } }: ListedContract, { order, remaining }: OrderState): Lots {
  const { bids, asks } = floor.depth(market).snapshot(DEPTH_LEVELS_MAX);
  const isBuy = order.side === 'buy';
  const before = (isBuy ? bids : asks).filter(({ price }) => (isBuy ? price >= order.price : price <= order.price));
  return lots(
    Math.max(
      remaining,
      before.reduce((sum, { size }) => sum + size, 0),
    ),
  );
}

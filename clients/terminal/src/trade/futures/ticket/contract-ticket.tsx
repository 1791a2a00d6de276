/** The ticket of a contract: says what would be sent and what it would do to the position, and sends it. */
import type { MarginAccount, Position } from '@orrery/api';
import { isWorse, MOST_SLACK_PPM, worseBy } from '@orrery/rules';
import { midTicks, NO_LOTS, NO_TICKS, printTicks } from '@orrery/units';
import type { Ticks } from '@orrery/units';
import { useEffect, useRef, useState } from 'react';
import type { FormEvent, ReactElement } from 'react';
import { useText } from '../../../kit/i18n/text.tsx';
import { useOnce } from '../../../platform/session/use-once.ts';
import type { Once } from '../../../platform/session/use-once.ts';
import { useSettings } from '../../../kit/settings/settings.ts';
import { useFormat } from '../../../kit/settings/use-format.ts';
import { randomHex } from '../../../kit/storage/random-hex.ts';
import { Button } from '../../../kit/ui/button.tsx';
import { lazyDialog, openDialog } from '../../../kit/ui/dialogs.tsx';
import type { Dialogue } from '../../../kit/ui/dialogs.tsx';
import { Segmented } from '../../../kit/ui/radio-group.tsx';
import { TabPanel, Tabs } from '../../../kit/ui/tabs.tsx';
import { showSuccess } from '../../../kit/ui/toast.ts';
import { unlessAnnounced, wasAnnounced } from '../../shared/orders/announced-orders.ts';
import { SideSwitch } from '../../shared/ticket/side-switch.tsx';
import { useAccountInView } from '../../../platform/session/session.ts';
import { TicketEnd } from '../../shared/ticket/ticket-end.tsx';
import { useMayOrder } from '../../shared/ticket/ticket-gate.tsx';
import { useContractPositions, useMarginAccount, usePositions } from '../account.ts';
import type { ContractMarket } from '../../../market/contract-market.ts';
import { shownPair } from '../../../market/market.ts';
import { useContract } from '../../../market/use-contracts.ts';
import { MarginLine } from '../positions/margin-line.tsx';
import { holdingOf, signedAtoms } from '../positions/position-holding.ts';
import type { Room } from './contract-share.ts';
import { ContractShares } from './contract-shares.tsx';
import type { ContractContext, ContractDraft, ContractIssues, ContractReading } from './contract-draft.ts';
import { isReducing, readContract } from './contract-draft.ts';
import { CONTRACT_TABS, positionSideOf, takesPrice } from './contract-form.ts';
import type { ContractForm } from './contract-form.ts';
import type { ConfirmContractProps } from './confirm-contract.tsx';
import { ContractFields } from './contract-fields.tsx';
import type { PartProps } from './contract-fields.tsx';
import { ContractReceipt } from './contract-receipt.tsx';
import { editContract, prefillContract, useContractForm } from './contract-tickets.ts';
import { isContractKnown, openContractOrders, sendContract } from './open-contract-orders.ts';
import { useContractContext } from './use-contract-context.ts';

const ConfirmContract = lazyDialog(async () => (await import('./confirm-contract.tsx')).ConfirmContract);
const ContractScaleDialog = lazyDialog(async () => (await import('./contract-scale-dialog.tsx')).ContractScaleDialog);

const ID_BYTES = 16;

/** What is wrong with each field, in words. */
function useErrors(issues: ContractIssues): PartProps['errors'] {
  const text = useText();
  return Object.fromEntries(Object.entries(issues).map(([field, issue]) => [field, text(issue.message, issue.values)]));
}

function useOrderWords(): (draft: ContractDraft) => string {
  const text = useText();
  const format = useFormat();
  const { sizeName, accountKind, wire } = useContract();
  // Contracts are of something: their unit does not say of what.
  const coin = accountKind === 'uBased' ? sizeName : text('futures.unit.of', { unit: sizeName, symbol: shownPair(wire) });
  return ({ name, body }) => {
    const size = format.number(body.origQty);
    return text(`futures.done.${name}`, {
      side: text(body.orderSide === 'BUY' ? 'trade.buy' : 'trade.sell'),
      size: 'max' in body ? text('trade.ticket.upTo', { size }) : size,
      coin,
    });
  };
}

/** An order is sent under an id made once; an answer that was lost is looked for by it. */
function useSending({ symbol, wire }: ContractMarket, words: (draft: ContractDraft) => string): Once<ContractDraft> {
  return useOnce<ContractDraft>({
    intents: openContractOrders,
    isMine: ({ body }) => body.symbol === wire,
    newId: () => randomHex(ID_BYTES),
    send: sendContract,
    find: isContractKnown,
    onDone(draft, clientOrderId) {
      // What protects an order was written for its price.
      editContract(symbol, { size: '', most: '', takeProfit: '', stopLoss: '' });
      const say = (): void => showSuccess('trade.done.placed', { detail: words(draft) });
      const isAtMarket = draft.name === 'createFuturesOrder' && draft.body.orderType === 'MARKET';
      if (isAtMarket) unlessAnnounced(clientOrderId, say);
      else if (!wasAnnounced(clientOrderId)) say();
    },
  });
}

type Question = Omit<ConfirmContractProps, keyof Dialogue<true>>;

/** One question at a time: the ticket may be sent again before its dialog has the focus. */
function useQuestion(): (question: Question) => Promise<boolean> {
  const isAsking = useRef(false);
  return async (question) => {
    if (isAsking.current) return false;
    isAsking.current = true;
    const answer = await openDialog(ConfirmContract, question);
    isAsking.current = false;
    return answer === true;
  };
}

/** What was left empty is only said once the person tried to send. */
const missing = (form: ContractForm): ContractIssues => ({
  ...(form.size === '' && { size: { message: 'trade.issue.missingSize' } }),
  ...(takesPrice(form) && form.price === '' && { price: { message: 'trade.issue.missingPrice' } }),
  ...(form.tab === 'trigger' && form.trigger === '' && { trigger: { message: 'trade.issue.missingTrigger' } }),
  ...(form.tab === 'trailing' && form.callback === '' && { callback: { message: 'trade.issue.missing' } }),
});

const isOf = (positionSide: Position['positionSide']) => (position: Position) => position.positionSide === positionSide;

interface RoomParts extends Pick<PartProps, 'form' | 'context' | 'reading'> {
  readonly position: Position | undefined;
  readonly account: MarginAccount | undefined;
}

/** Before a price is typed, the mark price. At the market a bit worse than the mark and the best price, which move until the order is there. */
function roomPrice({ tab, side }: ContractForm, { mark }: ContractContext, { price }: ContractReading): Ticks {
  if (price === NO_TICKS) return mark;
  if (tab !== 'market') return price;
  return worseBy(mark !== NO_TICKS && isWorse(mark, price, side) ? mark : price, MOST_SLACK_PPM, side);
}

/** What a share of the size is a share of. */
function roomOf({ form, context, reading, position, account }: RoomParts): Room {
  const { market, mode } = context;
  const held = position === undefined ? undefined : holdingOf(position, market);
  const isOther = held !== undefined && (held.direction === 'long') === (form.side === 'sell');
  return {
    market,
    price: roomPrice(form, context, reading),
    mark: context.mark === NO_TICKS ? NO_TICKS : worseBy(context.mark, MOST_SLACK_PPM, form.side === 'buy' ? 'sell' : 'buy'),
    side: form.side,
    leverage: position?.leverage ?? market.info.initLeverage,
    available: signedAtoms(account?.availableBalance, market.settleDecimals),
    closes: isOther ? held.size : NO_LOTS,
    isReducing: isReducing(form, mode),
  };
}

/** In hedge mode a buy closes the short position, and a sell the long one. */
const CLOSES = { buy: 'futures.close.short', sell: 'futures.close.long' } as const;

/** In hedge mode: whether the order opens a position or closes one. */
function Aim({ form, set }: PartProps): ReactElement {
  const text = useText();
  return (
    <Segmented
      label={text('futures.ticket.aim')}
      size="small"
      value={form.aim}
      choices={(['open', 'close'] as const).map((value) => ({ value, label: text(`futures.ticket.${value}`) }))}
      onChange={(aim) => set({ aim })}
    />
  );
}

/** The price starts at the middle of the market, once for each account and each time a contract comes into view. */
function usePrefill({ market, bestBid, bestAsk }: ContractContext): void {
  const owner = useAccountInView() ?? '';
  const filled = useRef<string>(undefined);
  useEffect(() => {
    if (filled.current === owner || bestBid === NO_TICKS || bestAsk === NO_TICKS) return;
    filled.current = owner;
    prefillContract(market.symbol, printTicks(midTicks(bestBid, bestAsk), market.pricePrecision));
  }, [owner, market, bestBid, bestAsk]);
}

function TicketBody({ market }: { readonly market: ContractMarket }): ReactElement {
  const text = useText();
  const form = useContractForm(market.symbol);
  const legs = useContractPositions(market);
  const positions = usePositions().value;
  const account = useMarginAccount(market);
  const mode = account?.positionMode ?? 'ONE_WAY';
  const context = useContractContext(market, mode);
  usePrefill(context);
  const mayOrder = useMayOrder();
  const [isTried, setTried] = useState(false);
  const words = useOrderWords();
  const asksFirst = useSettings((settings) => (form.tab === 'market' ? settings.confirmMarketOrders : settings.confirmLimitOrders));
  const reading = readContract(form, context);
  const errors = useErrors({ ...(isTried && missing(form)), ...reading.issues });
  const once = useSending(market, words);
  const isConfirmed = useQuestion();
  const send = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const { draft } = reading;
    setTried(draft === undefined);
    if (!mayOrder || draft === undefined) return;
    if (asksFirst && !(await isConfirmed({ market, mode, form, draft, words: words(draft) }))) return;
    // What was refused has been said in a toast; with another account in view nothing is sent.
    await once.submit(draft).catch(() => undefined);
  };
  const set = (part: Partial<ContractForm>): void => editContract(market.symbol, part);
  const position = legs?.find(isOf(positionSideOf(form, mode)));
  const isClosing = mode === 'HEDGE' && form.aim === 'close';
  const part = { form, set, context, errors, reading };
  const room = roomOf({ form, context, reading, position, account });
  return (
    <form onSubmit={(event) => void send(event)} aria-label={text('trade.ticket.title')} className="p-2.5">
      <fieldset disabled={once.phase !== 'idle'} className="flex min-w-0 flex-col gap-2.5">
        <MarginLine market={market} mode={mode} position={position ?? legs?.[0]} />
        {mode === 'HEDGE' && <Aim {...part} />}
        <SideSwitch side={form.side} onChange={(side) => set({ side })} names={isClosing ? CLOSES : undefined} />
        <ContractFields {...part} />
        <ContractShares room={room} unit={context.unit} size={reading.size} onSize={set} />
        <ContractReceipt {...{ market, reading, position, account, legs, positions }} mark={context.mark} />
        {once.phase !== 'unanswered' && mayOrder && (
          <Button
            type="submit"
            kind={form.side === 'buy' ? 'up' : 'down'}
            size="large"
            busy={once.phase === 'sending'}
            disabled={market.state !== 'TRADING'}
            className="w-full"
          >
            {isClosing
              ? text(CLOSES[form.side])
              : text(form.side === 'buy' ? 'trade.ticket.submitPlainBuy' : 'trade.ticket.submitPlainSell', { coin: market.tradedName })}
          </Button>
        )}
      </fieldset>
      <TicketEnd once={once} words={words} mayOrder={mayOrder} />
      {form.tab === 'limit' && mayOrder && once.phase === 'idle' && (
        <Button size="small" kind="quiet" className="mt-1.5 w-full" onClick={() => void openDialog(ContractScaleDialog, { context })}>
          {text('trade.ticket.scale')}
        </Button>
      )}
    </form>
  );
}

export function ContractTicket(): ReactElement {
  const text = useText();
  const market = useContract();
  const { tab } = useContractForm(market.symbol);
  const names = {
    limit: 'trade.ticket.limit',
    market: 'trade.ticket.market',
    trigger: 'futures.ticket.triggerTab',
    trailing: 'futures.ticket.trailingTab',
    twap: 'futures.ticket.twap',
  } as const;
  return (
    <Tabs
      className="shrink-0"
      panel={text('trade.panel.ticket')}
      tabs={CONTRACT_TABS.map((id) => ({ id, label: text(names[id]) }))}
      value={tab}
      label={text('trade.ticket.type')}
      onChange={(next) => editContract(market.symbol, { tab: next })}
    >
      <TabPanel id={tab}>
        <TicketBody key={market.symbol} market={market} />
      </TabPanel>
    </Tabs>
  );
}

/** Confirm Order of a contract: what is about to be sent, and what it is expected to do by the book and the account as they are now. */
import { initialMargin, unrealizedProfit } from '@orrery/rules';
import { NO_ATOMS, NO_TICKS, subtractAtoms } from '@orrery/units';
import type { Atoms, Ticks } from '@orrery/units';
import type { ReactElement } from 'react';
import { useText } from '../../../kit/i18n/text.tsx';
import { useFormat } from '../../../kit/settings/use-format.ts';
import { Button } from '../../../kit/ui/button.tsx';
import { Dialog } from '../../../kit/ui/dialog.tsx';
import type { Dialogue } from '../../../kit/ui/dialogs.tsx';
import type { ContractMarket } from '../../../market/contract-market.ts';
import { useNumbers } from '../../../market/use-numbers.ts';
import { useContractPositions, useMarginAccount, usePositions } from '../account.ts';
import { FigureLine } from '../positions/figure-line.tsx';
import { holdingOf, signedAtoms } from '../positions/position-holding.ts';
import { marginNeeded, openedBy } from '../positions/projection.ts';
import { useSettleText } from '../positions/use-settle-text.ts';
import { WalkWords } from '../positions/walk-words.tsx';
import { isReducing, readContract } from './contract-draft.ts';
import type { ContractContext, ContractDraft, ContractReading } from './contract-draft.ts';
import { positionSideOf } from './contract-form.ts';
import type { ContractForm } from './contract-form.ts';
import { CostFigures, PositionFigures } from './contract-receipt.tsx';
import type { ReceiptProps } from './contract-receipt.tsx';
import { useContractContext } from './use-contract-context.ts';

export interface ConfirmContractProps extends Dialogue<true> {
  readonly market: ContractMarket;
  readonly mode: ContractContext['mode'];
  readonly form: ContractForm;
  /** As it will be sent. */
  readonly draft: ContractDraft;
  /** The order in one line. */
  readonly words: string;
}

/** The ticket as it was, with the size and the triggers that are sent: what was typed as a value or in per cent does not move any more. */
function settled(form: ContractForm, { name, body }: ContractDraft): ContractForm {
  const protects = name === 'createFuturesOrder' ? body : undefined;
  return {
    ...form,
    size: body.origQty ?? '',
    protectionMode: 'price',
    takeProfit: protects?.triggerProfitPrice ?? '',
    stopLoss: protects?.triggerStopPrice ?? '',
  };
}

function useKind({ market, form, draft }: ConfirmContractProps): string {
  const text = useText();
  const isOnlyReducing = draft.body.reduceOnly === true;
  const kind = (): string => {
    switch (draft.name) {
      case 'createTwap':
        return text('orderForm.twap', { minutes: draft.body.minutes });
      case 'createPlan':
        return text(`futures.entrust.${draft.body.entrustType}`);
      case 'createFuturesOrder':
        if (draft.body.orderType === 'MARKET') return text('trade.ticket.market');
        return `${text('trade.ticket.limit')} · ${text(form.postOnly === 'on' ? 'trade.ticket.postOnly' : `trade.ticket.${form.timeInForce}`)}`;
    }
  };
  return [kind(), isOnlyReducing ? text('futures.ticket.reduceOnly') : '', market.wire.replace('_', '/')]
    .filter((part) => part !== '')
    .join(' · ');
}

/** The prices that the order itself has. */
function OwnPrices({ market, form, draft }: ConfirmContractProps): ReactElement {
  const text = useText();
  const format = useFormat();
  const priced = (price: string): string => `${format.number(price, { decimals: market.pricePrecision })} ${market.quoteName}`;
  const price = draft.name === 'createTwap' ? undefined : draft.body.price;
  const trigger = draft.name === 'createPlan' ? draft.body.stopPrice : undefined;
  const callback = draft.name === 'createPlan' ? draft.body.callbackRate : undefined;
  return (
    <>
      {trigger !== undefined && (
        <FigureLine name={`${text('confirm.trigger')} (${text(`futures.price.${form.triggeredBy}`)})`}>{priced(trigger)}</FigureLine>
      )}
      {callback !== undefined && (
        <FigureLine
          name={`${text('orderForm.callback')} (${text(`futures.price.${form.triggeredBy}`)})`}
        >{`${format.number(form.callback)}%`}</FigureLine>
      )}
      {price !== undefined && <FigureLine name={text('confirm.price')}>{priced(price)}</FigureLine>}
    </>
  );
}

/** What the order takes from the available money. */
function Money({ market, reading, position, mark, account, reduces }: ReceiptProps & { readonly reduces: boolean }): ReactElement {
  const text = useText();
  const say = useSettleText(market);
  const leverage = position?.leverage ?? market.info.initLeverage;
  const type = position?.positionType ?? market.info.initPositionType;
  const held = position && holdingOf(position, market);
  const { takerFeePpm } = market.terms;
  const needed = (): Atoms | undefined => {
    if (reading.trade === undefined) return undefined;
    return reduces ? NO_ATOMS : marginNeeded(held, reading.trade, { leverage, takerFeePpm, mark, terms: market.margin });
  };
  const need = needed();
  const available = account?.availableBalance == null ? undefined : signedAtoms(account.availableBalance, market.settleDecimals);
  return (
    <>
      <FigureLine
        name={text('futures.leverage.label')}
      >{`${text('futures.margin.leverage', { leverage })} ${text(`futures.margin.${type}`)}`}</FigureLine>
      <FigureLine name={text('orderForm.needed')}>{say.money(need)}</FigureLine>
      <FigureLine name={text('orderForm.availableAfter')}>
        {say.money(available === undefined || need === undefined ? undefined : subtractAtoms(available, need))}
      </FigureLine>
    </>
  );
}

/** What protects what the order opens, with what it would bring. */
function Protection({ market, reading, position }: ReceiptProps): ReactElement | null {
  const text = useText();
  const numbers = useNumbers(market);
  const say = useSettleText(market);
  const { trade, profit, stop } = reading;
  const opened = trade && openedBy(position && holdingOf(position, market), trade, market.margin);
  const leverage = position?.leverage ?? market.info.initLeverage;
  const line = (name: 'takeProfit' | 'stopLoss', trigger: Ticks): ReactElement | null =>
    trigger === NO_TICKS ? null : (
      <FigureLine name={text('futures.ticket.protectedAt', { name: text(`futures.ticket.${name}`), price: numbers.price(trigger) })}>
        {say.profit(opened && unrealizedProfit(opened, trigger, market.margin), opened && initialMargin(opened.cost, leverage))}
      </FigureLine>
    );
  return (
    <>
      {line('takeProfit', profit)}
      {line('stopLoss', stop)}
    </>
  );
}

function useReadingNow({ market, mode, form, draft }: ConfirmContractProps): ContractReading & { readonly mark: Ticks } {
  const context = useContractContext(market, mode);
  return { ...readContract(settled(form, draft), { ...context, unit: market.units[0] }), mark: context.mark };
}

export function ConfirmContract(props: ConfirmContractProps): ReactElement {
  const { market, mode, form, draft, words, resolve, close } = props;
  const text = useText();
  const { mark, ...reading } = useReadingNow(props);
  const legs = useContractPositions(market);
  const positions = usePositions().value;
  const account = useMarginAccount(market);
  const side = positionSideOf(form, mode);
  const position = legs?.find(({ positionSide }) => positionSide === side);
  const held = { market, reading, position, mark, legs, positions, account };
  const isBuy = draft.body.orderSide === 'BUY';
  const walk = reading.expected?.walk;
  const footer = (
    <>
      <Button size="large" onClick={close}>
        {text('ui.cancel')}
      </Button>
      <Button kind={isBuy ? 'up' : 'down'} size="large" autoFocus onClick={() => resolve(true)}>
        {text('confirm.confirm')}
      </Button>
    </>
  );
  return (
    <Dialog open onClose={close} onEscape={close} width="narrow" title={text('confirm.title')} description={useKind(props)} footer={footer}>
      <div className="flex flex-col gap-3">
        <p className={`text-lg font-semibold ${isBuy ? 'text-up' : 'text-down'}`}>{words}</p>
        <dl className="flex flex-col gap-1.5 text-sm">
          <OwnPrices {...props} />
          <CostFigures {...held} />
          <Money {...held} reduces={isReducing(form, mode)} />
          <PositionFigures {...held} />
          <Protection {...held} />
        </dl>
        {walk !== undefined && reading.expected !== undefined && <WalkWords market={market} walk={walk} rests={reading.expected.rests} />}
      </div>
    </Dialog>
  );
}

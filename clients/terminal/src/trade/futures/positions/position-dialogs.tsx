/** What can be done to a position: close it, protect it, give it margin or take it back. */
import type { Position } from '@orrery/api';
import { compareDecimals } from '../../../kit/format/decimal.ts';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useText } from '../../../kit/i18n/text.tsx';
import { useFormat } from '../../../kit/settings/use-format.ts';
import { randomHex } from '../../../kit/storage/random-hex.ts';
import { Dialog } from '../../../kit/ui/dialog.tsx';
import type { Dialogue } from '../../../kit/ui/dialogs.tsx';
import { NumberField } from '../../../kit/ui/number-field.tsx';
import { Notice } from '../../../kit/ui/notice.tsx';
import { Segmented } from '../../../kit/ui/radio-group.tsx';
import { Switch } from '../../../kit/ui/switch.tsx';
import { showSuccess } from '../../../kit/ui/toast.ts';
import { canonical } from '../../shared/ticket/ticket-text.ts';
import { change } from '../account.ts';
import type { ContractMarket } from '../../../market/contract-market.ts';
import { SendButton } from './margin-dialogs.tsx';
import { absolute, directionOf } from './position-holding.ts';
import { useActor } from '../../../kit/storage/account-in-view.ts';

interface OfPosition {
  readonly market: ContractMarket;
  readonly position: Position;
}

const ID_BYTES = 16;
/** Made once for a dialog: sent again it does nothing. */
const useKey = (): string => useState(() => randomHex(ID_BYTES))[0];

const closingSide = (position: Position): 'BUY' | 'SELL' => (directionOf(position) === 'long' ? 'SELL' : 'BUY');

export function CloseDialog({ market, position, resolve, close }: Dialogue<true> & OfPosition): ReactElement {
  const text = useText();
  const by = useActor();
  const format = useFormat();
  const whole = absolute(position.positionSize);
  const [type, setType] = useState<'market' | 'limit'>('market');
  const [price, setPrice] = useState(position.markPrice ?? '');
  const [size, setSize] = useState(whole);
  const clientOrderId = useKey();
  const isTooMuch = size !== '' && compareDecimals(canonical(size), whole) > 0;
  const isReady = size !== '' && !isTooMuch && compareDecimals(canonical(size), '0') > 0 && (type === 'market' || price !== '');
  const send = (): Promise<unknown> =>
    change(
      'createFuturesOrder',
      {
        symbol: market.wire,
        orderSide: closingSide(position),
        positionSide: position.positionSide,
        orderType: type === 'market' ? 'MARKET' : 'LIMIT',
        origQty: canonical(size),
        unit: market.margin.payoff === 'linear' ? 'COIN' : 'SHEET',
        ...(position.positionSide === 'BOTH' && { reduceOnly: true }),
        ...(type === 'limit' && { price: canonical(price) }),
        clientOrderId,
      },
      by,
    );
  return (
    <Dialog
      open
      onClose={close}
      width="narrow"
      title={text('futures.close.title')}
      description={`${position.symbol.replace('_', '/')} · ${text(`futures.direction.${directionOf(position)}`)} ${position.leverage}×`}
      footer={
        <SendButton
          label={text('futures.close.submit', { size: format.number(size === '' ? undefined : canonical(size)), coin: market.baseName })}
          disabled={!isReady}
          onSend={send}
          onDone={() => resolve(true)}
        />
      }
    >
      <div className="flex flex-col gap-3">
        <Segmented
          label={text('trade.ticket.type')}
          value={type}
          choices={(['market', 'limit'] as const).map((value) => ({ value, label: text(`trade.ticket.${value}`) }))}
          onChange={setType}
        />
        {type === 'limit' && <NumberField label={text('trade.price')} value={price} onChange={setPrice} />}
        <NumberField
          label={text('trade.size')}
          value={size}
          onChange={setSize}
          hint={text('futures.close.whole', { size: format.number(whole), coin: market.baseName })}
          error={isTooMuch ? text('futures.close.tooMuch') : undefined}
        />
      </div>
    </Dialog>
  );
}

export function ProtectDialog({
  market,
  position,
  profit = '',
  stop = '',
  resolve,
  close,
}: Dialogue<true> & OfPosition & { readonly profit?: string; readonly stop?: string }): ReactElement {
  const text = useText();
  const by = useActor();
  const format = useFormat();
  const [takeProfit, setTakeProfit] = useState(profit);
  const [stopLoss, setStopLoss] = useState(stop);
  const whole = absolute(position.positionSize);
  const [size, setSize] = useState('');
  const isReady = takeProfit !== '' || stopLoss !== '';
  const send = async (): Promise<void> => {
    const answers = await change(
      'createProfitStop',
      {
        symbol: market.wire,
        positionSide: position.positionSide,
        ...(takeProfit !== '' && { triggerProfitPrice: canonical(takeProfit) }),
        ...(stopLoss !== '' && { triggerStopPrice: canonical(stopLoss) }),
        ...(size !== '' && { origQty: canonical(size), unit: market.margin.payoff === 'linear' ? ('COIN' as const) : ('SHEET' as const) }),
      },
      by,
    );
    const refused = answers.find(({ code }) => code !== 0);
    if (refused === undefined) return;
    setProblem(refused.msg);
    throw new Error(refused.msg);
  };
  const [problem, setProblem] = useState<string>();
  return (
    <Dialog
      open
      onClose={close}
      width="narrow"
      title={text('futures.protect.title')}
      description={text('futures.protect.lead', {
        symbol: position.symbol.replace('_', '/'),
        price: format.number(position.markPrice ?? undefined),
      })}
      footer={<SendButton label={text('futures.protect.submit')} disabled={!isReady} onSend={send} onDone={() => resolve(true)} />}
    >
      <div className="flex flex-col gap-3">
        <NumberField label={text('futures.ticket.takeProfit')} value={takeProfit} onChange={setTakeProfit} />
        <NumberField label={text('futures.ticket.stopLoss')} value={stopLoss} onChange={setStopLoss} />
        <NumberField
          label={text('futures.protect.size')}
          value={size}
          onChange={setSize}
          hint={text('futures.protect.sizeHint', { size: format.number(whole), coin: market.baseName })}
        />
        {problem !== undefined && <Notice tone="error">{problem}</Notice>}
      </div>
    </Dialog>
  );
}

export function MarginDialog({ market, position, resolve, close }: Dialogue<true> & OfPosition): ReactElement {
  const text = useText();
  const by = useActor();
  const format = useFormat();
  const [type, setType] = useState<'ADD' | 'SUB'>('ADD');
  const [amount, setAmount] = useState('');
  const [autoMargin, setAuto] = useState(position.autoMargin);
  const key = useKey();
  const { wire: symbol, settleName } = market;
  const { positionSide } = position;
  const toggle = (next: boolean): void => {
    setAuto(next);
    change('setAutoMargin', { symbol, positionSide, autoMargin: next }, by).catch(() => setAuto(!next));
  };
  return (
    <Dialog
      open
      onClose={close}
      width="narrow"
      title={text('futures.adjust.title')}
      description={text('futures.adjust.lead', { amount: format.own(position.isolatedMargin), coin: settleName })}
      footer={
        <SendButton
          label={text(`futures.adjust.${type}`)}
          disabled={amount === '' || compareDecimals(canonical(amount), '0') <= 0}
          onSend={() => change('adjustPositionMargin', { symbol, positionSide, margin: canonical(amount), type, key }, by)}
          onDone={() => resolve(true)}
        />
      }
    >
      <div className="flex flex-col gap-3">
        <Segmented
          label={text('futures.adjust.title')}
          value={type}
          choices={(['ADD', 'SUB'] as const).map((value) => ({ value, label: text(`futures.adjust.${value}`) }))}
          onChange={setType}
        />
        <NumberField label={text('futures.adjust.amount', { coin: settleName })} value={amount} onChange={setAmount} />
        <div className="flex items-start gap-3">
          <Switch label={text('futures.adjust.auto')} value={autoMargin} onChange={toggle} />
          <p className="text-sm text-fg2">{text('futures.adjust.autoHint')}</p>
        </div>
      </div>
    </Dialog>
  );
}

/** F3: both ways of closing everything, in the words of the specification. */
export function CloseAllDialog({ resolve, close }: Dialogue<true>): ReactElement {
  const text = useText();
  const by = useActor();
  const [mode, setMode] = useState<'MARKET' | 'LIMIT_AT_MID'>('MARKET');
  const key = useKey();
  return (
    <Dialog
      open
      onClose={close}
      width="narrow"
      title={text('futures.closeAll.title')}
      footer={
        <SendButton
          label={text(`futures.closeAll.${mode}`)}
          onSend={() => change('closeAllPositions', { contractType: 'PERPETUAL', mode, key }, by)}
          onDone={() => {
            showSuccess('futures.closeAll.done');
            resolve(true);
          }}
        />
      }
    >
      <div className="flex flex-col gap-3">
        <p className="text-fg2">{text('futures.closeAll.lead')}</p>
        <Segmented
          label={text('futures.closeAll.how')}
          value={mode}
          choices={(['MARKET', 'LIMIT_AT_MID'] as const).map((value) => ({ value, label: text(`futures.closeAll.by.${value}`) }))}
          onChange={setMode}
        />
      </div>
    </Dialog>
  );
}

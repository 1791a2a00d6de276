/** The ticket of a contract: says what would be sent and what it would do to the position, and sends it. */
import type { Position } from '@orrery/api';
import { parseTicks, printTicks, stepTicks } from '@orrery/units';
import { useState } from 'react';
import type { FormEvent, ReactElement } from 'react';
import { useText } from '../../../i18n/text.tsx';
import type { MessageId } from '../../../i18n/catalog.ts';
import { useOnce } from '../../../session/use-once.ts';
import type { Once } from '../../../session/use-once.ts';
import { useSettings } from '../../../settings/settings.ts';
import { useFormat } from '../../../settings/use-format.ts';
import { randomHex } from '../../../storage/random-hex.ts';
import { Button } from '../../../ui/button.tsx';
import { Checkbox } from '../../../ui/checkbox.tsx';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { openDialog } from '../../../ui/dialogs.tsx';
import { Segmented } from '../../../ui/radio-group.tsx';
import { Select } from '../../../ui/select.tsx';
import { TabPanel, Tabs } from '../../../ui/tabs.tsx';
import { showSuccess } from '../../../ui/toast.ts';
import { Explained } from '../../../ui/tooltip.tsx';
import { Unanswered } from '../../../ui/unanswered.tsx';
import { NumberField } from '../../shared/number-field.tsx';
import { SideSwitch } from '../../spot/ticket/side-switch.tsx';
import { TicketGate, useMayOrder } from '../../spot/ticket/ticket-gate.tsx';
import { canonical } from '../../spot/ticket/ticket-form.ts';
import { useContractPositions, useMarginAccount } from '../account.ts';
import type { ContractMarket } from '../contract/contract-market.ts';
import { useContract } from '../contract/use-contracts.ts';
import { MarginLine } from '../positions/margin-line.tsx';
import type { ContractContext, ContractDraft, ContractIssues } from './contract-draft.ts';
import { readContract } from './contract-draft.ts';
import { CONTRACT_SIZE_FIELD, CONTRACT_TABS, positionSideOf, takesPrice, TIMES_IN_FORCE, TRIGGERED_BY, UNITS } from './contract-form.ts';
import type { ContractField, ContractForm } from './contract-form.ts';
import { ContractReceipt } from './contract-receipt.tsx';
import { editContract, useContractForm } from './contract-tickets.ts';
import { isContractKnown, openContractOrders, sendContract } from './open-contract-orders.ts';
import { useContractContext } from './use-contract-context.ts';

const ID_BYTES = 16;

interface PartProps {
  readonly form: ContractForm;
  readonly set: (part: Partial<ContractForm>) => void;
  readonly context: ContractContext;
  readonly errors: Readonly<Partial<Record<ContractField, string | undefined>>>;
}

function stepped(typed: string, steps: number, { market, mark }: ContractContext): string {
  const from = typed === '' ? mark : parseTicks(canonical(typed), market.pricePrecision);
  return from === undefined ? typed : printTicks(stepTicks(from, steps), market.pricePrecision);
}

type PriceName = 'price' | 'trigger' | 'takeProfit' | 'stopLoss';
const PRICE_NAMES = {
  price: 'trade.ticket.price',
  trigger: 'trade.ticket.trigger',
  takeProfit: 'futures.ticket.takeProfit',
  stopLoss: 'futures.ticket.stopLoss',
} as const satisfies Record<PriceName, MessageId>;

function PriceField({ name, form, set, context, errors }: PartProps & { readonly name: PriceName }): ReactElement {
  const text = useText();
  return (
    <NumberField
      label={text(PRICE_NAMES[name])}
      value={form[name]}
      onChange={(value) => set({ [name]: value })}
      onStep={(steps) => set({ [name]: stepped(form[name], steps, context) })}
      unit={context.market.quoteName}
      error={errors[name]}
    />
  );
}

/** In which unit sizes are typed; it is remembered for the kind of account. */
function UnitChoice({ set, context: { market, unit } }: PartProps): ReactElement {
  const text = useText();
  const remember = useSettings((settings) => settings.setUnit);
  return (
    <Select
      label={text('trade.ticket.unit')}
      size="small"
      value={unit}
      choices={UNITS.map((value) => ({ value, label: text(`futures.unit.${value}`) }))}
      onChange={(next) => {
        // The digits meant the other unit: keeping them would be another order.
        set({ size: '' });
        remember(next, market.accountKind);
      }}
      className="[&>select]:h-6 [&>select]:border-0 [&>select]:bg-transparent [&>select]:ps-1 [&>select]:pe-5 [&>svg]:inset-e-0.5"
    />
  );
}

function Options({ form, set }: PartProps): ReactElement {
  const text = useText();
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
      {form.tab === 'limit' && (
        <Checkbox checked={form.postOnly === 'on'} onChange={(isOn) => set({ postOnly: isOn ? 'on' : 'off' })}>
          <Explained content={text('trade.ticket.postOnlyExplained')}>{text('trade.ticket.postOnly')}</Explained>
        </Checkbox>
      )}
      <Checkbox checked={form.reduceOnly === 'on'} onChange={(isOn) => set({ reduceOnly: isOn ? 'on' : 'off' })}>
        <Explained content={text('futures.ticket.reduceOnlyExplained')}>{text('futures.ticket.reduceOnly')}</Explained>
      </Checkbox>
      {form.tab === 'limit' && form.postOnly === 'off' && (
        <Select
          label={text('trade.ticket.timeInForce')}
          size="small"
          value={form.timeInForce}
          choices={TIMES_IN_FORCE.map((value) => ({ value, label: text(`trade.ticket.${value}`) }))}
          onChange={(timeInForce) => set({ timeInForce })}
        />
      )}
    </div>
  );
}

function Trigger(props: PartProps): ReactElement {
  const { form, set } = props;
  const text = useText();
  return (
    <>
      <div className="grid grid-cols-2 gap-1.5">
        <Select
          label={text('futures.ticket.triggeredBy')}
          size="small"
          value={form.triggeredBy}
          choices={TRIGGERED_BY.map((value) => ({ value, label: text(`futures.price.${value}`) }))}
          onChange={(triggeredBy) => set({ triggeredBy })}
        />
        <Select
          label={text('futures.ticket.becomes')}
          size="small"
          value={form.becomes}
          choices={(['limit', 'market'] as const).map((value) => ({ value, label: text(`trade.ticket.${value}`) }))}
          onChange={(becomes) => set({ becomes })}
        />
      </div>
      <PriceField {...props} name="trigger" />
    </>
  );
}

function Protection(props: PartProps): ReactElement {
  const { form, set } = props;
  const text = useText();
  return (
    <>
      <Checkbox checked={form.protection === 'on'} onChange={(isOn) => set({ protection: isOn ? 'on' : 'off' })}>
        <Explained content={text('futures.ticket.protectionExplained')}>{text('futures.ticket.protection')}</Explained>
      </Checkbox>
      {form.protection === 'on' && (
        <>
          <PriceField {...props} name="takeProfit" />
          <PriceField {...props} name="stopLoss" />
        </>
      )}
    </>
  );
}

/** What is wrong with each field, in words. */
function useErrors(issues: ContractIssues): PartProps['errors'] {
  const text = useText();
  return Object.fromEntries(Object.entries(issues).map(([field, issue]) => [field, text(issue.message, issue.values)]));
}

function useOrderWords(): (draft: ContractDraft) => string {
  const text = useText();
  const format = useFormat();
  const { baseName: coin } = useContract();
  return ({ name, body }) =>
    text(`futures.done.${name}`, {
      side: text(body.orderSide === 'BUY' ? 'trade.buy' : 'trade.sell'),
      size: format.number(body.origQty),
      coin,
    });
}

function Fields(props: PartProps): ReactElement {
  const { form, set } = props;
  const text = useText();
  return (
    <>
      {form.tab === 'trigger' && <Trigger {...props} />}
      {takesPrice(form) && <PriceField {...props} name="price" />}
      <NumberField
        id={CONTRACT_SIZE_FIELD}
        label={text('trade.size')}
        value={form.size}
        onChange={(size) => set({ size })}
        unit={<UnitChoice {...props} />}
        error={props.errors.size}
      />
      {form.tab === 'twap' && (
        <NumberField
          label={text('futures.ticket.minutes')}
          value={form.minutes}
          onChange={(minutes) => set({ minutes })}
          unit={text('futures.ticket.minutesUnit')}
          error={props.errors.minutes}
        />
      )}
      <Options {...props} />
      {(form.tab === 'limit' || form.tab === 'market') && <Protection {...props} />}
    </>
  );
}

/** An order is sent under an id made once; an answer that was lost is looked for by it. */
function useSending(symbol: string, words: (draft: ContractDraft) => string): Once<ContractDraft> {
  return useOnce<ContractDraft>({
    intents: openContractOrders,
    newId: () => randomHex(ID_BYTES),
    send: sendContract,
    find: isContractKnown,
    onDone(draft) {
      // What protects an order was written for its price.
      editContract(symbol, { size: '', takeProfit: '', stopLoss: '' });
      showSuccess('trade.done.placed', { detail: words(draft) });
    },
  });
}

interface EndProps {
  readonly once: Once<ContractDraft>;
  readonly words: (draft: ContractDraft) => string;
  readonly mayOrder: boolean;
}

/** In place of the button: an order without an answer, or the step that comes before an order. */
function TicketEnd({ once, words, mayOrder }: EndProps): ReactElement | null {
  const text = useText();
  if (once.phase === 'unanswered' && once.open !== undefined) {
    return (
      <div className="pt-2.5">
        <Unanswered label={text('trade.ticket.unanswered')} onRepeat={() => void once.repeat().catch(() => undefined)} onDrop={once.drop}>
          {words(once.open)}
        </Unanswered>
      </div>
    );
  }
  return mayOrder ? null : (
    <div className="pt-2.5">
      <TicketGate />
    </div>
  );
}

/** What was left empty is only said once the person tried to send. */
const missing = (form: ContractForm): ContractIssues => ({
  ...(form.size === '' && { size: { message: 'trade.issue.missingSize' } }),
  ...(takesPrice(form) && form.price === '' && { price: { message: 'trade.issue.missingPrice' } }),
  ...(form.tab === 'trigger' && form.trigger === '' && { trigger: { message: 'trade.issue.missingTrigger' } }),
});

const isOf = (positionSide: Position['positionSide']) => (position: Position) => position.positionSide === positionSide;

function TicketBody({ market }: { readonly market: ContractMarket }): ReactElement {
  const text = useText();
  const form = useContractForm(market.symbol);
  const positions = useContractPositions(market);
  const account = useMarginAccount(market);
  const mode = account?.positionMode ?? 'ONE_WAY';
  const context = useContractContext(market, mode);
  const mayOrder = useMayOrder();
  const [isTried, setTried] = useState(false);
  const words = useOrderWords();
  const asksFirst = useSettings((settings) => (form.tab === 'market' ? settings.confirmMarketOrders : settings.confirmLimitOrders));
  const reading = readContract(form, context);
  const errors = useErrors({ ...(isTried && missing(form)), ...reading.issues });
  const once = useSending(market.symbol, words);
  const send = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const { draft } = reading;
    setTried(draft === undefined);
    if (!mayOrder || draft === undefined) return;
    const question = {
      title: text('trade.confirm.title'),
      lead: words(draft),
      action: text('trade.confirm.confirm'),
      kind: 'primary',
    } as const;
    if (asksFirst && (await openDialog(ConfirmDialog, question)) !== true) return;
    // What was refused has been said in a toast.
    await once.submit(draft).catch(() => undefined);
  };
  const set = (part: Partial<ContractForm>): void => editContract(market.symbol, part);
  const position = positions?.find(isOf(positionSideOf(form, mode)));
  const part = { form, set, context, errors };
  return (
    <form onSubmit={(event) => void send(event)} aria-label={text('trade.ticket.title')} className="p-2.5">
      <fieldset disabled={once.phase !== 'idle'} className="flex min-w-0 flex-col gap-2.5">
        <MarginLine market={market} mode={mode} position={position ?? positions?.[0]} />
        {mode === 'HEDGE' && (
          <Segmented
            label={text('futures.ticket.aim')}
            size="small"
            value={form.aim}
            choices={(['open', 'close'] as const).map((value) => ({ value, label: text(`futures.ticket.${value}`) }))}
            onChange={(aim) => set({ aim })}
          />
        )}
        <SideSwitch side={form.side} onChange={(side) => set({ side })} />
        <Fields {...part} />
        <ContractReceipt market={market} reading={reading} position={position} account={account} mark={context.mark} />
        {once.phase !== 'unanswered' && mayOrder && (
          <Button
            type="submit"
            kind={form.side === 'buy' ? 'up' : 'down'}
            size="large"
            busy={once.phase === 'sending'}
            disabled={market.state !== 'TRADING'}
            className="w-full"
          >
            {text(form.side === 'buy' ? 'trade.ticket.submitPlainBuy' : 'trade.ticket.submitPlainSell', { coin: market.baseName })}
          </Button>
        )}
      </fieldset>
      <TicketEnd once={once} words={words} mayOrder={mayOrder} />
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
    twap: 'futures.ticket.twap',
  } as const;
  return (
    <Tabs
      className="shrink-0"
      panel={text('trade.panel.ticket')}
      tabs={CONTRACT_TABS.map((id) => ({ id, label: text(names[id]) }))}
      active={tab}
      label={text('trade.ticket.type')}
      onChange={(next) => editContract(market.symbol, { tab: next })}
    >
      <TabPanel id={tab}>
        <TicketBody key={market.symbol} market={market} />
      </TabPanel>
    </Tabs>
  );
}

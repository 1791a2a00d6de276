/** Take profit and stop loss of a position: opens with what stands, says what each would bring, and changes, adds or removes them. */
import type { Position, ProfitStopTerms, SetProtection } from '@orrery/api';
import { initialMargin, releasedCost, unrealizedProfit } from '@orrery/rules';
import type { Holding } from '@orrery/rules';
import type { Lots } from '@orrery/units';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { Type } from 'typebox';
import type { Static } from 'typebox';
import { useText } from '../../../kit/i18n/text.tsx';
import { useFormat } from '../../../kit/settings/use-format.ts';
import { useActor } from '../../../kit/storage/account-in-view.ts';
import type { Dialogue } from '../../../kit/ui/dialogs.tsx';
import { FormDialog } from '../../../kit/ui/form-dialog.tsx';
import { NumberField } from '../../../kit/ui/number-field.tsx';
import { showSuccess } from '../../../kit/ui/toast.ts';
import { useForm } from '../../../kit/ui/use-form.ts';
import type { FormState } from '../../../kit/ui/use-form.ts';
import type { ContractMarket } from '../../../market/contract-market.ts';
import { useNumbers } from '../../../market/use-numbers.ts';
import { issueOf, protectionIssue, readPrice, readSize, valueOf } from '../../shared/orders/order-rules.ts';
import { closableIssue } from '../../shared/orders/position-rules.ts';
import { canonical } from '../../shared/ticket/ticket-text.ts';
import type { Issue } from '../../shared/ticket/ticket-text.ts';
import { request, useContractOrders } from '../account.ts';
import { absolute, directionOf, holdingOf } from './position-holding.ts';
import { ProtectedParts } from './protected-parts.tsx';
import { atOwnField } from './send-form.ts';
import { usePositionNow } from './use-position-now.ts';
import type { PositionNow } from './use-position-now.ts';
import { useSettleText } from './use-settle-text.ts';

const schema = Type.Object({ takeProfit: Type.String(), stopLoss: Type.String(), size: Type.String() });

const KINDS = ['takeProfit', 'stopLoss'] as const;
type Kind = (typeof KINDS)[number];
const TRIGGERS = { takeProfit: 'triggerProfitPrice', stopLoss: 'triggerStopPrice' } as const satisfies Record<Kind, keyof ProfitStopTerms>;
const LIMITS = { takeProfit: 'profitPrice', stopLoss: 'stopPrice' } as const satisfies Record<Kind, keyof SetProtection>;
const SHORT = { takeProfit: 'profit', stopLoss: 'stop' } as const;

type Standing = Readonly<Record<Kind, ProfitStopTerms | undefined>>;

/** What protects the whole position now, the newest of each kind. */
function standingOf(stops: readonly ProfitStopTerms[] | undefined, { symbol, positionSide }: Position): Standing {
  const whole = (stops ?? []).filter((stop) => stop.symbol === symbol && stop.positionSide === positionSide && stop.origQty === null);
  const newest = (kind: Kind): ProfitStopTerms | undefined =>
    whole.filter((stop) => stop[TRIGGERS[kind]] !== null).toSorted((one, other) => other.createdTime - one.createdTime)[0];
  return { takeProfit: newest('takeProfit'), stopLoss: newest('stopLoss') };
}

const isProtected = (standing: Standing): boolean => KINDS.some((kind) => standing[kind] !== undefined);

const triggerOf = (standing: Standing, kind: Kind): string => standing[kind]?.[TRIGGERS[kind]] ?? '';

interface Wanted {
  readonly market: ContractMarket;
  readonly position: Position;
  readonly standing: Standing;
  readonly values: Readonly<Record<Kind | 'size', string>>;
  /** Names the command, so that one sent again is known. */
  readonly key: string;
}

/** Both legs as one command: they replace what stands, or, of a part, stand beside it; all of it holds or nothing changes. */
function bodyOf({ market, position, standing, values, key }: Wanted): SetProtection {
  const first = standing.takeProfit ?? standing.stopLoss;
  return {
    symbol: market.wire,
    positionSide: position.positionSide,
    ...(values.size === '' ? { scope: 'WHOLE' } : { scope: 'FURTHER_PART', origQty: canonical(values.size), unit: market.lotUnit }),
    ...legOf('takeProfit', { standing, values }),
    ...legOf('stopLoss', { standing, values }),
    ...(first !== undefined && { triggerPriceType: first.triggerPriceType }),
    key,
  };
}

/** What stands at a limit keeps it. */
function legOf(kind: Kind, { standing, values }: Pick<Wanted, 'standing' | 'values'>): Partial<SetProtection> {
  if (values[kind] === '') return {};
  const limit = standing[kind]?.price ?? undefined;
  return { [TRIGGERS[kind]]: canonical(values[kind]), ...(limit !== undefined && { [LIMITS[kind]]: limit }) };
}

/** The part of a position that would be closed. */
const partOf = (holding: Holding, size: Lots | undefined): Holding =>
  size === undefined || size > holding.size ? holding : { ...holding, size, cost: releasedCost(holding.cost, size, holding.size) };

export interface ProtectDialogProps extends Dialogue<true> {
  readonly market: ContractMarket;
  readonly position: Position;
  /** In place of what stands. */
  readonly profit?: string;
  readonly stop?: string;
}

interface Around {
  readonly standing: Standing;
  readonly now: PositionNow;
}

/** One name for the same values, however often they are sent. */
function useKeys(): (values: string) => string {
  const [keys] = useState(() => new Map<string, string>());
  return (values) => {
    const key = keys.get(values) ?? crypto.randomUUID();
    keys.set(values, key);
    return key;
  };
}

type ProtectForm = FormState<Static<typeof schema>>;

function useProtectForm(props: ProtectDialogProps, { standing, now: { position, mark } }: Around): ProtectForm {
  const { market, position: opened, resolve } = props;
  const by = useActor();
  const keyOf = useKeys();
  const numbers = useNumbers(market);
  const side = { direction: directionOf(opened), from: mark, shown: numbers.price(mark) };
  const judge = (kind: Kind, typed: string): Issue | undefined => {
    const read = readPrice(typed, market);
    const trigger = valueOf(read);
    return issueOf(read) ?? (trigger && protectionIssue(SHORT[kind], trigger, side));
  };
  return useForm({
    schema,
    initial: {
      takeProfit: props.profit ?? triggerOf(standing, 'takeProfit'),
      stopLoss: props.stop ?? triggerOf(standing, 'stopLoss'),
      size: '',
    },
    rules(values) {
      const isNothing = !isProtected(standing) && values.takeProfit === '' && values.stopLoss === '';
      const size = readSize(values.size, market);
      const part = valueOf(size);
      const holding = holdingOf(position, market);
      return {
        takeProfit: isNothing ? { message: 'trade.issue.noProtection' } : judge('takeProfit', values.takeProfit),
        stopLoss: judge('stopLoss', values.stopLoss),
        size: issueOf(size) ?? (part && holding && closableIssue(part, holding.size, market)),
      };
    },
    async send(values) {
      const key = keyOf(JSON.stringify(values));
      await atOwnField(request('setProtection', bodyOf({ market, position, standing, values, key }), by));
      showSuccess(values.takeProfit === '' && values.stopLoss === '' ? 'orderForm.unprotected' : 'orderForm.protected');
      resolve(true);
    },
  });
}

/** What a trigger would bring to the part of the position that it closes. */
function useBrought(market: ContractMarket, position: Position, size: string): (typed: string) => string | undefined {
  const say = useSettleText(market);
  const holding = holdingOf(position, market);
  const part = holding && partOf(holding, valueOf(readSize(size, market)));
  return (typed) => {
    const trigger = valueOf(readPrice(typed, market));
    if (part === undefined || trigger === undefined) return undefined;
    return say.profit(unrealizedProfit(part, trigger, market.margin), initialMargin(part.cost, position.leverage));
  };
}

export function ProtectDialog(props: ProtectDialogProps): ReactElement {
  const { market, position: opened, close } = props;
  const text = useText();
  const format = useFormat();
  const now = usePositionNow(opened, market);
  const { position } = now;
  const stops = useContractOrders().stops.value;
  const standing = standingOf(stops, opened);
  const form = useProtectForm(props, { standing, now });
  const size = form.field('size');
  const brought = useBrought(market, position, size.value);
  return (
    <FormDialog
      form={form}
      close={close}
      width="narrow"
      title={text('futures.protect.title')}
      description={text('futures.protect.lead', {
        symbol: position.symbol.replace('_', '/'),
        price: format.number(position.markPrice ?? undefined),
      })}
      action={text(isProtected(standing) ? 'futures.protect.change' : 'futures.protect.submit')}
    >
      <ProtectedParts market={market} position={opened} stops={stops ?? []} />
      {KINDS.map((kind) => {
        const field = form.field(kind);
        return (
          <NumberField
            key={kind}
            {...field}
            label={text(`futures.ticket.${kind}`)}
            aside={<span className="shrink-0 text-sm text-fg3">{market.quoteName}</span>}
            hint={brought(field.value)}
          />
        );
      })}
      {!isProtected(standing) && (
        <NumberField
          {...size}
          label={text('futures.protect.size')}
          aside={<span className="shrink-0 text-sm text-fg3">{market.sizeName}</span>}
          hint={text('futures.protect.sizeHint', { size: format.number(absolute(position.positionSize)), coin: market.sizeName })}
        />
      )}
    </FormDialog>
  );
}

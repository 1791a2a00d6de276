/** A dispute: what the buyer shows beside what the seller shows, the chat, and what an arbiter does about it. */
import { laterOf } from '@orrery/api';
import type { OtcDisputeDetail } from '@orrery/api';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { formatSpan } from '../../kit/format/time.ts';
import { useText } from '../../kit/i18n/text.tsx';
import { useFormat } from '../../kit/settings/use-format.ts';
import { Button } from '../../kit/ui/button.tsx';
import { classes } from '../../kit/ui/classes.ts';
import { lazyDialog, openDialog } from '../../kit/ui/dialogs.tsx';
import { Field } from '../../kit/ui/field.tsx';
import { Notice } from '../../kit/ui/notice.tsx';
import { Fact, Facts, Section } from '../../kit/ui/page.tsx';
import { showSuccess } from '../../kit/ui/toast.ts';
import { consoleHttp, useAct } from '../../platform/data/operators.ts';

const DecideOtcDialog = lazyDialog(async () => (await import('./otc-dialogs.tsx')).DecideOtcDialog);
const PayDialog = lazyDialog(async () => (await import('./otc-dialogs.tsx')).PayDialog);

const MESSAGE_MAX = 1_000;

type Party = OtcDisputeDetail['sides']['buyer'];
type Outcome = 'RELEASED' | 'RETURNED';

interface DisputeProps {
  readonly dispute: OtcDisputeDetail;
}

function Evidence({ party: { statements, receipts } }: { readonly party: Party }): ReactElement {
  const text = useText();
  const format = useFormat();
  return (
    <>
      {statements.length === 0 && <p className="px-4 py-2.5 text-fg3">{text('console.otc.nothingSaid')}</p>}
      <ul>
        {statements.map(({ kind, reason, text: said, at }) => (
          <li key={`${kind} ${at}`} className="border-t border-line px-4 py-2.5">
            <p className="text-sm text-fg3">{`${text(`console.otc.statement.${kind}`)}, ${format.time(at)}`}</p>
            {reason !== null && <p className="font-medium">{text(`otcName.reason.${reason}`)}</p>}
            <p className="break-words whitespace-pre-line text-fg2">{said ?? text('console.otc.deleted')}</p>
          </li>
        ))}
      </ul>
      <ul className="flex flex-col gap-3 border-t border-line p-4 empty:hidden">
        {receipts.map(({ receiptId, url, type, createdTime }, place) => (
          <li key={receiptId} className="flex flex-col items-start gap-1">
            {type.startsWith('image/') && <Picture url={url} alt={text('console.otc.receipt', { number: place + 1 })} />}
            <a href={url} download className="text-sm underline">
              {`${text('console.otc.receipt', { number: place + 1 })}, ${format.time(createdTime)}`}
            </a>
          </li>
        ))}
      </ul>
    </>
  );
}

/** In a box of one height, so that nothing moves when it is there. Larger it is the one that is loaded already: its link may be over by then. */
function Picture({ url, alt }: { readonly url: string; readonly alt: string }): ReactElement {
  const text = useText();
  const [isLarge, setLarge] = useState(false);
  const [broken, setBroken] = useState<string>();
  if (url === broken)
    return (
      <p className="flex h-80 w-full items-center justify-center rounded border border-line p-4 text-center text-fg3">
        {text('console.otc.pictureOver')}
      </p>
    );
  return (
    <>
      <img
        src={url}
        alt={alt}
        className={classes('w-full rounded border border-line', isLarge ? 'h-auto' : 'h-80 object-contain')}
        onError={() => setBroken(url)}
      />
      <Button size="small" kind="quiet" onClick={() => setLarge(!isLarge)}>
        {text(isLarge ? 'console.otc.smaller' : 'console.otc.larger', { picture: alt })}
      </Button>
    </>
  );
}

function Side({ party, name }: { readonly party: Party; readonly name: 'BUYER' | 'SELLER' }): ReactElement {
  const text = useText();
  const { account, trader, verifiedName } = party;
  return (
    <section aria-label={text(`otcName.actor.${name}`)} className="min-w-0 rounded-md border border-line">
      <h3 className="border-b border-line px-4 py-2 font-semibold">{text(`otcName.actor.${name}`)}</h3>
      <Facts>
        <Fact term={text('account.id')}>{account}</Fact>
        <Fact term={text('console.otc.name')}>{`${trader.nickname}${trader.merchant ? ` (${text('console.otc.merchant')})` : ''}`}</Fact>
        <Fact term={text('console.otc.verifiedName')}>{verifiedName ?? text('console.otc.notVerified')}</Fact>
        <Fact term={text('console.otc.finished')}>{trader.finished}</Fact>
      </Facts>
      <Evidence party={party} />
    </section>
  );
}

function Subject({ dispute }: DisputeProps): ReactElement {
  const text = useText();
  const format = useFormat();
  const { amount, coin, total, currency, price, worth, operators, paymentMethods, steps, decision, deposit } = dispute;
  const money = (sum: string): string => `${format.number(sum)} ${text(`otcName.currency.${currency}`)}`;
  return (
    <Facts>
      <Fact term={text('otc.list.amount')}>{`${format.number(amount)} ${coin} · ${money(total)} · ${money(price)}`}</Fact>
      <Fact term={text('console.otc.worth')}>
        {`${worth === null ? text('console.otc.noWorth') : `${format.number(worth)} USDC`} · ${text(operators === 2 ? 'console.otc.two' : 'console.otc.one')}`}
      </Fact>
      <Fact term={text('console.otc.steps')}>
        {steps.map(({ status, at, by }) => (
          <p key={`${status} ${at}`}>{`${text(`otcName.status.${status}`)}, ${format.time(at)} (${text(`otcName.actor.${by}`)})`}</p>
        ))}
      </Fact>
      <Fact term={text('console.otc.payTo')}>
        {paymentMethods.map(({ paymentMethodId, kind, bank, name, number }) => (
          <p key={paymentMethodId}>{[text(`otcName.kind.${kind}`), bank ?? '', name, number].filter((part) => part !== '').join(' · ')}</p>
        ))}
      </Fact>
      <Fact term={text('console.otc.deposit')}>{`${format.number(deposit)} USDC`}</Fact>
      {decision !== null && (
        <Fact term={text('console.otc.decision')}>
          <p className="font-semibold">{text(`otcName.decision.${decision.outcome}`)}</p>
          <p className="text-fg2">{decision.reason}</p>
          {decision.executesAt !== null && (
            <p className="text-fg3">{text('console.otc.executes', { time: format.time(decision.executesAt) })}</p>
          )}
        </Fact>
      )}
    </Facts>
  );
}

function Chat({ dispute: { messages, orderId } }: DisputeProps): ReactElement {
  const text = useText();
  const format = useFormat();
  const { busy, act } = useAct();
  const [typed, setTyped] = useState('');
  const said = typed.trim();
  const send = (): void =>
    act(async () => {
      await consoleHttp.call('sendOtcDeskMessage', { body: { orderId, text: said } });
      setTyped('');
    }, 'console.otc.sent');
  return (
    <section aria-label={text('console.otc.chat')} className="border-t border-line">
      <h3 className="px-4 pt-2.5 font-semibold">{text('console.otc.chat')}</h3>
      <ul tabIndex={0} aria-label={text('console.otc.chat')} className="max-h-80 overflow-y-auto px-4 py-2">
        {messages.map(({ by, kind, text: words, at }) => (
          <li key={`${by} ${at} ${words}`} className={classes('py-1 break-words', kind === 'SYSTEM' && 'text-fg3')}>
            <span className={classes('font-medium', by === 'ARBITER' && 'text-warn')}>{text(`otcName.actor.${by}`)}</span>{' '}
            <span className="text-sm text-fg3 tabular-nums">{format.time(at)}</span> <Words kind={kind} words={words} />
          </li>
        ))}
      </ul>
      <form
        className="flex items-end gap-2 border-t border-line p-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (said !== '') send();
        }}
      >
        <Field className="grow" label={text('console.otc.write')} maxLength={MESSAGE_MAX} value={typed} onChange={setTyped} />
        <Button type="submit" busy={busy} disabled={said === ''}>
          {text('console.otc.send')}
        </Button>
      </form>
    </section>
  );
}

function Words({
  kind,
  words,
}: {
  readonly kind: OtcDisputeDetail['messages'][number]['kind'];
  readonly words: string | null;
}): ReactElement {
  const text = useText();
  const status = (['CREATED', 'PAID', 'DISPUTED', 'RELEASED', 'RETURNED', 'CANCELLED', 'EXPIRED'] as const).find((name) => name === words);
  if (kind === 'SYSTEM' && status !== undefined) return <>{text(`otcName.system.${status}`)}</>;
  const laterBy = kind === 'SYSTEM' ? laterOf(words) : undefined;
  if (laterBy !== undefined) return <>{text('otcName.system.later', { time: formatSpan(laterBy) })}</>;
  if (kind === 'RECEIPT') return <>{text('console.otc.picture')}</>;
  return <span className="whitespace-pre-line">{words ?? text('console.otc.deleted')}</span>;
}

function Decide({ dispute }: DisputeProps): ReactElement | null {
  const text = useText();
  const { busy, act } = useAct();
  const { orderId, state, conflict, operators, deposit, depositPaid } = dispute;
  const decide = async (outcome: Outcome): Promise<void> => {
    const reason = await openDialog(DecideOtcDialog, { outcome, operators, isFinal: state === 'APPEALED' });
    if (reason === undefined) return;
    act(async () => {
      const { proposalId } = await consoleHttp.call('decideOtcDispute', { body: { orderId, outcome, reason } });
      showSuccess(proposalId === null ? 'console.otc.decided' : 'console.proposed');
    });
  };
  const pay = async (): Promise<void> => {
    const payment = await openDialog(PayDialog, { deposit });
    if (payment !== undefined) act(() => consoleHttp.call('payFromOtcDeposit', { body: { orderId, ...payment } }), 'console.proposed');
  };
  if (conflict) return <Notice tone="error">{text('console.otc.conflict')}</Notice>;
  if (state === 'WAITING' || state === 'APPEALED')
    return (
      <div className="flex flex-wrap gap-2">
        <Button kind="primary" busy={busy} onClick={() => void decide('RELEASED')}>
          {text('console.otc.decide.RELEASED')}
        </Button>
        <Button busy={busy} onClick={() => void decide('RETURNED')}>
          {text('console.otc.decide.RETURNED')}
        </Button>
      </div>
    );
  if (state === 'DECIDED') return <Notice tone="info">{text('console.otc.waitsForAppeal')}</Notice>;
  if (depositPaid) return <Notice tone="info">{text('console.otc.depositPaid')}</Notice>;
  return /[1-9]/.test(deposit) ? (
    <Button busy={busy} onClick={() => void pay()}>
      {text('console.otc.pay')}
    </Button>
  ) : null;
}

export function Dispute({ dispute, onClose }: DisputeProps & { readonly onClose: () => void }): ReactElement {
  const text = useText();
  const { orderId, sides } = dispute;
  return (
    <Section
      title={text('console.otc.dispute', { id: orderId })}
      aside={
        <Button size="small" onClick={onClose}>
          {text('console.otc.close')}
        </Button>
      }
    >
      <div className="border-b border-line p-4 empty:hidden">
        <Decide dispute={dispute} />
      </div>
      <Subject dispute={dispute} />
      <div className="grid gap-4 border-t border-line p-4 tablet:grid-cols-2">
        <Side party={sides.buyer} name="BUYER" />
        <Side party={sides.seller} name="SELLER" />
      </div>
      <Chat dispute={dispute} />
    </Section>
  );
}

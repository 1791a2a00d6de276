/** The captcha of GeeTest, in its own frame of the page. */
import { useEffect, useState } from 'react';
import type { ReactElement } from 'react';
import { useText } from '../../kit/i18n/text.tsx';
import { Button } from '../../kit/ui/button.tsx';
import { Dialog } from '../../kit/ui/dialog.tsx';
import type { Dialogue } from '../../kit/ui/dialogs.tsx';
import { Notice } from '../../kit/ui/notice.tsx';
import { Spinner } from '../../kit/ui/spinner.tsx';
import { answerOf, geetest, type GeetestCaptcha } from './geetest.ts';

interface Asked {
  readonly captchaId: string;
  readonly script: string;
}

type State = 'loading' | 'shown' | 'failed' | 'wrong';

/** Shows it in `place` until it is solved. */
function useCaptcha({ captchaId, script }: Asked, place: HTMLElement | null, resolve: (answer: string) => void): State {
  const [state, setState] = useState<State>('loading');
  useEffect(() => {
    if (place === null) return;
    let shown: GeetestCaptcha | undefined;
    let isOver = false;
    const show = async (): Promise<void> => {
      const captcha = await geetest({ captchaId, script });
      if (isOver) return captcha.destroy();
      shown = captcha;
      captcha.onReady(() => setState('shown'));
      captcha.onError(() => setState('wrong'));
      captcha.onSuccess(() => {
        const answer = answerOf(captcha);
        if (answer !== undefined) resolve(answer);
      });
      captcha.appendTo(place);
    };
    show().catch(() => setState('failed'));
    return () => {
      isOver = true;
      shown?.destroy();
    };
  }, [captchaId, script, place, resolve]);
  return state;
}

interface AttemptProps extends Asked {
  readonly resolve: (answer: string) => void;
  readonly onAgain: () => void;
}

function Attempt({ captchaId, script, resolve, onAgain }: AttemptProps): ReactElement {
  const text = useText();
  const [place, setPlace] = useState<HTMLElement | null>(null);
  const state = useCaptcha({ captchaId, script }, place, resolve);
  const isLost = state === 'failed' || state === 'wrong';
  return (
    <div className="flex flex-col items-center gap-4">
      {state === 'loading' && <Spinner />}
      <div ref={setPlace} className={isLost ? 'hidden' : 'w-full'} />
      {isLost && <Notice tone="error">{text(`captcha.${state}`)}</Notice>}
      {isLost && <Button onClick={onAgain}>{text('ui.retry')}</Button>}
    </div>
  );
}

/** Answers what the exchange takes. */
export function GeetestDialog({ captchaId, script, resolve, close }: Dialogue<string> & Asked): ReactElement {
  const text = useText();
  const [attempt, setAttempt] = useState(0);
  return (
    <Dialog open onClose={close} width="narrow" title={text('captcha.title')} description={text('captcha.lead')}>
      <Attempt key={attempt} captchaId={captchaId} script={script} resolve={resolve} onAgain={() => setAttempt(attempt + 1)} />
    </Dialog>
  );
}

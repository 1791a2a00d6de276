/** A click on a pushed notification leads the open terminal to its page. Where something is written, or a dialog is open, the page is offered, and nothing is lost. */
import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { say } from '../../kit/i18n/text.tsx';
import { Button } from '../../kit/ui/button.tsx';
import { dismissToast, showToast, useToasts } from '../../kit/ui/toast.ts';
import { isSomethingWritten, watchWriting } from './written.ts';

/** As the service worker sends it. */
interface ClickedNotice {
  readonly title: string;
  readonly body: string;
  readonly path: string;
}

const isNotice = (data: unknown): data is ClickedNotice => typeof data === 'object' && data !== null && 'path' in data;

function offer({ title, body }: ClickedNotice, go: () => void): void {
  const take = (): void => {
    const { current } = useToasts.getState();
    if (current !== undefined) dismissToast(current.key);
    go();
  };
  const action = (
    <Button size="small" className="mt-2" onClick={take}>
      {say('getApp.show')}
    </Button>
  );
  showToast({ tone: 'info', message: title, detail: body, action });
}

export function useNoticePage(): void {
  const router = useRouter();
  useEffect(() => {
    const { serviceWorker } = navigator;
    const endWatch = watchWriting(document);
    const hear = ({ data, ports }: MessageEvent<unknown>): void => {
      if (!isNotice(data)) return;
      // The worker sends it again until it is heard.
      for (const port of ports) port.postMessage('heard');
      if (router.state.location.pathname === data.path) return;
      const go = (): void => router.history.push(data.path);
      if (isSomethingWritten(document)) offer(data, go);
      else go();
    };
    serviceWorker.addEventListener('message', hear);
    return () => {
      serviceWorker.removeEventListener('message', hear);
      endWatch();
    };
  }, [router]);
}

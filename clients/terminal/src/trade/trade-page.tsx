import { useParams } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { useDocumentTitle } from '../ui/page.tsx';

export function TradePage(): ReactElement {
  const { pair } = useParams({ from: '/trade/spot/$pair' });
  useDocumentTitle(pair);
  return <main className="p-4">{pair}</main>;
}

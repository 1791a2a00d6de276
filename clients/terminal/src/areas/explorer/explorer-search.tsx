import { useNavigate } from '@tanstack/react-router';
import { Search } from 'lucide-react';
import { useState } from 'react';
import type { FormEvent, ReactElement } from 'react';
import { useText } from '../../kit/i18n/text.tsx';
import { Button } from '../../kit/ui/button.tsx';
import { Field } from '../../kit/ui/field.tsx';
import { explorerTarget } from './search.ts';

export function ExplorerSearch(): ReactElement {
  const text = useText();
  const navigate = useNavigate();
  const [typed, setTyped] = useState('');
  const [isWrong, setWrong] = useState(false);
  const search = (event: FormEvent): void => {
    event.preventDefault();
    const target = explorerTarget(typed);
    setWrong(target === undefined);
    if (target?.kind === 'transaction') void navigate({ to: '/explorer/tx/$hash', params: { hash: target.hash } });
    else if (target?.kind === 'block') void navigate({ to: '/explorer/block/$number', params: { number: target.number } });
    else if (target?.kind === 'address') void navigate({ to: '/explorer/address/$address', params: { address: target.address } });
  };
  return (
    <form role="search" onSubmit={search} className="mb-5 flex items-start gap-2">
      <Field
        className="grow"
        label={text('explorer.search')}
        placeholder="0x"
        value={typed}
        onChange={(value) => {
          setTyped(value);
          setWrong(false);
        }}
        error={isWrong ? text('explorer.searchInvalid') : undefined}
        aside={<Search size={15} aria-hidden="true" className="text-fg3" />}
      />
      <Button type="submit" className="mt-5">
        {text('explorer.searchButton')}
      </Button>
    </form>
  );
}

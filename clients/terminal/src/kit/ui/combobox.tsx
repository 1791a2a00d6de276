/** One of many choices, found by typing: the list is filtered as the person writes, and only a choice of it is taken. */
import { ChevronDown } from 'lucide-react';
import { useId, useState } from 'react';
import type { KeyboardEvent, ReactElement, ReactNode } from 'react';
import { useText } from '../i18n/text.tsx';
import { classes } from './classes.ts';
import { matching } from './combobox-match.ts';
import type { ComboboxChoice } from './combobox-match.ts';
import type { FormControl } from './control.ts';
import { FieldLabel, FieldNote } from './field-label.tsx';

/** The value is `undefined`, or none of the choices, while nothing is chosen. */
export interface ComboboxProps<Value extends string> extends FormControl<Value | undefined, Value> {
  readonly label: string;
  readonly choices: readonly ComboboxChoice<Value>[];
  readonly placeholder?: string;
  readonly disabled?: boolean;
  readonly hint?: ReactNode;
}

interface ListProps<Value extends string> {
  readonly id: string;
  readonly label: string;
  readonly shown: readonly ComboboxChoice<Value>[];
  readonly value: Value | undefined;
  readonly active: number;
  readonly onPick: (choice: ComboboxChoice<Value>) => void;
}

function List<Value extends string>({ id, label, shown, value, active, onPick }: ListProps<Value>): ReactElement {
  const text = useText();
  return (
    <div className="absolute inset-x-0 top-full z-50 mt-1 max-h-60 overflow-y-auto rounded-md border border-strong bg-raised p-1 shadow-pop">
      <ul id={`${id}-list`} role="listbox" aria-label={label}>
        {shown.map((choice, place) => (
          <li
            key={choice.value}
            id={`${id}-${place}`}
            role="option"
            aria-selected={choice.value === value}
            // The field keeps the focus, and with it what was typed.
            onPointerDown={(event) => event.preventDefault()}
            onClick={() => onPick(choice)}
            className={classes(
              'flex min-h-8 cursor-pointer items-center justify-between gap-3 rounded-sm px-2 py-1 text-md hover:bg-hover',
              place === active && 'bg-hover',
              choice.value === value && 'font-semibold',
            )}
          >
            {choice.label}
            {choice.detail !== undefined && <span className="text-sm text-fg2">{choice.detail}</span>}
          </li>
        ))}
      </ul>
      {shown.length === 0 && <p className="px-2 py-1.5 text-md text-fg2">{text('ui.combobox.none')}</p>}
    </div>
  );
}

export function Combobox<Value extends string>(props: ComboboxProps<Value>): ReactElement {
  const { label, value, choices, onChange, onBlur, placeholder, disabled = false, hint, error } = props;
  const id = useId();
  /** What is typed; `undefined` while the list is closed. */
  const [typed, setTyped] = useState<string>();
  const [active, setActive] = useState(0);
  const isOpen = typed !== undefined;
  const chosen = choices.find((choice) => choice.value === value);
  const shown = isOpen ? matching(choices, typed) : [];
  const open = (words: string): void => {
    setTyped(words);
    setActive(
      words === ''
        ? Math.max(
            0,
            choices.findIndex((choice) => choice.value === value),
          )
        : 0,
    );
  };
  const pick = (choice: ComboboxChoice<Value> | undefined): void => {
    setTyped(undefined);
    if (choice !== undefined && choice.value !== value) onChange(choice.value);
  };
  const move = (step: number): void => (isOpen ? setActive((active + step + shown.length) % Math.max(1, shown.length)) : open(''));
  const press = (event: KeyboardEvent): void => {
    if (event.key === 'ArrowDown') move(1);
    else if (event.key === 'ArrowUp') move(-1);
    else if (event.key === 'Enter' && isOpen) pick(shown[active]);
    else if (event.key === 'Escape' && isOpen) setTyped(undefined);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div className="relative flex flex-col gap-1">
      <FieldLabel htmlFor={id}>{label}</FieldLabel>
      <div className="relative">
        <input
          id={id}
          role="combobox"
          aria-expanded={isOpen}
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-invalid={error !== undefined}
          {...((error ?? hint) !== undefined && { 'aria-describedby': `${id}-note` })}
          {...(isOpen && shown.length > 0 && { 'aria-activedescendant': `${id}-${active}` })}
          autoComplete="off"
          spellCheck={false}
          disabled={disabled}
          placeholder={placeholder}
          value={typed ?? chosen?.label ?? ''}
          onClick={() => (isOpen ? undefined : open(''))}
          onChange={(event) => open(event.target.value)}
          onBlur={() => {
            setTyped(undefined);
            onBlur?.();
          }}
          onKeyDown={press}
          className={classes(
            'h-(--field) w-full rounded border bg-page ps-2.5 pe-7 text-md text-fg placeholder:text-fg3 disabled:opacity-45',
            error === undefined ? 'border-control not-disabled:hover:border-fg3' : 'border-error',
          )}
        />
        <ChevronDown size={14} aria-hidden="true" className="pointer-events-none absolute inset-e-2 top-1/2 -translate-y-1/2 text-fg3" />
        {isOpen && <List id={id} label={label} shown={shown} value={value} active={active} onPick={pick} />}
      </div>
      <FieldNote id={id} hint={hint} error={error} />
    </div>
  );
}

/** The text of a number field, between what a person enters and the decimal text that counts. */
import { useState } from 'react';
import type { ChangeEvent, KeyboardEvent, ReactElement, ReactNode } from 'react';
import { fieldText, halfWidth, readNumber, shortestDecimal } from '../format/read-number.ts';
import type { NumberFormat } from '../format/number-format.ts';
import type { NumberReading, NumberSource } from '../format/read-number.ts';
import { useText } from '../i18n/text.tsx';
import { useSettings } from '../settings/settings.ts';
import { useFormat } from '../settings/use-format.ts';
import type { Control } from './control.ts';

export interface NumberEntry {
  readonly input: {
    readonly value: string;
    readonly onChange: (event: ChangeEvent<HTMLInputElement>) => void;
    readonly onKeyDown: (event: KeyboardEvent<HTMLInputElement>) => void;
    readonly inputMode: 'decimal';
    readonly autoComplete: 'off';
    readonly spellCheck: false;
  };
  /** What was entered does not count: the question which number it is, or why it is none. */
  readonly note: ReactNode;
  readonly isRefused: boolean;
  /** Empties the field, whatever was entered. */
  readonly clear: () => void;
}

interface Draft extends NumberSource {
  readonly text: string;
  /** The value that the text stands for. */
  readonly value: string;
}

const draftOf = (value: string, format: NumberFormat): Draft => ({
  text: fieldText(value, format),
  value: shortestDecimal(value),
  format,
  entered: 'typed',
});

const FOREIGN = /[^\d.,\s'\u2019]/;
const isForeign = (text: string): boolean => FOREIGN.test(halfWidth(text));

/** A key that no number has in it does nothing. What came at once, pasted, dropped or filled in, is shown, with what is wrong with it. */
const isForeignKey = (text: string, before: string): boolean => text.length <= before.length + 1 && isForeign(text) && !isForeign(before);

const wasPasted = ({ nativeEvent }: ChangeEvent<HTMLInputElement>): boolean =>
  nativeEvent instanceof InputEvent && ['insertFromPaste', 'insertFromDrop'].includes(nativeEvent.inputType);

/** The value is decimal text such as `1500.25`; empty for none, and while what was entered is no number or could be another. */
export function useNumberEntry({ value, onChange }: Control<string>): NumberEntry {
  const format = useSettings((settings) => settings.numberFormat);
  const [kept, setDraft] = useState<Draft>(() => draftOf(value, format));
  // A value set from elsewhere, or another format, replaces what was entered.
  const isCurrent = kept.format === format && kept.value === shortestDecimal(value);
  const draft = isCurrent ? kept : draftOf(value, format);
  if (!isCurrent) setDraft(draft);
  const reading = readNumber(draft.text, draft);

  const take = (taken: string): void => {
    setDraft(draftOf(taken, format));
    onChange(taken);
  };
  const enter = (event: ChangeEvent<HTMLInputElement>): void => {
    const { value: text } = event.currentTarget;
    const entered = wasPasted(event) ? 'pasted' : 'typed';
    if (entered === 'typed' && isForeignKey(text, draft.text)) return;
    const next = readNumber(text, { format, entered });
    const counted = next.kind === 'number' ? next.value : '';
    setDraft({ text, value: counted, format, entered });
    if (counted !== shortestDecimal(value)) onChange(counted);
  };
  const press = (event: KeyboardEvent<HTMLInputElement>): void => {
    const first = event.key === 'Enter' && reading.kind === 'unsure' ? reading.values[0] : undefined;
    if (first === undefined) return;
    event.preventDefault();
    take(first);
  };
  return {
    input: { value: draft.text, onChange: enter, onKeyDown: press, inputMode: 'decimal', autoComplete: 'off', spellCheck: false },
    note: noteOf(reading, take),
    isRefused: reading.kind === 'refused',
    clear: () => take(''),
  };
}

function noteOf(reading: NumberReading, take: (value: string) => void): ReactNode {
  if (reading.kind === 'unsure') return <Question values={reading.values} onTake={take} />;
  return reading.kind === 'refused' ? <Refusal /> : undefined;
}

function Question({ values, onTake }: { readonly values: readonly string[]; readonly onTake: (value: string) => void }): ReactElement {
  const text = useText();
  const formats = useFormat();
  const format = useSettings((settings) => settings.numberFormat);
  return (
    <span role="status" className="inline-flex flex-wrap items-center gap-x-1.5 gap-y-1 text-warn">
      {text('ui.number.unsure', { format })}
      {values.map((value) => (
        <button
          key={value}
          type="button"
          onClick={() => onTake(value)}
          className="rounded-sm border border-control px-1.5 font-semibold text-fg hover:bg-hover"
        >
          {formats.number(value)}
        </button>
      ))}
    </span>
  );
}

function Refusal(): ReactElement {
  const text = useText();
  const format = useSettings((settings) => settings.numberFormat);
  return <>{text('ui.number.refused', { format })}</>;
}

/**
 * The state of a form: its values are checked by a schema, and by rules where it has any, before they are sent, and what the exchange refuses is said
 * at the field it names, until something is entered. A field is checked once it was left, and from then on while it is edited.
 */
import { CallError } from '@orrery/sdk';
import { useEffect, useRef } from 'react';
import type { FormEvent } from 'react';
import { useForm as useHookForm, useFormState, useWatch } from 'react-hook-form';
import type { DefaultValues, FieldErrors, FieldValues, Path, PathValue, Resolver } from 'react-hook-form';
import type { Static, TObject } from 'typebox';
import type { MessageId } from '../i18n/catalog.ts';
import { useText } from '../i18n/text.tsx';
import type { TextValues } from '../i18n/text.tsx';
import type { FormControl } from './control.ts';
import { schemaResolver } from './schema-resolver.ts';

/** What is wrong with a value, with the numbers that it depends on. */
export interface FieldIssue {
  readonly message: MessageId;
  readonly values?: TextValues;
}

export type FieldIssues<Values> = Partial<Readonly<Record<keyof Values, FieldIssue | undefined>>>;

export interface FormOptions<Schema extends TObject> {
  readonly schema: Schema;
  readonly initial: Static<Schema>;
  /** What is said of a field that does not fit the schema; without it, that it is missing or not valid. */
  readonly faults?: Partial<Readonly<Record<keyof Static<Schema>, MessageId>>>;
  /** What is wrong with values that fit the schema, by what is known now. */
  readonly rules?: (values: Static<Schema>) => FieldIssues<Static<Schema>>;
  /** Rejects with what went wrong, a `CallError` or a `FormFault`; nothing else may have reported it. */
  readonly send: (values: Static<Schema>) => Promise<unknown>;
}

/** Spread on a control of the kit, it connects the two. */
export interface FormField<Value> extends FormControl<Value> {
  readonly onBlur: () => void;
  readonly error: string | undefined;
}

export interface FormState<Values> {
  readonly field: <Name extends keyof Values & string>(name: Name) => FormField<Values[Name]>;
  /** Sends what fits; otherwise the first field that does not has the focus. */
  readonly submit: (event: FormEvent<HTMLFormElement>) => void;
  readonly busy: boolean;
  /** Nothing was entered yet: closing it loses nothing. */
  readonly isUntouched: boolean;
  /** What went wrong and belongs to no field. */
  readonly fault: string | undefined;
  /** Back to the first values, as after a form was sent. */
  readonly reset: () => void;
}

/** What went wrong before the exchange was asked, in words for the person: a wallet that refused to sign. */
export class FormFault extends Error {
  override readonly name = 'FormFault';
}

/** Errors of these types bring their words. */
const SERVER = 'server';
const RULE = 'rule';

/** A group of radio buttons has no focus of its own: that of its one tab stop is meant. */
const FAULTY = '[aria-invalid=true]:not([role=radiogroup]), [role=radiogroup][aria-invalid=true] [tabindex="0"]';

interface FaultFocus {
  /** The form was refused: its first fault has the focus as soon as it is shown. */
  readonly ask: (form: HTMLFormElement) => void;
}

/** The faults are in the page after the render that ends the sending, whatever number of frames it takes. */
function useFaultFocus(isSubmitting: boolean): FaultFocus {
  const refused = useRef<HTMLFormElement>(undefined);
  useEffect(() => {
    if (isSubmitting || refused.current === undefined) return;
    const form = refused.current;
    refused.current = undefined;
    form.querySelector<HTMLElement>(FAULTY)?.focus();
  });
  return {
    ask(form) {
      refused.current = form;
    },
  };
}

export function useForm<Schema extends TObject>({ schema, initial, faults, rules, send }: FormOptions<Schema>): FormState<Static<Schema>> {
  // What the library hands out changes inside: nothing may be memoised by its identity.
  'use no memo';
  type Values = Static<Schema> & FieldValues;
  const text = useText();
  const form = useHookForm<Values>({
    resolver: ruledResolver<Values>(schemaResolver<Values>(schema), rules, text),
    defaultValues: initial as DefaultValues<Values>,
  });
  const { control, setValue, setError, clearErrors, trigger, handleSubmit, getFieldState, reset } = form;
  const values = useWatch<Values>({ control }) as Partial<Values>;
  const state = useFormState({ control });
  const faultFocus = useFaultFocus(state.isSubmitting);

  const wordsOf = (name: Path<Values>): string | undefined => {
    const { error } = getFieldState(name, state);
    if (error === undefined) return undefined;
    if (error.type === SERVER || error.type === RULE) return error.message;
    const isMissing = values[name] === undefined || values[name] === '';
    return text(faults?.[name as keyof Static<Schema>] ?? (isMissing ? 'ui.form.missing' : 'ui.form.invalid'));
  };
  const report = (error: unknown): void => {
    const message = error instanceof CallError || error instanceof FormFault ? error.message : text('ui.form.notSent');
    // The exchange names a place in a list too: `ipList/0`.
    const [field = ''] = error instanceof CallError ? error.field.split(/[./[]/) : [];
    setError(field in initial ? (field as Path<Values>) : 'root', { type: SERVER, message });
  };
  /** A refusal was of the values as they were. */
  const dropRefusals = (): void => {
    for (const [name, error] of Object.entries(state.errors))
      if ((error as { readonly type?: unknown } | undefined)?.type === SERVER) clearErrors(name as Path<Values> | 'root');
  };
  return {
    field(name) {
      const path = name as unknown as Path<Values>;
      return {
        value: (values[name] ?? initial[name as keyof typeof initial]) as Values[typeof name],
        onChange(value) {
          dropRefusals();
          const { isTouched, invalid } = getFieldState(path, state);
          setValue(path, value as PathValue<Values, typeof path>, { shouldDirty: true, shouldValidate: isTouched || invalid });
        },
        onBlur() {
          setValue(path, (values[name] ?? initial[name as keyof typeof initial]) as PathValue<Values, typeof path>, { shouldTouch: true });
          void trigger(path);
        },
        error: wordsOf(path),
      };
    },
    submit(event) {
      event.preventDefault();
      if (state.isSubmitting) return;
      const element = event.currentTarget;
      const sent = handleSubmit(
        (ready) =>
          send(ready).catch((error: unknown) => {
            report(error);
            faultFocus.ask(element);
          }),
        () => faultFocus.ask(element),
      );
      void sent();
    },
    busy: state.isSubmitting,
    isUntouched: !state.isDirty,
    fault: state.errors.root?.message,
    reset: () => reset(),
  };
}

type Rules<Values> = (values: Values) => FieldIssues<Values>;

/** Values that fit the schema are judged by the rules too. */
function ruledResolver<Values extends FieldValues>(
  fits: Resolver<Values>,
  rules: Rules<Values> | undefined,
  text: ReturnType<typeof useText>,
): Resolver<Values> {
  return async (values, context, options) => {
    const fit = await fits(values, context, options);
    if (rules === undefined || Object.keys(fit.errors).length > 0) return fit;
    const issues = Object.entries(rules(values) as Readonly<Record<string, FieldIssue | undefined>>);
    const errors = issues.flatMap(([field, issue]) =>
      issue === undefined ? [] : [[field, { type: RULE, message: text(issue.message, issue.values) }] as const],
    );
    return errors.length === 0 ? fit : { values: {}, errors: Object.fromEntries(errors) as FieldErrors<Values> };
  };
}

/** What the signing page shows. Everything is text that is set as text: nothing of a request is ever read as markup. */
import type { Fact } from './policy.ts';

const page = (): HTMLElement => {
  const found = document.querySelector<HTMLElement>('#page');
  if (found === null) throw new Error('the page has a place for its views');
  return found;
};

type Child = Node | string;

function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Readonly<Record<string, string>>,
  children: readonly Child[] = [],
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, value);
  made.append(...children);
  return made;
}

export const clear = (): void => page().replaceChildren();

interface Choice {
  readonly title: string;
  readonly content: readonly Node[];
  readonly accept: string;
  readonly decline: string | undefined;
}

/** Resolves with whether a person accepted. A click that a script made is none. */
function choice({ title, content, accept, decline }: Choice): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const button = (text: string, answer: boolean): HTMLButtonElement => {
    const made = element('button', { type: 'button' }, [text]);
    made.addEventListener('click', (event) => event.isTrusted && resolve(answer));
    return made;
  };
  const actions = element('div', { class: 'actions' }, [...(decline === undefined ? [] : [button(decline, false)]), button(accept, true)]);
  page().replaceChildren(element('h1', {}, [title]), ...content, actions);
  return promise.finally(clear);
}

const listOf = (facts: readonly Fact[]): HTMLElement =>
  element(
    'dl',
    {},
    facts.flatMap(({ term, text }) => [element('dt', {}, [term]), element('dd', {}, [text])]),
  );

export const confirmSigning = (facts: readonly Fact[]): Promise<boolean> =>
  choice({ title: 'Sign with your e-mail wallet', content: [listOf(facts)], accept: 'Sign', decline: 'Decline' });

export async function showRefusal(reason: string): Promise<void> {
  const content = [element('p', { class: 'problem', role: 'alert' }, [`Refused: ${reason}.`])];
  await choice({ title: 'This is not signed', content, accept: 'Close', decline: undefined });
}

export async function showKey(key: string): Promise<void> {
  const warning = element('p', {}, ['Anyone who has this key controls the wallet. Nobody of Orrery ever asks you for it.']);
  const isWanted = await choice({ title: 'Export the key of your wallet', content: [warning], accept: 'Show the key', decline: 'Cancel' });
  if (!isWanted) return;
  await choice({ title: 'The key of your wallet', content: [element('code', {}, [key])], accept: 'Close', decline: undefined });
}

interface PassphraseForm<Result> {
  readonly title: string;
  readonly lead: string;
  readonly action: string;
  /** A new passphrase is typed twice. */
  readonly isNew: boolean;
  readonly minLength: number;
  /** Rejects with what is shown to the person, who may try again. */
  readonly use: (passphrase: string) => Promise<Result>;
}

/** Resolves with what came of the passphrase; `undefined` when the person gave up. */
export function askPassphrase<Result>(form: PassphraseForm<Result>): Promise<Result | undefined> {
  const { promise, resolve } = Promise.withResolvers<Result | undefined>();
  const field = (label: string): { readonly input: HTMLInputElement; readonly row: HTMLElement } => {
    const autocomplete = form.isNew ? 'new-password' : 'current-password';
    const input = element('input', { type: 'password', autocomplete, maxlength: '256', required: '' });
    return { input, row: element('label', {}, [label, input]) };
  };
  const [first, second] = [field('Passphrase'), field('Passphrase again')];
  const problem = element('p', { class: 'problem', role: 'alert' });
  const cancel = element('button', { type: 'button' }, ['Cancel']);
  const action = element('button', { type: 'submit' }, [form.action]);
  const fields = element('form', { novalidate: '' }, [
    element('h1', {}, [form.title]),
    element('p', {}, [form.lead]),
    first.row,
    ...(form.isNew ? [second.row] : []),
    problem,
    element('div', { class: 'actions' }, [cancel, action]),
  ]);
  const faultOf = (): string | undefined => {
    if (first.input.value.length < form.minLength) return `The passphrase needs ${form.minLength} characters or more.`;
    return form.isNew && first.input.value !== second.input.value ? 'The two passphrases differ.' : undefined;
  };
  const send = async (): Promise<void> => {
    const fault = faultOf();
    problem.textContent = fault ?? '';
    if (fault !== undefined) return;
    action.disabled = true;
    cancel.disabled = true;
    try {
      resolve(await form.use(first.input.value));
    } catch (error) {
      problem.textContent = error instanceof Error ? `${error.message}.` : 'It did not work.';
      action.disabled = false;
      cancel.disabled = false;
    }
  };
  cancel.addEventListener('click', () => resolve(undefined));
  fields.addEventListener('submit', (event) => {
    event.preventDefault();
    void send();
  });
  page().replaceChildren(fields);
  first.input.focus();
  return promise.finally(clear);
}

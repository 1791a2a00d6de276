/** The section on what a wallet signs. */
import { contract, signedTextExample, signedTexts, type Route, type SignedText } from '@orrery/api';
import { anchor, breakable, table, text } from './reference-html.ts';

export const SIGNED = 'signed texts';

export function signedSection(): string {
  const texts = signedTexts();
  return `<section id="${anchor(`at ${SIGNED}`)}"><h2>Signed texts</h2>
<p>A wallet signs a message of EIP-4361 by <code>personal_sign</code>. Its nonce comes from ${linkTo('nonce')}, for the address and the purpose of the call; the
statement says what is signed for, and names the fields of the call that it stands for. The domain and the URI are those of the page, the chain is that of
<code>/pro/p/config</code>. Another statement is refused, and the refusal has the right one in <code>msg</code>.</p>
${table(['Purpose', 'Call', 'Statement, by the fields of an example'], texts.map(rowOf))}
${texts.filter(isFirstOfPurpose).map(exampleOf).join('')}</section>`;
}

const linkTo = (call: string): string => {
  const route: Route | undefined = Reflect.get(contract, call);
  return `<a href="#${anchor(call)}"><code>${breakable(route?.path ?? call)}</code></a>`;
};

function rowOf({ call, purpose, statement, fields }: SignedText): string {
  const given = Object.keys(fields).length === 0 ? '' : `<br><code>${text(JSON.stringify(fields))}</code>`;
  return `<tr><td><code>${purpose}</code></td><td>${linkTo(call)}</td><td><code>${text(statement)}</code>${given}</td></tr>`;
}

const isFirstOfPurpose = ({ purpose }: SignedText, index: number, all: readonly SignedText[]): boolean =>
  all.findIndex((each) => each.purpose === purpose) === index;

const exampleOf = (signed: SignedText): string =>
  `<details><summary>A message of the purpose <code>${signed.purpose}</code></summary><pre tabindex="0">${text(signedTextExample(signed))}</pre></details>`;

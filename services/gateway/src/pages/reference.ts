/** The OpenAPI document as a page: sections of calls, each with its parameters, fields and an example. Rendered text, so that nothing runs in the browser. */
import type { OpenApiDocument, Operation, Parameter } from './openapi.ts';
import { REASONS } from './refusals.ts';
import { EXPORTS, exportSection } from './reference-exports.ts';
import { anchor, breakable, capital, example, fieldTable, prose, table, text } from './reference-html.ts';
import { exampleOf, fieldsOf, notesOf, typeOf, type Field, type Schema } from './reference-schema.ts';
import { SIGNED, signedSection } from './reference-signed.ts';
import { streamSections, STREAM_TAGS } from './reference-streams.ts';

interface Call {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}

export function referencePage(document: OpenApiDocument): string {
  const sections = sectionsOf(document);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="dark light">
<meta name="description" content="Every call of the Orrery API.">
<title>Orrery API reference</title>
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<link rel="preload" href="/docs/hanken-grotesk.woff2" as="font" type="font/woff2" crossorigin>
<link rel="stylesheet" href="/docs/reference.css">
</head>
<body>
<a class="skip" href="#top">Skip to the calls</a>
<header class="bar"><a href="/">&#8592; Back to Orrery</a><span>API reference</span><span class="version">${text(document.info.version)}</span></header>
<div class="columns">
<nav aria-label="Sections"><details class="sections"><summary>Sections</summary>${listOf(sections)}</details><div class="sections-wide">${listOf(sections)}</div></nav>
<main id="top" tabindex="-1">
<h1>API reference</h1>
${introductionOf(document)}
${signedSection()}
${streamSections()}
${exportSection()}
${[...sections].map(([tag, calls]) => sectionOf(tag, calls)).join('\n')}
</main>
</div>
</body>
</html>
`;
}

function sectionsOf({ paths }: OpenApiDocument): ReadonlyMap<string, readonly Call[]> {
  const sections = new Map<string, Call[]>();
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const tag = operation.tags[0] ?? '';
      sections.set(tag, [...(sections.get(tag) ?? []), { method: method.toUpperCase(), path, operation }]);
    }
  }
  return sections;
}

const listOf = (sections: ReadonlyMap<string, readonly Call[]>): string =>
  `<ul>${[...TITLED, ...sections.keys()].map((tag) => `<li><a href="#${anchor(`at ${tag}`)}">${breakable(titleOf(tag))}</a></li>`).join('')}</ul>`;

/** Sections that are not of calls. */
const TITLED: readonly string[] = ['introduction', 'reasons', SIGNED, ...STREAM_TAGS, EXPORTS];

/** Sections are named for the path that their calls share. */
const titleOf = (tag: string): string => (TITLED.includes(tag) ? capital(tag) : `/${tag}`);

function introductionOf({ info, components }: OpenApiDocument): string {
  const schemes = Object.entries(components.securitySchemes).map(
    ([name, { description }]) => `<dt>${text(capital(ACCESS[name] ?? name))}</dt><dd>${prose(capital(description))}</dd>`,
  );
  const reasons = REASONS.map(
    ({ code, name, status, message }) =>
      `<tr><td class="number">${code}</td><td><code>${text(name)}</code></td><td class="number">${status}</td><td>${text(message)}</td></tr>`,
  );
  return `<section id="at-introduction"><h2>Introduction</h2>
<p>${prose(info.description)}</p>
<p>Programs read the same contract as <a href="/docs/openapi.json">an OpenAPI document</a>, and the streams as <a href="/docs/asyncapi.json">an AsyncAPI document</a>.</p>
<h3>Who may call</h3><dl>${schemes.join('')}</dl></section>
<section id="at-reasons"><h2>Reasons</h2><p>What a refusal can be. Its <code>data</code> holds the <code>reason</code>, and the <code>field</code> at fault; of a number beyond another one also <code>figures</code>: what was <code>asked</code>, the <code>limit</code> and the <code>unit</code> of both.</p>
${table(['Code', 'Reason', 'HTTP', 'Meaning'], reasons)}</section>`;
}

const ACCESS: Readonly<Record<string, string>> = { session: 'a session', operator: "an operator's session", apiKey: 'an API key' };

const sectionOf = (tag: string, calls: readonly Call[]): string =>
  `<section id="${anchor(`at ${tag}`)}"><h2>${text(titleOf(tag))}</h2>${calls.map(callOf).join('\n')}</section>`;

function callOf({ method, path, operation }: Call): string {
  const { operationId, summary, security, parameters = [], requestBody, responses } = operation;
  const body = requestBody?.content['application/json'].schema;
  const answer = responses[200].content['application/json'].schema;
  const callers = security.flatMap((scheme) => Object.keys(scheme)).map((name) => ACCESS[name] ?? name);
  return `<article id="${anchor(operationId)}">
<h3><span class="method ${method.toLowerCase()}">${method}</span> <a href="#${anchor(operationId)}"><code>${breakable(path)}</code></a></h3>
<p>${text(summary)}</p>
<p class="access">${callers.length === 0 ? 'Anybody may call it.' : `Needs ${text(callers.join(' or '))}.`}</p>
${fieldTable('Parameters', parameters.map(parameterField))}
${body === undefined ? '' : `${aboutOf(body)}${fieldTable('Body', fieldsOf(body))}${example('Example body', exampleOf(body))}`}
<details><summary>Answer</summary>${dataFields(answer)}${example('Example answer', exampleOf(answer))}</details>
</article>`;
}

const parameterField = ({ name, required, schema }: Parameter): Field => ({
  name,
  type: typeOf(schema),
  isRequired: required,
  notes: notesOf(schema),
});

const aboutOf = ({ description }: Schema): string => (description === undefined ? '' : `<p>${text(description)}</p>`);

/** What every answer has in common is in the introduction. */
function dataFields(answer: Schema): string {
  const data = answer.properties?.['data'] ?? {};
  const fields = fieldsOf(data, { path: 'data' });
  const own: Field = { name: 'data', type: typeOf(data), isRequired: true, notes: notesOf(data) };
  return fieldTable('Fields', [own, ...fields]);
}

/** The sections on the streams: what a client sends and receives, each message with its fields and an example. */
import { plain } from './plain-schema.ts';
import { anchor, example, fieldTable, prose, text } from './reference-html.ts';
import { exampleOf, fieldsOf, typeOf } from './reference-schema.ts';
import { type Stream, type StreamMessageText, STREAMS } from './stream-messages.ts';

const tagOf = ({ name }: Stream): string => `stream of ${name}`;

export const STREAM_TAGS = STREAMS.map(tagOf);

export const streamSections = (): string =>
  STREAMS.map(
    (stream) => `<section id="${anchor(`at ${tagOf(stream)}`)}"><h2>${text(`Stream of ${stream.name}`)}</h2>
<p><code>${text(stream.path)}</code></p><p>${prose(stream.description)}</p>
<h3>From the client</h3>${stream.fromClient.map((message) => messageOf(stream, 'to', message)).join('\n')}
<h3>From the exchange</h3>${stream.fromServer.map((message) => messageOf(stream, 'from', message)).join('\n')}</section>`,
  ).join('\n');

function messageOf({ name: stream }: Stream, way: 'to' | 'from', { name, schema }: StreamMessageText): string {
  const shape = plain(schema);
  const about = shape.description === undefined ? '' : `<p>${prose(shape.description)}</p>`;
  return `<details id="${anchor(`${stream} ${way} ${name}`)}"><summary><code>${text(name)}</code></summary>${about}
${shape.properties === undefined ? `<p><code>${text(typeOf(shape))}</code></p>` : fieldTable('Fields', fieldsOf(shape))}${example('Example', exampleOf(shape))}</details>`;
}

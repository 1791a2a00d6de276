/** `node --expose-gc bench/src/run-part.ts <part>`: measures one part in this process and sends the result to its parent, or prints it. */
import { PARTS } from './parts.ts';

const part = PARTS.find(({ name }) => name === process.argv[2]);
if (part === undefined) throw new Error(`no part ${process.argv[2]}: ${PARTS.map(({ name }) => name).join(', ')}`);
const findings = await part.measure();
if (process.send === undefined) console.log(findings.lines.join('\n'));
else process.send(findings);

/** `node --expose-gc bench/src/capacity/point.ts <kind> <count>`: measures one count in this process and sends what it found to its parent, or prints it. */
import { KINDS } from './kinds.ts';

const [name, count] = process.argv.slice(2);
const kind = KINDS.find((each) => each.name === name);
if (kind === undefined) throw new Error(`no kind ${name}: ${KINDS.map((each) => each.name).join(', ')}`);
const readings = await kind.measure(Number(count));
if (process.send === undefined) console.log(readings);
else process.send(readings, () => process.exit(0));

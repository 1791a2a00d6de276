/** Names given twice in one JSON object, which `JSON.parse` lets pass. The text must be valid JSON. */
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;

/** How many members the text writes: each has one colon outside of strings. */
export function membersWritten(text: string): number {
  let members = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    else if (code === COLON) members += 1;
  }
  return members;
}

function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text.charCodeAt(at) !== QUOTE) at += text.charCodeAt(at) === BACKSLASH ? 2 : 1;
  return at;
}

/** A name with its colon, any other string, or where an object begins or ends. */
const TOKEN = /("(?:[^"\\]|\\.)*")\s*:|"(?:[^"\\]|\\.)*"|([{}])/g;

/** The first name that its object has already; empty without one. */
export function repeatedKeyOf(text: string): string {
  const open: Set<string>[] = [];
  for (const [, name, brace] of text.matchAll(TOKEN)) {
    if (brace === '{') open.push(new Set());
    if (brace === '}') open.pop();
    if (name === undefined) continue;
    // Two spellings of one name are one name.
    const key = String(JSON.parse(name));
    if (open.at(-1)?.has(key)) return key;
    open.at(-1)?.add(key);
  }
  return '';
}

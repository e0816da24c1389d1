/** Elements in their own text form, nested as deep as the array has dimensions. */
export type ArrayText = readonly (string | null | ArrayText)[];

/** Bounds that do not begin at one come first: `[0:1]={a,b}`. */
const BOUNDS = /^(?:\[-?\d+:-?\d+\])+=/;

/** Reads an array's text form (PostgreSQL manual, section 8.15.6). @returns undefined when it is none. */
export function parseArrayText(text: string, delimiter: string): ArrayText | undefined {
  const bounds = BOUNDS.exec(text)?.[0].length ?? 0;
  let at = bounds;
  return readArray();

  function readArray(): ArrayText | undefined {
    if (text.charAt(at) !== '{') return undefined;
    at += 1;
    const elements: (string | null | ArrayText)[] = [];
    if (text.charAt(at) === '}') {
      at += 1;
      return elements;
    }
    while (at < text.length) {
      const element = readElement();
      if (element === undefined) return undefined;
      elements.push(element);
      const sign = text.charAt(at);
      at += 1;
      if (sign === '}') return elements;
      if (sign !== delimiter) return undefined;
    }
    return undefined;
  }

  function readElement(): string | null | ArrayText | undefined {
    if (text.charAt(at) === '{') return readArray();
    if (text.charAt(at) === '"') return readQuoted();
    const start = at;
    while (at < text.length && text.charAt(at) !== delimiter && text.charAt(at) !== '}') at += 1;
    const word = text.slice(start, at);
    return word === 'NULL' ? null : word;
  }

  function readQuoted(): string | undefined {
    let value = '';
    at += 1;
    while (at < text.length && text.charAt(at) !== '"') {
      if (text.charAt(at) === '\\') at += 1;
      value += text.charAt(at);
      at += 1;
    }
    at += 1;
    return at > text.length ? undefined : value;
  }
}

const SENTENCE_END = new Set(".,;:!?'…’”»");

/**
 * Without the full stop, comma or closing bracket of the sentence around it: a bracket that the address opens is its own, and so is an
 * asterisk where none stands before the address.
 */
export function trimAddress(address: string, before: string): string {
  const unopened = new Map([
    [')', count(address, ')') - count(address, '(')],
    [']', count(address, ']') - count(address, '[')],
    ['*', before.includes('*') ? Number.POSITIVE_INFINITY : 0],
  ]);
  let end = address.length;
  for (; end > 0; end -= 1) {
    const last = address.charAt(end - 1);
    const left = unopened.get(last) ?? 0;
    if (left > 0) unopened.set(last, left - 1);
    else if (!SENTENCE_END.has(last)) break;
  }
  return address.slice(0, end);
}

function count(text: string, character: string): number {
  return text.split(character).length - 1;
}

/** First letters of the first and last word of a name (or of an e-mail's local part): 'Ana de Souza' → 'AS'. */
export function initialsOf(name: string): string {
  const words = (name.split('@')[0] ?? '').split(/[\s._-]+/u).filter(Boolean);
  const [first, last] = [words.at(0), words.length > 1 ? words.at(-1) : undefined];
  const letters = [first, last].map((word) => (word ? ([...word][0] ?? '') : '')).join('');
  return letters.toUpperCase() || '?';
}

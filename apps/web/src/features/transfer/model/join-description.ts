/** Tags have no place of their own here: they end the description as '#tag', where search finds them. */
export function joinDescription(text: string, tags: string): string {
  const marks = tags
    .split(/[,;|]/)
    .map((tag) => tag.trim().replace(/\s+/g, '-').replace(/^#*/, ''))
    .filter((tag) => tag !== '')
    .map((tag) => `#${tag}`)
    .join(' ');
  return [text.trim(), marks].filter((part) => part !== '').join('\n');
}

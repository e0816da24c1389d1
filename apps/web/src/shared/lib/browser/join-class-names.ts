/** Joins class names, leaving out what is absent: `joinClassNames('a', active && 'b')`. */
export function joinClassNames(...names: readonly (string | false | null | undefined)[]): string {
  return names.filter(Boolean).join(' ');
}

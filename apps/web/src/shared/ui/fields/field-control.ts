/** Class names of every text control: one border, one focus ring, one error colour. */
export const fieldControlClassName =
  'w-full min-w-0 rounded border border-edge bg-surface px-3 text-base text-ink transition-colors ' +
  'hover:border-ink-faint focus-visible:border-accent focus-visible:outline-2 focus-visible:-outline-offset-1 ' +
  'focus-visible:outline-accent aria-invalid:border-danger aria-invalid:focus-visible:outline-danger ' +
  'disabled:bg-sunken disabled:text-ink-faint read-only:bg-sunken read-only:text-ink-soft ' +
  // 16 px on touch: smaller text makes iOS zoom into the field.
  'pointer-coarse:text-lg';

/** The ids a control is described by, in reading order; undefined when there is neither error nor hint. */
export function describedByOf(id: string, error: string | undefined, hint: unknown): string | undefined {
  const ids = [error ? `${id}-error` : '', hint ? `${id}-hint` : ''].filter(Boolean).join(' ');
  return ids || undefined;
}

/** The look of a tag, pressed or not: quiet, so that titles stay first. */
export const chipClassName =
  'inline-flex h-5 min-w-0 max-w-56 items-center gap-1 rounded-sm bg-sunken px-1.5 text-xs text-ink-soft';

interface TagNamesProps {
  readonly names: readonly string[] | undefined;
  readonly className: string;
}

/** The tags that the owner of a shared link gave it: to be read, no more. */
export function TagNames({ names = [], className }: TagNamesProps) {
  if (names.length === 0) return null;
  return (
    <ul aria-label="Tags" className={`flex min-w-0 gap-1 ${className}`}>
      {names.map((name) => (
        <li key={name} className={chipClassName}>
          <span dir="auto" className="truncate">
            {name}
          </span>
        </li>
      ))}
    </ul>
  );
}

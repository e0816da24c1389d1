/** Class names of every entry of a menu, whether it acts or leads somewhere. */
export function menuItemClassName(tone: 'neutral' | 'danger' = 'neutral'): string {
  return (
    'flex h-8 w-full cursor-default items-center gap-2.5 rounded-sm px-2 text-base outline-none select-none ' +
    'data-disabled:opacity-50 pointer-coarse:h-11 [&_svg]:size-4 [&_svg]:shrink-0 ' +
    (tone === 'danger'
      ? 'text-danger-text data-highlighted:bg-danger-soft'
      : 'text-ink data-highlighted:bg-hover [&_svg]:text-ink-faint')
  );
}

import { initialsOf } from '../lib/initials-of.ts';
import { joinClassNames } from '../lib/join-class-names.ts';

interface AvatarProps {
  readonly name: string;
  readonly size?: 'medium' | 'large';
}

/**
 * A person's initials on the accent's tint. Decorative, drawn by the style sheet: the name always
 * stands beside it or in the label.
 */
export function Avatar({ name, size = 'medium' }: AvatarProps) {
  return (
    <span
      aria-hidden
      data-initials={initialsOf(name)}
      className={joinClassNames(
        'inline-grid shrink-0 before:content-[attr(data-initials)] place-items-center rounded-full bg-accent-soft font-semibold text-accent-text select-none',
        size === 'large' ? 'size-12 text-lg' : 'size-8 text-xs',
      )}
    />
  );
}

import { useState } from 'react';
import { joinClassNames } from '../lib/browser/join-class-names.ts';
import { initialsOf } from '../lib/initials-of.ts';

export interface AvatarProps {
  readonly name: string;
  readonly size?: 'medium' | 'large';
  /** Address of a picture. */
  readonly picture?: string | undefined;
}

/**
 * A person's picture, or their initials on the accent's tint where there is none or it does not come. Decorative, drawn by the style sheet: the name always
 * stands beside it or in the label.
 */
export function Avatar({ name, size = 'medium', picture }: AvatarProps) {
  const [failed, setFailed] = useState<string>();
  const scale = size === 'large' ? 'size-16 text-xl' : 'size-8 text-xs';
  if (picture !== undefined && picture !== failed)
    return (
      <img
        src={picture}
        alt=""
        decoding="async"
        // Whoever keeps the picture need not learn on which page it is looked at.
        referrerPolicy="no-referrer"
        draggable={false}
        style={{ objectFit: 'cover' }}
        className={joinClassNames('shrink-0 rounded-full border border-line bg-accent-soft', scale)}
        onError={() => setFailed(picture)}
      />
    );
  return (
    <span
      aria-hidden
      data-initials={initialsOf(name)}
      className={joinClassNames(
        'inline-grid shrink-0 before:content-[attr(data-initials)] place-items-center rounded-full bg-accent-soft font-semibold text-accent-text select-none',
        scale,
      )}
    />
  );
}

import { Suspense } from 'react';
import { lazyPart } from '../../../../shared/lib/browser/lazy-part.tsx';
import type { Person } from '../../../../shared/lib/session/read-person.ts';
import { Avatar, type AvatarProps } from '../../../../shared/ui/avatar.tsx';

const OwnAvatar = lazyPart(
  () => import('./own-avatar.tsx'),
  (module) => module.OwnAvatar,
);

interface PersonAvatarProps extends Pick<AvatarProps, 'size'> {
  readonly person: Person;
}

/** The signed-in person: the picture they chose, else that of their provider, else their initials. What reads a chosen one comes with it. */
export function PersonAvatar({ person, ...look }: PersonAvatarProps) {
  if (person.ownPicture === undefined)
    return <Avatar name={person.name} picture={person.picture} {...look} />;
  return (
    <Suspense fallback={<Avatar name={person.name} {...look} />}>
      <OwnAvatar person={person} {...look} />
    </Suspense>
  );
}

import type { Person } from '../../../../shared/lib/session/read-person.ts';
import { Avatar, type AvatarProps } from '../../../../shared/ui/avatar.tsx';
import { useOwnPicture } from '../../api/own-picture.ts';

interface OwnAvatarProps extends Pick<AvatarProps, 'size'> {
  readonly person: Person;
}

/** The picture that somebody chose. */
export function OwnAvatar({ person, ...look }: OwnAvatarProps) {
  return <Avatar name={person.name} picture={useOwnPicture(person)} {...look} />;
}

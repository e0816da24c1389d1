import { ACCESS_MESSAGES, describeSignedInAs } from '@linkoteca/domain/access-messages';
import { Link } from '@tanstack/react-router';
import { Ban, Lock, SearchX } from 'lucide-react';
import { AccessScreen } from '../../features/sharing/components/access-screen.tsx';
import { usePerson } from '../../shared/lib/session/session-context.tsx';
import { buttonClassName } from '../../shared/ui/button-class-name.ts';
import { LeftShare } from './left-share.tsx';

/** No such category, or one that is nobody else's business. */
export function MissingScreen({ categoryId }: { readonly categoryId?: string }) {
  return (
    <AccessScreen
      icon={<SearchX aria-hidden />}
      {...ACCESS_MESSAGES.notFound}
      action={
        <>
          {categoryId === undefined ? null : <LeftShare categoryId={categoryId} />}
          <WayOn />
        </>
      }
    />
  );
}

/** Access ended while somebody looked. */
export function RevokedScreen() {
  return <AccessScreen icon={<Ban aria-hidden />} {...ACCESS_MESSAGES.revoked} action={<WayOn />} />;
}

/** Whether they may look could not be asked. */
export function UncheckedScreen() {
  return <AccessScreen icon={<Ban aria-hidden />} {...ACCESS_MESSAGES.unchecked} action={<WayOn />} />;
}

interface DeniedScreenProps {
  readonly categoryId: string;
  readonly from: string;
}

/** Restricted to others. Visitors may be among those who are meant: they sign in and come back. */
export function DeniedScreen({ categoryId, from }: DeniedScreenProps) {
  const person = usePerson();
  const { title, member, visitor } = ACCESS_MESSAGES.denied;
  return (
    <AccessScreen
      icon={<Lock aria-hidden />}
      title={title}
      description={
        person === null ? (
          visitor
        ) : (
          <>
            <p>{member}</p>
            <p className="mt-1 break-words text-ink-faint">{describeSignedInAs(person.email)}</p>
          </>
        )
      }
      action={
        person === null ? (
          <div className="flex gap-2">
            <Link to="/login" search={{ from }} className={buttonClassName('primary', 'large')}>
              {ACCESS_MESSAGES.signIn}
            </Link>
            <Link to="/signup" search={{ from }} className={buttonClassName('secondary', 'large')}>
              {ACCESS_MESSAGES.signUp}
            </Link>
          </div>
        ) : (
          <>
            <LeftShare categoryId={categoryId} />
            <WayOn />
          </>
        )
      }
    />
  );
}

function WayOn() {
  const person = usePerson();
  return (
    <Link to={person === null ? '/' : '/dashboard'} className={buttonClassName('secondary', 'large')}>
      {person === null ? ACCESS_MESSAGES.home : ACCESS_MESSAGES.openLibrary}
    </Link>
  );
}

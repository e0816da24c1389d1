import { ACCESS_MESSAGES, describeSignedInAs } from '@linkoteca/domain/messages/access-messages';
import { RECEIVED_SHARE_MESSAGES as words } from '@linkoteca/domain/messages/sharing-messages';
import { Link } from '@tanstack/react-router';
import { Ban, Lock, SearchX } from 'lucide-react';
import type { ReactNode } from 'react';
import { useReturnToShare } from '../../features/categories/api/leave-share.ts';
import { useHasLeftShare } from '../../features/sharing/api/has-left-share.ts';
import { RequestAccess } from '../../features/sharing/components/request-access.tsx';
import { usePageRecord } from '../../features/sharing/model/use-page-record.ts';
import { useDocumentTitle } from '../../shared/lib/browser/use-document-title.ts';
import { describeError } from '../../shared/lib/describe-error.ts';
import { usePerson } from '../../shared/lib/session/session-context.tsx';
import { Button } from '../../shared/ui/button.tsx';
import { buttonClassName } from '../../shared/ui/button-class-name.ts';
import { EmptyState } from '../../shared/ui/feedback/empty-state.tsx';
import { toast } from '../../shared/ui/feedback/toast.ts';

/** No such category, or one that is nobody else's business. */
export function MissingScreen({ categoryId }: { readonly categoryId?: string }) {
  return (
    <AccessScreen
      icon={<SearchX aria-hidden />}
      {...ACCESS_MESSAGES.notFound}
      action={
        <>
          {categoryId === undefined ? null : <WayIn categoryId={categoryId} />}
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
            <WayIn categoryId={categoryId} />
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

/** For somebody who is signed in: back to what they left, or by asking. */
function WayIn({ categoryId }: { readonly categoryId: string }) {
  const hasLeft = useHasLeftShare(categoryId);
  if (hasLeft === undefined) return null;
  return hasLeft ? <LeftShare categoryId={categoryId} /> : <RequestAccess categoryId={categoryId} />;
}

/** For whoever left this very share: only they can let its owner invite them again. */
function LeftShare({ categoryId }: { readonly categoryId: string }) {
  const returning = useReturnToShare();
  const accept = async () => {
    try {
      const isOpen = await returning.mutateAsync(categoryId);
      toast.success(isOpen ? words.returned : words.accepted);
    } catch (error) {
      toast.error(words.returnFailed, describeError(error, words.tryAgain));
    }
  };
  if (returning.isSuccess) return <p className="mb-3 text-base">{words.accepted}</p>;
  return (
    <div className="mb-3 flex flex-col items-center gap-2">
      <p className="text-base">{words.left}</p>
      <Button variant="primary" size="large" busy={returning.isPending} onClick={() => void accept()}>
        {words.accept}
      </Button>
    </div>
  );
}

interface AccessScreenProps {
  readonly icon: ReactNode;
  readonly title: string;
  readonly description: ReactNode;
  readonly action: ReactNode;
}

/** Stands in place of a category that is not shown, and says why; search engines keep away. */
function AccessScreen(props: AccessScreenProps) {
  useDocumentTitle(props.title);
  usePageRecord(null);
  return <EmptyState heading={1} {...props} />;
}

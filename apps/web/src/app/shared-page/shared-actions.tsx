import { ACCESS_MESSAGES, COPY_MESSAGES } from '@linkoteca/domain/messages/access-messages';
import { Link, useLocation } from '@tanstack/react-router';
import { CopyPlus } from 'lucide-react';
import { LinkViewSwitch } from '../../features/links/components/link-view-switch.tsx';
import type { LinkView } from '../../features/links/model/link-view.ts';
import { usePerson } from '../../shared/lib/session/session-context.tsx';
import { buttonClassName } from '../../shared/ui/button-class-name.ts';
import { CopyAction } from '../organiser/received/copy-action.tsx';
import { useCopyLock } from '../organiser/received/use-copy-lock.ts';

interface SharedActionsProps {
  readonly category: { readonly id: string; readonly name: string };
  readonly isOwn: boolean;
  /** They pressed 'Copiar para minha biblioteca' before they came. */
  readonly cameToCopy: boolean;
  readonly view: LinkView;
  readonly onView: (view: LinkView) => void;
}

function MemberCopy(props: Pick<SharedActionsProps, 'category' | 'cameToCopy'>) {
  return <CopyAction {...props} lock={useCopyLock()} />;
}

/** What a viewer can do: copy it, for which visitors sign up; owners find the way to where they can change it. */
export function SharedActions({ category, isOwn, cameToCopy, view, onView }: SharedActionsProps) {
  const person = usePerson();
  const { pathname } = useLocation();
  return (
    <>
      {isOwn ? (
        <Link
          to="/category/$categoryId"
          params={{ categoryId: category.id }}
          className={buttonClassName('secondary')}
        >
          {ACCESS_MESSAGES.openOwn}
        </Link>
      ) : person === null ? (
        <Link
          to="/signup"
          search={{ from: `${pathname}?app=1&copy=1` }}
          className={buttonClassName('secondary')}
        >
          <CopyPlus aria-hidden />
          {COPY_MESSAGES.action}
        </Link>
      ) : (
        <MemberCopy category={category} cameToCopy={cameToCopy} />
      )}
      <LinkViewSwitch view={view} onView={onView} />
    </>
  );
}

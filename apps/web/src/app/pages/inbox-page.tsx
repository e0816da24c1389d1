import { CAPTURE_MESSAGES, describeInbox } from '@linkoteca/domain/messages/capture-messages';
import { Link } from '@tanstack/react-router';
import { CheckCheck, CloudOff } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useCategories } from '../../features/categories/api/list-categories.ts';
import type { ListedCategory } from '../../features/categories/model/category-rows.ts';
import { useLinks } from '../../features/links/api/list-links.ts';
import { flattenLinks } from '../../features/links/model/link-pages.ts';
import { useDocumentTitle } from '../../shared/lib/browser/use-document-title.ts';
import { useOnline } from '../../shared/lib/connection/connection-context.tsx';
import type { Link as Row } from '../../shared/lib/rows.ts';
import { buttonClassName } from '../../shared/ui/button-class-name.ts';
import { EmptyState } from '../../shared/ui/feedback/empty-state.tsx';
import { LoadError } from '../../shared/ui/feedback/load-error.tsx';
import { Skeleton } from '../../shared/ui/feedback/skeleton.tsx';
import { VisuallyHidden } from '../../shared/ui/visually-hidden.tsx';
import { WaitingSection } from '../captures/waiting-section.tsx';
import { EditHost } from '../organiser/inbox/edit-host.tsx';
import { TidyInbox } from '../organiser/inbox/tidy-inbox.tsx';
import { useInbox } from '../organiser/inbox/use-inbox.ts';
import { PageBody } from './page-body.tsx';

const TEXT = CAPTURE_MESSAGES.tidy;

/** /entrada: what was saved without a place yet, one link at a time, and above it what waits on this device. */
export function InboxPage() {
  const inbox = useInbox();
  const categories = useCategories();
  const name = inbox?.name ?? CAPTURE_MESSAGES.inbox;
  useDocumentTitle(name);
  return (
    <PageBody
      title={name}
      lead={
        inbox && inbox.link_count > 0 ? (
          <>
            {describeInbox(inbox.link_count)} ·{' '}
            <Link
              to="/category/$categoryId"
              params={{ categoryId: inbox.id }}
              className="hit-area text-accent-text hover:underline"
            >
              {TEXT.asList}
            </Link>
          </>
        ) : null
      }
    >
      <WaitingSection />
      {inbox ? (
        <InboxLinks key={inbox.id} inbox={inbox} />
      ) : categories.data === undefined ? (
        <NotThere failed={categories.isError} onRetry={() => void categories.refetch()} />
      ) : (
        <InboxZero />
      )}
    </PageBody>
  );
}

interface InboxLinksProps {
  readonly inbox: ListedCategory;
}

function InboxLinks({ inbox }: InboxLinksProps) {
  const [editing, setEditing] = useState<Row | null>(null);
  return (
    <>
      <InboxBody inbox={inbox} onEdit={setEditing} />
      {/* The form outlives the list: its own save, or another device, may take the last link out of it. */}
      <EditHost link={editing} categoryId={inbox.id} onClose={() => setEditing(null)} />
    </>
  );
}

interface InboxBodyProps extends InboxLinksProps {
  readonly onEdit: (link: Row) => void;
}

function InboxBody({ inbox, onEdit }: InboxBodyProps) {
  const query = useLinks(inbox.id, inbox.is_manual);
  const online = useOnline();
  const [first, ...rest] = query.data ? flattenLinks(query.data) : [];
  const loadMore = () => {
    if (online && query.hasNextPage && !query.isFetching && !query.isFetchNextPageError)
      void query.fetchNextPage();
  };
  useEffect(() => {
    if (!first) loadMore();
  });
  if (first) return <TidyInbox links={[first, ...rest]} onNearEnd={loadMore} onEdit={onEdit} />;
  if (query.data === undefined)
    return <NotThere failed={query.isError} onRetry={() => void query.refetch()} />;
  if (query.hasNextPage)
    return <NotThere failed={query.isFetchNextPageError} onRetry={() => void query.fetchNextPage()} />;
  return <InboxZero />;
}

function InboxZero() {
  return (
    <EmptyState
      icon={<CheckCheck aria-hidden />}
      title={TEXT.done}
      description={TEXT.doneWhy}
      action={
        <Link to="/salvar-de-qualquer-lugar" className={buttonClassName()}>
          {CAPTURE_MESSAGES.anywhere.title}
        </Link>
      }
    />
  );
}

interface NotThereProps {
  readonly failed: boolean;
  readonly onRetry: () => void;
}

/** Stands there until the links have come. */
function NotThere({ failed, onRetry }: NotThereProps) {
  const online = useOnline();
  if (!online)
    return <EmptyState icon={<CloudOff aria-hidden />} title={TEXT.unseen} description={TEXT.unseenWhy} />;
  if (failed) return <LoadError title={TEXT.unread} description={TEXT.unreadWhy} onRetry={onRetry} />;
  return (
    <div aria-busy="true">
      <VisuallyHidden>
        <span role="status">Carregando...</span>
      </VisuallyHidden>
      <div className="max-w-prose rounded-lg border border-line bg-surface p-5">
        <Skeleton className="h-6 w-2/3" />
        <Skeleton className="mt-3 h-4 w-40" />
        <Skeleton className="mt-8 h-9 w-full" />
        <Skeleton className="mt-2 h-9 w-full" />
        <Skeleton className="mt-2 h-9 w-full" />
      </div>
    </div>
  );
}

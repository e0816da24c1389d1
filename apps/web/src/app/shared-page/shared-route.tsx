import { ACCESS_MESSAGES } from '@linkoteca/domain/messages/access-messages';
import { SHARING_MESSAGES } from '@linkoteca/domain/messages/sharing-messages';
import { readSharedId, sharedPath } from '@linkoteca/domain/sharing';
import { QueryClientProvider } from '@tanstack/react-query';
import { useLocation, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { Lock } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useSharedCategory, type ViewedCategory } from '../../features/sharing/api/read-shared-category.ts';
import { useSharedChanges } from '../../features/sharing/api/use-shared-changes.ts';
import { classifyViewing, type Viewing } from '../../features/sharing/model/classify-viewing.ts';
import { sendPageProof } from '../../features/sharing/model/page-proof.ts';
import { usePageRecord } from '../../features/sharing/model/use-page-record.ts';
import { useDocumentTitle } from '../../shared/lib/browser/use-document-title.ts';
import { useConnection } from '../../shared/lib/connection/connection-context.tsx';
import { createQueryClient } from '../../shared/lib/create-query-client.ts';
import { useSession } from '../../shared/lib/session/session-context.tsx';
import { DatabaseContext, useBackend } from '../../shared/lib/supabase/backend-context.tsx';
import { createDatabaseClient } from '../../shared/lib/supabase/create-database-client.ts';
import { Badge } from '../../shared/ui/badge.tsx';
import { toast } from '../../shared/ui/feedback/toast.ts';
import { SharedHead } from '../../views/shared-head.tsx';
import { LimitedAccessScreen } from '../organiser/received/limited-access-screen.tsx';
import { useReceivedLimitToast } from '../organiser/received/use-received-limit-toast.ts';
import { followConnection } from '../shell/follow-connection.ts';
import { DeniedScreen, MissingScreen } from './access-screens.tsx';
import { LockedScreen } from './locked-screen.tsx';
import { SharedActions } from './shared-actions.tsx';
import { SharedFrame } from './shared-frame.tsx';
import { SharedLinks, useLinkView } from './shared-links.tsx';
import { SharedSkeleton } from './shared-skeleton.tsx';

/** /shared/…, for everybody: whoever they are, the database says what they see. */
export function SharedRoute() {
  const { address } = useParams({ from: '/shared/$address' });
  const session = useSession();
  const id = readSharedId(address);
  // Who has a second factor to prove is a visitor until then.
  const userId = session.status === 'signed-in' && session.pending.length === 0 ? session.person.id : null;
  return (
    <SharedFrame from={`/shared/${encodeURIComponent(address)}`}>
      {id === null ? (
        <MissingScreen />
      ) : session.status === 'loading' ? (
        <SharedSkeleton />
      ) : (
        // Another person is another look: nothing that one saw stays for the next.
        <SharedData key={`${userId}-${id}`} categoryId={id}>
          <Arrival categoryId={id} />
        </SharedData>
      )}
    </SharedFrame>
  );
}

/** Reads once how somebody came, and leaves the address as one would pass it on. */
function Arrival({ categoryId }: { readonly categoryId: string }) {
  const search = useSearch({ from: '/shared/$address' });
  const navigate = useNavigate();
  const [arrival] = useState(search);
  const plain = Object.values(search).every((value) => value === undefined);

  useEffect(() => {
    if (!plain) void navigate({ to: '.', search: {}, replace: true });
  }, [plain, navigate]);
  return (
    <SharedPage
      categoryId={categoryId}
      cameRevoked={arrival.revoked !== undefined}
      cameToCopy={arrival.copy !== undefined}
      cameToFilter={arrival.filter !== undefined}
    />
  );
}

interface SharedDataProps {
  readonly categoryId: string;
  readonly children: ReactNode;
}

/** The table client and a query cache for one viewer of a public page: nothing of it is kept on the device. */
function SharedData({ categoryId, children }: SharedDataProps) {
  const { config, auth } = useBackend();
  const connection = useConnection();
  const [database] = useState(() =>
    createDatabaseClient(config, auth, sendPageProof(categoryId, connection?.request)),
  );
  const [queryClient] = useState(() => {
    if (connection) followConnection(connection);
    return createQueryClient();
  });
  return (
    <DatabaseContext value={database}>
      <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>
    </DatabaseContext>
  );
}

interface SharedPageProps {
  readonly categoryId: string;
  /** It was on the screen, elsewhere, until access ended. */
  readonly cameRevoked: boolean;
  readonly cameToCopy: boolean;
  readonly cameToFilter: boolean;
}

/** A shared category, or why it is not shown: checked at once, again when something changes, and every 3 s. */
function SharedPage({ categoryId, cameRevoked, ...came }: SharedPageProps) {
  const { address } = useParams({ from: '/shared/$address' });
  const { data, isLoadingError } = useSharedCategory(categoryId);
  useSharedChanges(categoryId);
  const wasGranted = useRef(cameRevoked);
  const viewing = classifyViewing({ category: data, failed: isLoadingError, wasGranted: wasGranted.current });
  if (viewing.state === 'granted') wasGranted.current = true;
  useLeaveShared(viewing.state);

  switch (viewing.state) {
    case 'granted':
      return <Granted categoryId={categoryId} category={viewing.category} {...came} />;
    case 'limited':
      return <SharedLimit categoryId={categoryId} />;
    case 'locked':
      return <LockedScreen categoryId={categoryId} />;
    case 'missing':
      return <MissingScreen categoryId={categoryId} />;
    case 'denied':
      return <DeniedScreen categoryId={categoryId} from={`/shared/${encodeURIComponent(address)}`} />;
    default:
      return <SharedSkeleton />;
  }
}

interface GrantedProps {
  readonly categoryId: string;
  readonly category: ViewedCategory;
  readonly cameToCopy: boolean;
  readonly cameToFilter: boolean;
}

const HEAD_LOOK = {
  frame: 'flex-wrap items-end justify-between gap-x-6',
  words: 'flex-1 basis-72',
  name: 'text-2xl',
  facts: 'items-center gap-2',
  actions: 'flex-wrap',
} as const;

function Granted({ categoryId, category, cameToCopy, cameToFilter }: GrantedProps) {
  const [view, setView] = useLinkView();
  const { name, description, ownerName, linkCount, updatedAt, standing } = category;
  useDocumentTitle(name);
  usePageRecord(standing === 'public' ? sharedPath({ id: categoryId, name }) : null);
  return (
    <>
      <SharedHead
        name={name}
        description={description}
        owner={ownerName}
        linkCount={linkCount}
        updatedAt={updatedAt}
        look={HEAD_LOOK}
        badge={
          standing === 'invited' ? (
            <Badge tone="neutral">
              <Lock aria-hidden />
              {ACCESS_MESSAGES.restricted}
            </Badge>
          ) : null
        }
        actions={
          <SharedActions
            category={{ id: categoryId, name }}
            isOwn={standing === 'owner'}
            cameToCopy={cameToCopy}
            view={view}
            onView={setView}
          />
        }
      />
      <div className="mt-5">
        <SharedLinks category={{ id: categoryId, name, linkCount }} view={view} cameToFilter={cameToFilter} />
      </div>
    </>
  );
}

/** A category that one was invited to, and that the free plan does not open: only one share is. */
function SharedLimit({ categoryId }: { readonly categoryId: string }) {
  const tell = useReceivedLimitToast();
  useDocumentTitle(SHARING_MESSAGES.limitedAccess);
  usePageRecord(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: said once, when the screen appears
  useEffect(() => tell(), []);
  return <LimitedAccessScreen categoryId={categoryId} />;
}

/** One at a time: a page that is left twice says so once. */
const TOAST_ID = 'shared-access';

/**
 * Goes to / with the words of section 8 where access has ended, or could not be checked. There the revoked screen stands
 * for whoever lost access; a check that failed can be tried again.
 */
function useLeaveShared(state: Viewing['state']): void {
  const navigate = useNavigate();
  const pathname = useLocation({ select: (location) => location.pathname });

  // biome-ignore lint/correctness/useExhaustiveDependencies: on the way out the path changes, what happened does not
  useEffect(() => {
    if (state === 'revoked') {
      toast.error(ACCESS_MESSAGES.revokedOrUnavailable, undefined, { id: TOAST_ID });
      void navigate({ to: '/', replace: true, state: { accessRevoked: true } });
    } else if (state === 'failed') {
      const onPress = () => void navigate({ to: pathname });
      toast.error(ACCESS_MESSAGES.checkFailed, undefined, {
        id: TOAST_ID,
        action: { label: ACCESS_MESSAGES.retry, onPress },
      });
      void navigate({ to: '/', replace: true, state: { accessUnchecked: true } });
    }
  }, [state, navigate]);
}

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** Access to a shared category ended while it was on the screen. */
    accessRevoked?: true;
    /** It could not be checked. */
    accessUnchecked?: true;
  }
}

import { CATEGORY_MESSAGES } from '@linkoteca/domain/messages/category-messages';
import { FAVORITE_MESSAGES } from '@linkoteca/domain/messages/favorite-messages';
import { OFFLINE_MESSAGES } from '@linkoteca/domain/messages/offline-messages';
import { describeSharingLock } from '@linkoteca/domain/messages/plan-messages';
import { describeSharedBy, RECEIVED_SHARE_MESSAGES } from '@linkoteca/domain/messages/sharing-messages';
import { sharingModeOf } from '@linkoteca/domain/sharing';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { CloudOff } from 'lucide-react';
import { type ReactNode, Suspense, useEffect, useState } from 'react';
import { useCheckSharingPlan, usePlan } from '../../features/account/api/subscription.ts';
import { useLinkAllowance } from '../../features/account/api/usage.ts';
import { useCategories } from '../../features/categories/api/list-categories.ts';
import { useReceivedFolders } from '../../features/categories/api/list-received-folders.ts';
import { useReceivedShares } from '../../features/categories/api/list-received-shares.ts';
import { useBeginShowSharing } from '../../features/categories/api/show-sharing.ts';
import { CategoryHeader } from '../../features/categories/components/category-header.tsx';
import type { ListedCategory } from '../../features/categories/model/category-rows.ts';
import { rememberOpenedCategory } from '../../features/categories/model/opened-category.ts';
import { usePrefetchLinks } from '../../features/links/api/list-links.ts';
import { LinkBrowser } from '../../features/links/components/link-browser.tsx';
import { LinksSkeleton } from '../../features/links/components/links-skeleton.tsx';
import type { LinkTagging } from '../../features/links/model/link-tagging.ts';
import { ShareMenu } from '../../features/sharing/components/share-menu.tsx';
import { SharingBadge } from '../../features/sharing/components/sharing-badge.tsx';
import { lazyPart } from '../../shared/lib/browser/lazy-part.tsx';
import { useDocumentTitle } from '../../shared/lib/browser/use-document-title.ts';
import { useNarrowScreen } from '../../shared/lib/browser/use-narrow-screen.ts';
import { useOnline } from '../../shared/lib/connection/connection-context.tsx';
import { useUserId } from '../../shared/lib/session/session-context.tsx';
import { useBackend } from '../../shared/lib/supabase/backend-context.tsx';
import { useKeptWhile } from '../../shared/lib/writes/use-kept-while.ts';
import { useSingleFlight } from '../../shared/lib/writes/use-single-flight.ts';
import { EmptyState } from '../../shared/ui/feedback/empty-state.tsx';
import { LoadError } from '../../shared/ui/feedback/load-error.tsx';
import { Skeleton } from '../../shared/ui/feedback/skeleton.tsx';
import { toast } from '../../shared/ui/feedback/toast.ts';
import { IconButton } from '../../shared/ui/icon-button.tsx';
import { Star } from '../../shared/ui/star.tsx';
import { useOrganiserDialogs } from './dialogs/organiser-dialogs-context.ts';
import { useStars } from './favorites/use-stars.ts';
import { DropTrayHost } from './moving/drop-tray-host.tsx';
import { useOwnOrder } from './ordering/use-own-order.ts';
import { loadReceived } from './received/load-received.ts';
import { useCopyLock } from './received/use-copy-lock.ts';
import { useReceivedAccess } from './received/use-received-access.ts';
import { useLibrary } from './use-library.ts';
import { useLibraryCounting } from './use-library-counting.ts';
import { useLinkDeletion } from './use-link-deletion.ts';
import { useLinkPlaces } from './use-link-places.ts';
import { useShownLinkChoice } from './use-open-category.ts';
import { useSharingGate } from './use-sharing-gate.ts';

// Where one reads what others share.
const AccessPoll = lazyPart(loadReceived, (module) => module.AccessPoll);
const CopyAction = lazyPart(loadReceived, (module) => module.CopyAction);
const SeeCategory = lazyPart(loadReceived, (module) => module.SeeCategory);
const LimitedAccessScreen = lazyPart(loadReceived, (module) => module.LimitedAccessScreen);
const PublicLink = lazyPart(
  () => import('../../features/sharing/components/public-link.tsx'),
  (module) => module.PublicLink,
);

const PeopleHere = lazyPart(
  () => import('./shared-folders/people-here.tsx'),
  (module) => module.PeopleHere,
);

const loadTagging = () => import('./tags/tagging-host.tsx');
const TaggingHost = lazyPart(loadTagging, (module) => module.TaggingHost);

/** One category with its links: one's own, or one that someone shares, which is read only. */
export function CategoryPage({ categoryId }: { readonly categoryId: string }) {
  const library = useLibrary();
  const online = useOnline();
  const { shares, folderOf, accessOf } = useReceivedAccess();
  const [editing, setEditing] = useState(false);
  const own = useKeptWhile(editing, library.findCategory(categoryId));
  const received = shares.find((share) => share.id === categoryId);
  const sharedFolder = own ? undefined : folderOf(categoryId);
  const mayWrite = own !== undefined || sharedFolder?.mayWrite === true;
  const isManual = (own?.is_manual ?? received?.isManual) === true;
  usePrefetchLinks(categoryId, isManual);
  useDocumentTitle(own?.name ?? received?.name ?? 'Categoria');
  const retry = useLeaveWhenMissing(own !== undefined || received !== undefined);
  const userId = useUserId();
  const isOwn = own !== undefined;
  const order = useOwnOrder({ id: categoryId, isOwn, isManual });
  useEffect(() => {
    if (isOwn) rememberOpenedCategory(userId, categoryId);
  }, [isOwn, userId, categoryId]);
  const allowance = useLinkAllowance();
  const counting = useLibraryCounting();
  const places = useLinkPlaces(sharedFolder);
  const ask = useOrganiserDialogs();
  const share = useShareCategory();
  useOpenSharing(own, share);
  const narrow = useNarrowScreen();
  const followDeletion = useLinkDeletion();
  const shown = useShownLinkChoice();
  const stars = useStars();
  const { plan } = usePlan();
  const [tagging, setTagging] = useState<LinkTagging | null>(null);
  // Asked here, not where it is shown: what shows it stands or falls with the plan, too, and asking anew would take it away.
  const copyLock = useCopyLock();

  const access = own ? 'open' : accessOf(categoryId);
  if (access === 'limited')
    return (
      <Suspense>
        <LimitedAccessScreen categoryId={categoryId} />
      </Suspense>
    );
  if ((own === undefined && received === undefined) || access === 'unknown') {
    return (
      <PageFrame>
        {retry ? (
          <LoadError
            title={CATEGORY_MESSAGES.loadOneFailed}
            description={library.failed?.description ?? RECEIVED_SHARE_MESSAGES.tryAgain}
            onRetry={retry}
          />
        ) : online || library.loading ? (
          <CategorySkeleton />
        ) : (
          <EmptyState icon={<CloudOff aria-hidden />} {...OFFLINE_MESSAGES.categoryNotKept} />
        )}
      </PageFrame>
    );
  }
  const folder = library.folders.find(({ id }) => id === own?.folder_id);
  const category = {
    id: categoryId,
    name: own?.name ?? received?.name ?? '',
    linkCount: own?.link_count ?? null,
  };
  // What is shared from better days can still be shared less.
  const shareLock = own && sharingModeOf(own) === 'private' ? describeSharingLock(plan) : null;
  return (
    <PageFrame>
      <LinkBrowser
        category={category}
        header={
          <CategoryHeader
            folderName={own ? (folder?.name ?? '') : (sharedFolder?.name ?? 'Compartilhados')}
            name={category.name}
            description={own?.description ?? received?.description ?? null}
            linkCount={category.linkCount}
            note={own ? null : describeSharedBy(received?.ownerName ?? null)}
            // Where nobody else may write nobody is met.
            people={
              (own ? plan?.sharing : mayWrite) ? (
                <Suspense>
                  <PeopleHere categoryId={categoryId} />
                </Suspense>
              ) : null
            }
            star={
              <CategoryStar
                on={stars.ids.has(categoryId)}
                onPress={() => stars.toggle({ kind: 'category', id: categoryId })}
              />
            }
            // What is received was shared with a list of addresses.
            badge={<SharingBadge mode={own ? sharingModeOf(own) : 'restricted'} />}
            link={
              own?.is_public ? (
                <Suspense fallback={<div className="mt-0.5 h-6 pointer-coarse:h-11" />}>
                  <PublicLink category={own} />
                </Suspense>
              ) : null
            }
            action={
              own ? null : (
                <Suspense fallback={<div className="h-8 pointer-coarse:h-11" />}>
                  <CopyAction
                    category={category}
                    variant="secondary"
                    lock={copyLock}
                    onHistory={
                      mayWrite ? () => ask({ kind: 'history', category, ofMembers: true }) : undefined
                    }
                  />
                </Suspense>
              )
            }
          />
        }
        readOnly={!mayWrite}
        isOwn={own !== undefined}
        {...places}
        // What is added to somebody's folder takes a place of theirs.
        allowance={own ? allowance : null}
        shown={shown}
        stars={{ ids: stars.ids, toggle: (link) => stars.toggle({ kind: 'link', id: link.id, link }) }}
        tagging={tagging}
        onEditing={setEditing}
        beginCountLinks={counting.links}
        order={order}
        onShare={own ? () => void share(own) : null}
        shareLock={shareLock}
        shareMenu={
          own ? <ShareMenuHost category={own} lock={shareLock} onMore={() => void share(own)} /> : null
        }
        onAdd={() => ask({ kind: 'add-link' })}
        onDelete={followDeletion}
        onMove={(move) => ask({ kind: 'move-links', move })}
      />
      <Suspense>
        {/* Of a shared folder the list of folders tells. */}
        {own ? null : sharedFolder ? (
          <SeeCategory categoryId={categoryId} />
        ) : (
          <AccessPoll categoryId={categoryId} />
        )}
        <TaggingHost received={own ? null : { id: categoryId, isManual, mayWrite }} onTagging={setTagging} />
      </Suspense>
      {narrow ? <DropTrayHost side="foot" /> : null}
    </PageFrame>
  );
}

interface CategoryStarProps {
  readonly on: boolean;
  readonly onPress: () => void;
}

function CategoryStar({ on, onPress }: CategoryStarProps) {
  return (
    <IconButton
      label={on ? FAVORITE_MESSAGES.remove : FAVORITE_MESSAGES.add}
      className="-mx-1.5 self-center"
      onClick={onPress}
    >
      <Star filled={on} className={on ? 'text-accent-text' : undefined} />
    </IconButton>
  );
}

interface ShareMenuHostProps {
  readonly category: ListedCategory;
  readonly lock: string | null;
  readonly onMore: () => void;
}

/** The menu beside 'Compartilhar', with what it changes in the library around it. */
function ShareMenuHost({ category, lock, onMore }: ShareMenuHostProps) {
  const ask = useOrganiserDialogs();
  const { publicPagesDrawn } = useBackend().config;
  return (
    <ShareMenu
      category={category}
      mode={sharingModeOf(category)}
      lock={lock}
      beginShow={useBeginShowSharing()}
      isAllowed={useCheckSharingPlan()}
      onGate={useSharingGate()}
      onFollow={
        publicPagesDrawn
          ? () => ask({ kind: 'feed', subject: { categoryId: category.id }, name: category.name })
          : undefined
      }
      onMore={onMore}
    />
  );
}

function PageFrame({ children }: { readonly children: ReactNode }) {
  return <div className="mx-auto max-w-page px-4 py-5 md:px-8 md:py-7">{children}</div>;
}

/**
 * Goes to the dashboard when the category is neither one's own nor shared. Lists that were cached before this page
 * opened may not know it yet, so they are asked again first.
 * @returns how to ask again for what could not be read; null while all is well.
 */
function useLeaveWhenMissing(found: boolean): (() => void) | null {
  const lists = [useCategories(), useReceivedShares(), useReceivedFolders()] as const;
  const navigate = useNavigate();
  const [openedAt] = useState(Date.now);
  const isSettled = (query: (typeof lists)[number]) => query.isSuccess && !query.isFetching;
  const isFresh = (query: (typeof lists)[number]) => isSettled(query) && query.dataUpdatedAt >= openedAt;
  const askAgain = !found && lists.some((query) => isSettled(query) && !isFresh(query));
  const missing = !found && lists.every(isFresh);
  const retry = () => {
    for (const { refetch } of lists) void refetch();
  };

  // biome-ignore lint/correctness/useExhaustiveDependencies: how to ask is new in every render, when to ask is not
  useEffect(() => {
    if (askAgain) retry();
  }, [askAgain]);

  useEffect(() => {
    if (!missing) return;
    toast.error(CATEGORY_MESSAGES.notFoundOrForbidden);
    void navigate({ to: '/dashboard', replace: true });
  }, [missing, navigate]);

  // What was never read has its failures counted until it succeeds, also while it is asked for again.
  return lists.some((query) => query.isError || (!query.data && query.errorUpdateCount > 0)) ? retry : null;
}

/** The shape of a category before anything of it is known. */
export function CategorySkeleton() {
  return (
    <>
      <h1 className="sr-only">Categoria</h1>
      <Skeleton className="h-3.5 w-32" />
      <Skeleton className="mt-3 h-6 w-56" />
      <div className="mt-8">
        <LinksSkeleton view="grid" />
      </div>
    </>
  );
}

/** Opens the sharing dialog for whoever comes to it, once, and leaves the address as it always is. */
function useOpenSharing(own: ListedCategory | undefined, share: (category: ListedCategory) => unknown): void {
  // Not strict: the dashboard shows categories, too.
  const wanted = useSearch({ strict: false }).share !== undefined && own;
  const navigate = useNavigate();
  // biome-ignore lint/correctness/useExhaustiveDependencies: once it is known whose it is
  useEffect(() => {
    if (!wanted) return;
    void navigate({ to: '.', search: {}, replace: true });
    share(wanted);
  }, [wanted]);
}

/**
 * Opens the sharing dialog. A plan without sharing gets a notice instead, unless the category is shared from better days:
 * then it can be shared less.
 */
export function useShareCategory(): (category: ListedCategory) => Promise<void> {
  const ask = useOrganiserDialogs();
  const isAllowed = useCheckSharingPlan();
  const stop = useSharingGate();
  return useSingleFlight(async (category: ListedCategory) => {
    const canExtend = await isAllowed();
    if (canExtend || sharingModeOf(category) !== 'private') ask({ kind: 'share', category, canExtend });
    else stop();
  });
}

import { RECENT_CATEGORIES } from '@linkoteca/domain/limits';
import { describeFullPlan, PLAN_MESSAGES } from '@linkoteca/domain/messages/plan-messages';
import { Link } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { useLibraryCounts, useLinkAllowance } from '../../features/account/api/usage.ts';
import { ReceivedCards } from '../../features/categories/components/received-cards.tsx';
import type { ListedCategory } from '../../features/categories/model/category-rows.ts';
import { readOpenedCategory } from '../../features/categories/model/opened-category.ts';
import { useCategoryFaces } from '../../features/dashboard/api/list-category-faces.ts';
import { useRecentLinks } from '../../features/dashboard/api/list-recent-links.ts';
import type { RecentCategory } from '../../features/dashboard/components/category-card.tsx';
import { Dashboard } from '../../features/dashboard/components/dashboard.tsx';
import { RecentLinks } from '../../features/dashboard/components/recent-links.tsx';
import { FavoriteChips } from '../../features/favorites/components/favorite-chips.tsx';
import { lazyPart } from '../../shared/lib/browser/lazy-part.tsx';
import { useDocumentTitle } from '../../shared/lib/browser/use-document-title.ts';
import { useShortcut } from '../../shared/lib/browser/use-shortcut.ts';
import { usePerson, useUserId } from '../../shared/lib/session/session-context.tsx';
import { useOrganiserDialogs } from './dialogs/organiser-dialogs-context.ts';
import { useFavoriteEntries } from './favorites/use-favorite-entries.ts';
import { useStars } from './favorites/use-stars.ts';
import { useReceivedAccess } from './received/use-received-access.ts';
import { useCategoryIntent } from './use-category-intent.ts';
import { useLibrary } from './use-library.ts';
import { useOpenCategory } from './use-open-category.ts';

/** Only an empty library needs it, and what creates folders, categories and links with it. */
const FirstLink = lazyPart(
  () => import('./first-link.tsx'),
  (module) => module.FirstLink,
);

/** What others offer is asked for when all else is on its way. */
const AvailableFolders = lazyPart(
  () => import('../../features/sharing/components/available-folders.tsx'),
  (module) => module.AvailableFolders,
);

const NOTHING = { folders: 0, categories: 0, links: 0 } as const;

/** The dashboard's body. What cannot be read counts as nothing. */
export function DashboardPage() {
  useDocumentTitle('Início');
  const person = usePerson();
  const library = useLibrary();
  const counts = useLibraryCounts();
  const addLock = describeFullPlan('maxLinks', useLinkAllowance());
  const recentLinks = useRecentLinks();
  const openCategory = useOpenCategory();
  const intent = useCategoryIntent();
  const ask = useOrganiserDialogs();
  const add = () => ask({ kind: 'add-link' });
  useShortcut('n', add);
  const entries = useFavoriteEntries(useStars().favorites);
  const last = useLastCategory(library.findCategory, recentLinks);
  const newest = library.categories.slice(0, RECENT_CATEGORIES);
  const shown = last && !newest.includes(last) ? [...newest, last] : newest;
  const faces = useCategoryFaces(
    library.loading || last === undefined ? null : shown.map(({ id }) => id).toSorted(),
  );
  const cardOf = (category: ListedCategory): RecentCategory => ({
    id: category.id,
    name: category.name,
    description: category.description,
    linkCount: category.link_count,
    folderId: category.folder_id,
    folderName: library.folders.find(({ id }) => id === category.folder_id)?.name ?? '',
    faces: faces.get(category.id),
  });
  const recent = newest.map(cardOf);
  return (
    <div {...intent}>
      <Dashboard
        personName={person?.firstName || person?.name || ''}
        stats={counts.data ?? (counts.isError ? NOTHING : null)}
        recent={library.loading && !library.failed ? null : recent}
        last={last ? cardOf(last) : null}
        favorites={
          <>
            <Suspense>
              <AvailableFolders
                plansLink={
                  <Link to="/plans" className="hit-area text-sm text-accent-text hover:underline">
                    {PLAN_MESSAGES.seePlans}
                  </Link>
                }
              />
            </Suspense>
            <FavoriteChips entries={entries} onOpenCategory={openCategory} />
          </>
        }
        firstStep={
          library.failed ? null : (
            <Suspense>
              <FirstLink folder={library.folders[0]} />
            </Suspense>
          )
        }
        received={<ReceivedHost />}
        addLock={addLock}
        onAdd={library.categories.length > 0 ? add : null}
        onOpenCategory={openCategory}
      >
        {recent.length === 0 && !library.loading ? null : (
          <RecentLinks
            links={recentLinks.data ?? null}
            failed={recentLinks.isError}
            nameOfCategory={(id) => library.findCategory(id)?.name}
            seeAll={
              <Link to="/search" className="hit-area text-sm text-accent-text hover:underline">
                Ver todos os links
              </Link>
            }
            onRetry={() => void recentLinks.refetch()}
            onOpenCategory={openCategory}
          />
        )}
      </Dashboard>
    </div>
  );
}

/**
 * Where the person was: the category of theirs that they looked at last in this browser, else that of the newest link, else none (null);
 * undefined while it is not known yet.
 */
function useLastCategory(
  findCategory: (id: string) => ListedCategory | undefined,
  newestLinks: ReturnType<typeof useRecentLinks>,
): ListedCategory | null | undefined {
  const userId = useUserId();
  const [openedId] = useState(() => readOpenedCategory(userId));
  const opened = openedId === null ? undefined : findCategory(openedId);
  if (opened || newestLinks.isPending) return opened;
  return findCategory(newestLinks.data?.[0]?.category_id ?? '') ?? null;
}

/** What others share with the person, first what the plan opens, the latest first; of the others each says why it does not open. */
function ReceivedHost() {
  const { shares, accessOf } = useReceivedAccess();
  const openCategory = useOpenCategory();
  const ask = useOrganiserDialogs();
  const isLimited = (categoryId: string) => accessOf(categoryId) === 'limited';
  const latestFirst = shares.toSorted(
    (a, b) => Number(isLimited(a.id)) - Number(isLimited(b.id)) || b.sharedAt.localeCompare(a.sharedAt),
  );
  return (
    <ReceivedCards
      shares={latestFirst.slice(0, RECENT_CATEGORIES)}
      isLimited={isLimited}
      onOpen={(categoryId) =>
        isLimited(categoryId) ? ask({ kind: 'limited-access', categoryId }) : openCategory(categoryId)
      }
    />
  );
}

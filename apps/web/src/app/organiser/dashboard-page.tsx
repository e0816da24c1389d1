import { RECENT_CATEGORIES } from '@linkoteca/domain/limits';
import { pickHue } from '@linkoteca/domain/pick-hue';
import { Link } from '@tanstack/react-router';
import { Suspense } from 'react';
import { useLibraryCounts } from '../../features/account/api/usage.ts';
import { useRecentLinks } from '../../features/dashboard/api/list-recent-links.ts';
import { Dashboard } from '../../features/dashboard/components/dashboard.tsx';
import { RecentLinks } from '../../features/dashboard/components/recent-links.tsx';
import { lazyPart } from '../../shared/lib/browser/lazy-part.tsx';
import { useDocumentTitle } from '../../shared/lib/browser/use-document-title.ts';
import { useShortcut } from '../../shared/lib/browser/use-shortcut.ts';
import { usePerson } from '../../shared/lib/session/session-context.tsx';
import { useOrganiserDialogs } from './dialogs/organiser-dialogs-context.ts';
import { useCategoryIntent } from './use-category-intent.ts';
import { useLibrary } from './use-library.ts';
import { useOpenCategory } from './use-open-category.ts';

/** Only an empty library needs it, and what creates folders, categories and links with it. */
const FirstLink = lazyPart(
  () => import('./first-link.tsx'),
  (module) => module.FirstLink,
);

const NOTHING = { folders: 0, categories: 0, links: 0 } as const;

/** The dashboard's body. What cannot be read counts as nothing. */
export function DashboardPage() {
  useDocumentTitle('Início');
  const person = usePerson();
  const library = useLibrary();
  const counts = useLibraryCounts();
  const recentLinks = useRecentLinks();
  const openCategory = useOpenCategory();
  const intent = useCategoryIntent();
  const ask = useOrganiserDialogs();
  const add = () => ask({ kind: 'add-link' });
  useShortcut('n', add);
  const recent = library.categories.slice(0, RECENT_CATEGORIES).map((category) => ({
    id: category.id,
    name: category.name,
    description: category.description,
    linkCount: category.link_count,
    folderName: library.folders.find(({ id }) => id === category.folder_id)?.name ?? '',
    colour: `var(--folder-${pickHue(category.folder_id) + 1})`,
  }));
  return (
    <div {...intent}>
      <Dashboard
        personName={person?.firstName || person?.name || ''}
        stats={counts.data ?? (counts.isError ? NOTHING : null)}
        recent={library.loading && !library.failed ? null : recent}
        firstStep={
          library.failed ? null : (
            <Suspense>
              <FirstLink folder={library.folders[0]} />
            </Suspense>
          )
        }
        onAdd={library.categories.length > 0 ? add : null}
        onOpenCategory={openCategory}
      >
        {recent.length === 0 && !library.loading ? null : (
          <RecentLinks
            links={recentLinks.data ?? null}
            failed={recentLinks.isError}
            nameOfCategory={(id) => library.findCategory(id)?.name}
            seeAll={
              <Link to="/search" className="text-sm text-accent-text hover:underline">
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

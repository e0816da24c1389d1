import { RECENT_CATEGORIES } from '@linkoteca/domain/limits';
import { pickHue } from '@linkoteca/domain/pick-hue';
import { Link } from '@tanstack/react-router';
import { FolderPlus, Library, Plus } from 'lucide-react';
import { useLibraryCounts } from '../../features/account/api/usage.ts';
import { useRecentLinks } from '../../features/dashboard/api/list-recent-links.ts';
import { Dashboard } from '../../features/dashboard/components/dashboard.tsx';
import { RecentLinks } from '../../features/dashboard/components/recent-links.tsx';
import { useDocumentTitle } from '../../shared/lib/browser/use-document-title.ts';
import type { Folder } from '../../shared/lib/rows.ts';
import { usePerson } from '../../shared/lib/session/session-context.tsx';
import { Button } from '../../shared/ui/button.tsx';
import { buttonClassName } from '../../shared/ui/button-class-name.ts';
import { EmptyState } from '../../shared/ui/feedback/empty-state.tsx';
import { useOrganiserDialogs } from './dialogs/organiser-dialogs-context.ts';
import { useCategoryIntent } from './use-category-intent.ts';
import { useLibrary } from './use-library.ts';
import { useOpenCategory } from './use-open-category.ts';

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
  const recent = library.categories.slice(0, RECENT_CATEGORIES).map((category) => ({
    id: category.id,
    name: category.name,
    description: category.description,
    linkCount: category.link_count,
    colour: `var(--folder-${pickHue(category.folder_id) + 1})`,
  }));
  return (
    <div {...intent}>
      <Dashboard
        personName={person?.firstName || person?.name || ''}
        stats={counts.data ?? (counts.isError ? NOTHING : null)}
        recent={library.loading && !library.failed ? null : recent}
        firstStep={library.failed ? null : <FirstStep folder={library.folders[0]} />}
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

interface FirstStepProps {
  /** Where a first category may go; undefined while there is no folder. */
  readonly folder: Folder | undefined;
}

/**
 * Teaches the order of things: a folder, in it a category, in it links. It reads nothing itself: a reader that comes and
 * goes with the answer would ask again each time, for ever when the answer is a failure.
 */
function FirstStep({ folder }: FirstStepProps) {
  const ask = useOrganiserDialogs();
  if (folder === undefined) {
    return (
      <EmptyState
        icon={<Library aria-hidden />}
        title="Sua estante está pronta"
        description="Crie uma pasta, dentro dela uma categoria, e guarde ali seus links."
        action={
          <div className="flex flex-wrap justify-center gap-2">
            <Button
              variant="primary"
              icon={<FolderPlus aria-hidden />}
              onClick={() => ask({ kind: 'folder', folder: null })}
            >
              Criar a primeira pasta
            </Button>
            <Link to="/profile" search={{ tab: 'data' }} className={buttonClassName('quiet')}>
              Importar favoritos
            </Link>
          </div>
        }
      />
    );
  }
  return (
    <EmptyState
      icon={<Library aria-hidden />}
      title="Falta uma categoria"
      description={`Os links ficam em categorias. Comece por uma na pasta ${folder.name}.`}
      action={
        <Button
          variant="primary"
          icon={<Plus aria-hidden />}
          onClick={() => ask({ kind: 'category', folder, category: null })}
        >
          Criar a primeira categoria
        </Button>
      }
    />
  );
}

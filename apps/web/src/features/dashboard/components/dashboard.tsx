import { formatCount, formatNumber } from '@linkoteca/domain/formats';
import { Plus } from 'lucide-react';
import type { MouseEvent, ReactNode } from 'react';
import { Button } from '../../../shared/ui/button.tsx';
import { Skeleton } from '../../../shared/ui/feedback/skeleton.tsx';

export interface DashboardStats {
  readonly folders: number;
  readonly categories: number;
  readonly links: number;
}

export interface RecentCategory {
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
  readonly linkCount: number;
  readonly folderName: string;
  /** CSS colour of the folder it is in. */
  readonly colour: string;
}

interface DashboardProps {
  readonly personName: string;
  /** null while loading. */
  readonly stats: DashboardStats | null;
  /** null while loading. */
  readonly recent: readonly RecentCategory[] | null;
  /** Shown when there is nothing yet: the first step. */
  readonly firstStep: ReactNode;
  /** What stands below the categories. */
  readonly children?: ReactNode;
  /** Asks for the form of a new link; null while there is nowhere to put one. */
  readonly onAdd: (() => void) | null;
  readonly onOpenCategory: (categoryId: string) => void;
}

/** Welcome, three counters and the most recent categories. */
export function Dashboard(props: DashboardProps) {
  const { personName, stats, recent, firstStep, children, onAdd, onOpenCategory } = props;
  return (
    <div className="mx-auto max-w-page px-4 py-6 md:px-8 md:py-10">
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-4">
        <div className="min-w-0">
          <h1 className="truncate text-2xl font-semibold tracking-tight">{`Olá, ${personName}`}</h1>
          <dl className="mt-1 flex flex-wrap gap-x-4 text-base text-ink-soft">
            <Counter name="Pastas" value={stats?.folders} />
            <Counter name="Categorias" value={stats?.categories} />
            <Counter name="Links" value={stats?.links} />
          </dl>
        </div>
        {onAdd ? (
          <Button
            variant="primary"
            icon={<Plus aria-hidden />}
            aria-keyshortcuts="n"
            title="Adicionar Link (N)"
            onClick={onAdd}
          >
            Adicionar Link
          </Button>
        ) : null}
      </div>
      <section aria-labelledby="recent-categories" className="mt-7">
        <h2 id="recent-categories" className={recent?.length === 0 ? 'sr-only' : 'text-lg font-semibold'}>
          Categorias recentes
        </h2>
        {recent === null ? <RecentSkeleton /> : null}
        {recent?.length === 0 ? firstStep : null}
        {recent && recent.length > 0 ? (
          <ul className="mt-3 grid grid-cols-[repeat(auto-fill,minmax(min(17rem,100%),1fr))] gap-3">
            {recent.map((category) => (
              <li key={category.id}>
                <RecentCard category={category} onOpen={() => onOpenCategory(category.id)} />
              </li>
            ))}
          </ul>
        ) : null}
      </section>
      {children}
    </div>
  );
}

function Counter({ name, value }: { readonly name: string; readonly value: number | undefined }) {
  return (
    <div className="flex items-center gap-1.5">
      <dt>{name}</dt>
      <dd className="tabular-nums">
        {value === undefined ? <Skeleton className="h-4 w-6" /> : formatNumber(value)}
      </dd>
    </div>
  );
}

function RecentCard({
  category,
  onOpen,
}: {
  readonly category: RecentCategory;
  readonly onOpen: () => void;
}) {
  const open = (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    onOpen();
  };
  return (
    <a
      href={`/category/${category.id}`}
      data-category={category.id}
      onClick={open}
      className="flex h-full flex-col rounded-lg border border-line bg-surface p-4 transition-colors hover:border-edge-soft"
    >
      <span className="flex items-center gap-2.5">
        <span aria-hidden className="h-4 w-1 shrink-0 rounded-full" style={{ background: category.colour }} />
        <span className="truncate font-medium" title={category.name}>
          {category.name}
        </span>
      </span>
      <span className="mt-1.5 line-clamp-2 text-sm break-words text-ink-soft">
        {category.description ?? 'Sem descrição'}
      </span>
      <span className="mt-auto flex gap-3 pt-2.5 text-xs text-ink-faint tabular-nums">
        <span className="min-w-0 flex-1 truncate">{category.folderName}</span>
        {formatCount(category.linkCount, 'link', 'links')}
      </span>
    </a>
  );
}

function RecentSkeleton() {
  return (
    <div
      aria-busy="true"
      className="mt-3 grid grid-cols-[repeat(auto-fill,minmax(min(17rem,100%),1fr))] gap-3"
    >
      {['a', 'b', 'c', 'd', 'e', 'f'].map((place) => (
        <div key={place} className="rounded-lg border border-line bg-surface p-4">
          <Skeleton className="h-4 w-2/3" />
          <Skeleton className="mt-3 h-3 w-full" />
          <Skeleton className="mt-2 h-3 w-1/2" />
          <Skeleton className="mt-4 h-3 w-12" />
        </div>
      ))}
    </div>
  );
}

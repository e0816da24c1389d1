import { formatCount, formatNumber } from '@linkoteca/domain/formats';
import type { MouseEvent, ReactNode } from 'react';
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
  readonly onOpenCategory: (categoryId: string) => void;
}

/** Welcome, three counters and the most recent categories. */
export function Dashboard(props: DashboardProps) {
  const { personName, stats, recent, firstStep, children, onOpenCategory } = props;
  return (
    <div className="mx-auto max-w-page px-4 py-6 md:px-8 md:py-10">
      <h1 className="truncate text-2xl font-semibold tracking-tight">{`Olá, ${personName}`}</h1>
      <p className="mt-1 text-base text-ink-soft">Sua biblioteca de links, em ordem e à mão.</p>
      <dl className="mt-7 grid grid-cols-3 [&>*+*]:border-l [&>*+*]:border-line rounded-lg border border-line bg-surface">
        <Counter name="Pastas" value={stats?.folders} />
        <Counter name="Categorias" value={stats?.categories} />
        <Counter name="Links" value={stats?.links} />
      </dl>
      <section aria-labelledby="recent-categories" className="mt-9">
        <h2 id="recent-categories" className="text-lg font-semibold">
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
    <div className="flex flex-col-reverse gap-0.5 px-4 py-4 md:px-6 md:py-5">
      <dt className="truncate text-sm text-ink-soft">{name}</dt>
      <dd className="text-2xl font-semibold tracking-tight tabular-nums">
        {value === undefined ? <Skeleton className="my-1 h-6.5 w-12" /> : formatNumber(value)}
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
      <span className="mt-1.5 line-clamp-2 min-h-9 text-sm break-words text-ink-soft">
        {category.description ?? 'Sem descrição'}
      </span>
      <span className="mt-3 text-xs text-ink-faint tabular-nums">
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

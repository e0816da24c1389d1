import { formatNumber } from '@linkoteca/domain/formats';
import { Plus } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '../../../shared/ui/button.tsx';
import { Skeleton } from '../../../shared/ui/feedback/skeleton.tsx';
import { CategoryCard, CONTINUE, type RecentCategory } from './category-card.tsx';

export interface DashboardStats {
  readonly folders: number;
  readonly categories: number;
  readonly links: number;
}

interface DashboardProps {
  readonly personName: string;
  /** null while loading. */
  readonly stats: DashboardStats | null;
  /** null while loading. */
  readonly recent: readonly RecentCategory[] | null;
  /** The category that was open last, if there is one: said of its card, or ahead of them all where it is not among them. */
  readonly last: RecentCategory | null;
  /** Shown when there is nothing yet: the first step. */
  readonly firstStep: ReactNode;
  /** What the person wants at hand, above the categories. */
  readonly favorites: ReactNode;
  /** What others share. Above the first step: whoever has nothing of their own was invited, and came for it. Else below the categories. */
  readonly received: ReactNode;
  /** What stands below the categories. */
  readonly children?: ReactNode;
  /** Asks for the form of a new link; null while there is nowhere to put one. */
  readonly onAdd: (() => void) | null;
  /** How full the plan is, where it has no room for another link. */
  readonly addLock?: string | null;
  readonly onOpenCategory: (categoryId: string) => void;
}

/** Welcome, three counters, the way back to where one was, and the most recent categories. */
export function Dashboard(props: DashboardProps) {
  const { personName, stats, recent, last, firstStep, received, onAdd, onOpenCategory } = props;
  const isEmpty = recent?.length === 0;
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
            lock={props.addLock ?? null}
            onClick={onAdd}
          >
            Adicionar Link
          </Button>
        ) : null}
      </div>
      {isEmpty ? received : null}
      {recent && last && !recent.some(({ id }) => id === last.id) ? (
        <section aria-label={CONTINUE} className="mt-7 grid grid-cols-[minmax(0,34rem)]">
          <CategoryCard category={last} isLast onOpen={onOpenCategory} />
        </section>
      ) : null}
      {props.favorites}
      <section aria-labelledby="recent-categories" className="mt-7">
        <h2 id="recent-categories" className={isEmpty ? 'sr-only' : 'text-lg font-semibold'}>
          Categorias recentes
        </h2>
        {recent === null ? <RecentSkeleton /> : null}
        {isEmpty ? firstStep : null}
        {recent && !isEmpty ? (
          <ul className="mt-3 grid grid-cols-[repeat(auto-fill,minmax(min(17rem,100%),1fr))] gap-3">
            {recent.map((category) => (
              <li key={category.id}>
                <CategoryCard category={category} isLast={category.id === last?.id} onOpen={onOpenCategory} />
              </li>
            ))}
          </ul>
        ) : null}
      </section>
      {isEmpty ? null : received}
      {props.children}
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
          <Skeleton className="mt-4 h-6 w-32" />
          <Skeleton className="mt-3 h-3 w-12" />
        </div>
      ))}
    </div>
  );
}

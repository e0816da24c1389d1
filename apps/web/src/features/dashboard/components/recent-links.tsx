import { formatDate } from '@linkoteca/domain/dates';
import { readHost } from '@linkoteca/domain/urls';
import type { MouseEvent, ReactNode } from 'react';
import { LoadError } from '../../../shared/ui/feedback/load-error.tsx';
import { Skeleton } from '../../../shared/ui/feedback/skeleton.tsx';
import { LinkFace } from '../../../shared/ui/link-face.tsx';
import type { RecentLink } from '../api/list-recent-links.ts';

interface RecentLinksProps {
  /** null while loading. */
  readonly links: readonly RecentLink[] | null;
  readonly failed: boolean;
  /** The name of a link's category; undefined while it is not known. */
  readonly nameOfCategory: (categoryId: string) => string | undefined;
  /** The way to all links. */
  readonly seeAll: ReactNode;
  readonly onRetry: () => void;
  readonly onOpenCategory: (categoryId: string) => void;
}

/** 'Links recentes': what was kept last, whatever its category. */
export function RecentLinks(props: RecentLinksProps) {
  const { links, failed, seeAll } = props;
  return (
    <section aria-labelledby="recent-links" className="mt-9">
      <div className="flex items-baseline justify-between gap-4">
        <h2 id="recent-links" className="text-lg font-semibold">
          Links recentes
        </h2>
        {links && links.length > 0 ? seeAll : null}
      </div>
      <div className="mt-3 overflow-hidden rounded-lg border border-line bg-surface">
        <Content {...props} failed={failed && links === null} />
      </div>
    </section>
  );
}

function Content({ links, failed, nameOfCategory, onRetry, onOpenCategory }: RecentLinksProps) {
  if (failed) {
    return (
      <LoadError
        title="Não foi possível carregar seus links"
        description="Verifique sua conexão e tente de novo."
        onRetry={onRetry}
      />
    );
  }
  if (links === null) return <RowsSkeleton />;
  if (links.length === 0) {
    return (
      <p className="px-4 py-8 text-center text-base text-ink-soft">
        Nenhum link ainda. Abra uma categoria e guarde o primeiro.
      </p>
    );
  }
  return (
    <ul className="divide-y divide-line">
      {links.map((link) => (
        <RecentRow
          key={link.id}
          link={link}
          categoryName={nameOfCategory(link.category_id)}
          onOpenCategory={onOpenCategory}
        />
      ))}
    </ul>
  );
}

interface RecentRowProps {
  readonly link: RecentLink;
  readonly categoryName: string | undefined;
  readonly onOpenCategory: (categoryId: string) => void;
}

function RecentRow({ link, categoryName, onOpenCategory }: RecentRowProps) {
  const open = (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    onOpenCategory(link.category_id);
  };
  return (
    <li className="flex h-12 items-center gap-3 px-4 transition-colors hover:bg-hover">
      <LinkFace url={link.url} />
      <a
        href={link.url}
        target="_blank"
        rel="noopener noreferrer"
        title={link.title}
        className="flex h-full min-w-0 flex-1 items-center gap-3 -outline-offset-2"
      >
        <span className="truncate text-base font-medium text-ink">{link.title}</span>
        <span className="hidden shrink-0 truncate text-sm text-ink-faint md:block md:max-w-48">
          {readHost(link.url)}
        </span>
      </a>
      {categoryName === undefined ? null : (
        <a
          href={`/category/${link.category_id}`}
          data-category={link.category_id}
          title={`Abrir a categoria ${categoryName}`}
          className="flex h-8 min-w-8 max-w-28 shrink-0 items-center justify-end rounded text-xs text-ink-soft hover:text-ink md:max-w-48 pointer-coarse:h-11 pointer-coarse:min-w-11"
          onClick={open}
        >
          <span className="truncate rounded bg-sunken px-2 py-1">{categoryName}</span>
        </a>
      )}
      <time
        dateTime={link.created_at}
        className="hidden shrink-0 text-xs text-ink-faint tabular-nums md:block"
      >
        {formatDate(link.created_at)}
      </time>
    </li>
  );
}

function RowsSkeleton() {
  return (
    <div aria-busy="true" className="divide-y divide-line">
      {['w-1/2', 'w-1/3', 'w-2/5', 'w-1/4', 'w-3/5'].map((width) => (
        <div key={width} className="flex h-12 items-center gap-3 px-4">
          <Skeleton className="size-4" />
          <Skeleton className={`h-3.5 ${width}`} />
        </div>
      ))}
    </div>
  );
}

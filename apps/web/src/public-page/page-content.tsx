import { formatDate } from '@linkoteca/domain/format-date';
import { countLinks, nameOwner, PUBLIC_PAGE_MESSAGES as TEXT } from '@linkoteca/domain/public-page-messages';
import type { SharedPage, SharedView } from '@linkoteca/domain/shared-page';
import { describeSharedBy } from '@linkoteca/domain/sharing-messages';
import { buttonClassName } from '../shared/ui/button-class-name.ts';
import { LinkCard } from './link-card.tsx';
import { LinkRow } from './link-row.tsx';
import { appHref } from './page-href.ts';
import { PageTurner } from './page-turner.tsx';
import { ViewToggle } from './view-toggle.tsx';
import { ZONE } from './zone.ts';

interface PageContentProps {
  readonly page: SharedPage;
  readonly view: SharedView;
}

/** Everything that changes when the category does. */
export function PageContent({ page, view }: PageContentProps) {
  const { links } = page;
  return (
    <>
      <CategoryHead page={page} view={view} />
      {links.length === 0 ? <Nothing /> : null}
      {view === 'list' ? (
        <ul className="overflow-hidden rounded-lg border border-line bg-surface empty:hidden">
          {links.map((link) => (
            <LinkRow key={link.id} link={link} />
          ))}
        </ul>
      ) : (
        <ul className="grid gap-3 empty:hidden sm:grid-cols-2 lg:grid-cols-3 xl:grid-cols-4">
          {links.map((link) => (
            <LinkCard key={link.id} link={link} />
          ))}
        </ul>
      )}
      <PageTurner page={page} view={view} />
    </>
  );
}

function CategoryHead({ page, view }: PageContentProps) {
  const { category } = page;
  return (
    <div className="mb-6 flex flex-col gap-4 md:mb-8 md:flex-row md:items-end md:justify-between">
      <div className="min-w-0">
        <h1 dir="auto" className="text-xl font-semibold tracking-tight text-ink md:text-2xl">
          {category.name}
        </h1>
        {category.description ? (
          <p
            dir="auto"
            className="mt-2 max-w-prose text-lg leading-relaxed whitespace-pre-line text-ink-soft"
          >
            {category.description}
          </p>
        ) : null}
        <p className="mt-3 flex flex-wrap gap-x-3 gap-y-1 text-sm text-ink-faint sm:gap-x-2">
          <bdi>{describeSharedBy(nameOwner(category.owner_name))}</bdi>
          <span aria-hidden="true" className="max-sm:hidden">
            ·
          </span>
          <span className="tabular-nums">{countLinks(category.link_count)}</span>
          <span aria-hidden="true" className="max-sm:hidden">
            ·
          </span>
          <time dateTime={category.updated_at} className="tabular-nums">
            {`Atualizada em ${formatDate(category.updated_at, ZONE)}`}
          </time>
        </p>
      </div>
      <div data-print="hide" className="flex shrink-0 items-center gap-2">
        <a data-for="member" href={appHref(category, { copy: true })} className={buttonClassName('primary')}>
          {TEXT.copy}
        </a>
        <ViewToggle page={page} view={view} />
      </div>
    </div>
  );
}

function Nothing() {
  return (
    <div className="flex flex-col items-center gap-1.5 rounded-lg border border-dashed border-edge-soft px-4 py-16 text-center">
      <p className="text-lg font-medium text-ink">{TEXT.empty}</p>
      <p className="text-base text-ink-soft">{TEXT.emptyHint}</p>
    </div>
  );
}

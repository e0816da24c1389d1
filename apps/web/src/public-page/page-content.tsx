import { formatDate } from '@linkoteca/domain/dates';
import {
  countLinks,
  nameOwner,
  PUBLIC_PAGE_MESSAGES as TEXT,
} from '@linkoteca/domain/messages/public-page-messages';
import { describeSharedBy } from '@linkoteca/domain/messages/sharing-messages';
import {
  type SharedLink,
  type SharedPage,
  type SharedView,
  sharedPageCursor,
} from '@linkoteca/domain/sharing';
import { readHost } from '@linkoteca/domain/urls';
import type { ReactNode } from 'react';
import { joinClassNames } from '../shared/lib/join-class-names.ts';
import { buttonClassName } from '../shared/ui/button-class-name.ts';
import { LinkIcon } from './link-icon.tsx';
import { LinkRow } from './link-row.tsx';
import { LinkTitle } from './link-title.tsx';
import { appHref, pageHref } from './page-href.ts';
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

/** A link as a card, as the app draws it. */
function LinkCard({ link }: { readonly link: SharedLink }) {
  return (
    <li className="relative flex min-w-0 flex-col rounded-lg border border-line bg-surface p-3.5 transition-colors hover:border-edge-soft">
      <div className="flex min-w-0 items-center gap-2.5">
        <span className="grid size-7 shrink-0 place-items-center rounded-sm bg-sunken">
          <LinkIcon url={link.url} />
        </span>
        <div className="min-w-0 flex-1">
          <LinkTitle link={link} />
          <p className="truncate text-xs text-ink-faint">{readHost(link.url)}</p>
        </div>
      </div>
      <p dir="auto" className="mt-2.5 line-clamp-2 min-h-9 text-sm text-ink-soft">
        {link.description}
      </p>
      <time dateTime={link.created_at} className="mt-auto pt-2 text-xs text-ink-faint tabular-nums">
        {formatDate(link.created_at, ZONE)}
      </time>
    </li>
  );
}

interface PageTurnerProps {
  readonly page: SharedPage;
  readonly view: SharedView;
}

/** The way to older links and back, as plain links; nothing where everything fits on one page. */
function PageTurner({ page: { category, links, hasOlder, before }, view }: PageTurnerProps) {
  const last = links.at(-1);
  if (before === null && !hasOlder) return null;
  return (
    <nav aria-label={TEXT.pages} data-print="hide" className="mt-6 flex flex-wrap justify-center gap-2">
      {before === null ? null : (
        <a href={pageHref(category, { view })} className={buttonClassName('quiet', 'large')}>
          {TEXT.newest}
        </a>
      )}
      {hasOlder && last ? (
        <a
          rel="next"
          href={pageHref(category, { view, before: sharedPageCursor(last) })}
          className={buttonClassName('secondary', 'large')}
        >
          {TEXT.older}
        </a>
      ) : null}
    </nav>
  );
}

interface ViewToggleProps {
  readonly page: SharedPage;
  readonly view: SharedView;
}

/** Cards or list, as two plain links: they work without a script, and a view can be passed on. */
function ViewToggle({ page: { category, before }, view }: ViewToggleProps) {
  const option = (value: SharedView, label: string, icon: ReactNode) => (
    <a
      href={pageHref(category, { view: value, before })}
      title={label}
      aria-current={value === view ? 'true' : undefined}
      rel="nofollow"
      className={joinClassNames(
        'grid h-6.5 w-8 place-items-center rounded-sm transition-colors pointer-coarse:size-10 [&_svg]:size-4',
        value === view ? 'bg-press text-ink' : 'text-ink-faint hover:text-ink',
      )}
    >
      <svg viewBox="0 0 24 24" fill="none" stroke="currentColor" strokeWidth="2" aria-hidden="true">
        {icon}
      </svg>
      <span className="sr-only">{label}</span>
    </a>
  );
  return (
    <nav aria-label={TEXT.view} className="inline-flex rounded border border-edge-soft bg-surface p-0.5">
      {option('cards', TEXT.cards, <path d="M4 4h6v6H4zM14 4h6v6h-6zM4 14h6v6H4zM14 14h6v6h-6z" />)}
      {option('list', TEXT.list, <path d="M8 6h13M8 12h13M8 18h13M3 6h.01M3 12h.01M3 18h.01" />)}
    </nav>
  );
}

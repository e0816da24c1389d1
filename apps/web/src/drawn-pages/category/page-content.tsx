import { ARRANGEABLE_FROM } from '@linkoteca/domain/limits';
import { PUBLIC_PAGE_MESSAGES as TEXT } from '@linkoteca/domain/messages/public-page-messages';
import { type SharedPage, type SharedView, sharedPageCursor } from '@linkoteca/domain/sharing';
import type { ReactNode } from 'react';
import { joinClassNames } from '../../shared/lib/browser/join-class-names.ts';
import { buttonClassName } from '../../shared/ui/button-class-name.ts';
import { SharedHead } from '../../views/shared-head.tsx';
import { LinkCard, LinkRow, ZONE } from './link-items.tsx';
import { appHref, pageHref } from './page-href.ts';

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
        <ul className="grid gap-2.5 empty:hidden sm:grid-cols-2 lg:grid-cols-3 xl:grid-cols-4">
          {links.map((link) => (
            <LinkCard key={link.id} link={link} />
          ))}
        </ul>
      )}
      <PageTurner page={page} view={view} />
    </>
  );
}

/** How the head of a page stands on phones and desks. */
export const HEAD_LOOK = {
  frame: 'mb-6 flex-col gap-x-4 md:mb-8 md:flex-row md:items-end md:justify-between',
  name: 'text-xl md:text-2xl',
  facts: 'gap-x-3 gap-y-1 sm:gap-x-2',
  dot: 'max-sm:hidden',
} as const;

function CategoryHead({ page, view }: PageContentProps) {
  const { category } = page;
  return (
    <SharedHead
      name={category.name}
      description={category.description}
      owner={category.owner_name}
      linkCount={category.link_count}
      updatedAt={category.updated_at}
      timeZone={ZONE}
      look={HEAD_LOOK}
      actions={
        <>
          <a data-for="member" href={appHref(category, 'copy')} className={buttonClassName('primary')}>
            {TEXT.copy}
          </a>
          {category.link_count >= ARRANGEABLE_FROM ? (
            <a
              href={appHref(category, 'filter')}
              data-key="f"
              rel="nofollow"
              className={buttonClassName('secondary')}
            >
              {TEXT.filter}
            </a>
          ) : null}
          <ViewToggle page={page} view={view} />
        </>
      }
    />
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

/** The way to older links and back, as plain links; nothing where everything fits on one page. */
function PageTurner({ page: { category, links, hasOlder, before }, view }: PageContentProps) {
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

/** Cards or list, as two plain links: they work without a script, and a view can be passed on. */
function ViewToggle({ page: { category, before }, view }: PageContentProps) {
  const option = (value: SharedView, label: string, icon: ReactNode) => (
    <a
      href={pageHref(category, { view: value, before })}
      title={label}
      aria-current={value === view ? 'true' : undefined}
      rel="nofollow"
      className={joinClassNames(
        'hit-area grid h-6.5 w-8 place-items-center rounded-sm transition-colors pointer-coarse:h-10 pointer-coarse:w-11 [&_svg]:size-4',
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

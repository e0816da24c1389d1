import { PUBLIC_PAGE_MESSAGES as TEXT } from '@linkoteca/domain/public-page-messages';
import type { SharedPage, SharedView } from '@linkoteca/domain/shared-page';
import type { ReactNode } from 'react';
import { joinClassNames } from '../shared/lib/join-class-names.ts';
import { pageHref } from './page-href.ts';

interface ViewToggleProps {
  readonly page: SharedPage;
  readonly view: SharedView;
}

/** Cards or list, as two plain links: they work without a script, and a view can be passed on. */
export function ViewToggle({ page: { category, before }, view }: ViewToggleProps) {
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

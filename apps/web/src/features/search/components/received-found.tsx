import { SEARCH_MESSAGES } from '@linkoteca/domain/messages/link-messages';
import { FIELD_GROUPS, RECEIVED_FOUND } from '@linkoteca/domain/messages/search-messages';
import { describeOwner } from '@linkoteca/domain/messages/sharing-messages';
import { Link } from '@tanstack/react-router';
import { SearchX } from 'lucide-react';
import { Button } from '../../../shared/ui/button.tsx';
import { EmptyState } from '../../../shared/ui/feedback/empty-state.tsx';
import { LinkFace } from '../../../shared/ui/link-face.tsx';
import type { ReceivedLink, useReceivedPages } from '../api/find-received-links.ts';
import { excerptMatch } from '../model/excerpt-match.ts';
import { Highlight } from './highlight.tsx';

interface ReceivedFoundProps {
  readonly query: ReturnType<typeof useReceivedPages>;
  /** What stands out in them. */
  readonly term: string;
  /** Nothing else was asked for. */
  readonly onlyThese: boolean;
  /** Nothing of one's own stands above. */
  readonly isFirst: boolean;
}

/** Below one's own results: links that others share, as far as they may be opened. */
export function ReceivedFound({ query, term, onlyThese, isFirst }: ReceivedFoundProps) {
  const links = query.data?.pages.flat() ?? [];
  if (query.isLoadingError) {
    return (
      <section className="mt-8" role="alert">
        <EmptyState
          icon={<SearchX aria-hidden />}
          title={RECEIVED_FOUND.failed}
          action={<Button onClick={() => void query.refetch()}>Tentar de novo</Button>}
        />
      </section>
    );
  }
  if (query.isLoading && (isFirst || onlyThese)) {
    return (
      <p role="status" className="mt-5 text-base text-ink-soft">
        {RECEIVED_FOUND.loading}
      </p>
    );
  }
  if (links.length === 0) return null;
  return (
    <section aria-labelledby="received-found" className={isFirst ? 'mt-5' : 'mt-8'}>
      {isFirst && !onlyThese ? (
        <p role="status" className="mb-5 text-base text-ink-soft">
          {RECEIVED_FOUND.noneOfOwn}
        </p>
      ) : null}
      <h2 id="received-found" className="text-lg font-semibold">
        {FIELD_GROUPS.received}
      </h2>
      <ul className="mt-3 overflow-clip rounded-lg border border-line bg-surface [&>li+li]:border-t [&>li+li]:border-line">
        {links.map((link) => (
          <li key={link.id}>
            <ReceivedRow link={link} term={term} />
          </li>
        ))}
      </ul>
      {query.hasNextPage ? (
        <Button
          variant="secondary"
          className="mt-4"
          busy={query.isFetchingNextPage}
          onClick={() => void query.fetchNextPage()}
        >
          Mostrar mais
        </Button>
      ) : null}
    </section>
  );
}

interface ReceivedRowProps {
  readonly link: ReceivedLink;
  readonly term: string;
}

/** Its surface opens the link, its category's name the category. */
function ReceivedRow({ link, term }: ReceivedRowProps) {
  const { url, title, description, category_id: categoryId } = link;
  return (
    <article className="relative grid grid-cols-[auto_1fr] gap-x-3 px-3 py-2.5 hover:bg-hover hover:transition-colors md:grid-cols-[auto_1fr_auto]">
      <span className="mt-0.5 shrink-0">
        <LinkFace url={url} />
      </span>
      <div className="min-w-0">
        <h3 className="truncate text-base font-medium">
          <a
            href={url}
            target="_blank"
            rel="noopener noreferrer"
            title={title}
            className="rounded-sm after:absolute after:inset-0 after:content-[''] focus-visible:outline-0 focus-visible:after:rounded focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent"
          >
            <Highlight text={title} term={term} />
          </a>
        </h3>
        <p className="truncate text-xs text-ink-faint">
          <Highlight text={url} term={term} />
        </p>
        {description ? (
          <p className="mt-1 line-clamp-2 text-sm break-words text-ink-soft">
            <Highlight text={excerptMatch(description, term)} term={term} />
          </p>
        ) : null}
      </div>
      <p className="relative flex max-w-56 min-w-0 flex-col items-start text-xs text-ink-faint max-md:col-start-2 max-md:max-w-full">
        <Link
          to="/category/$categoryId"
          params={{ categoryId }}
          data-category={categoryId}
          className="hit-area relative -mx-1.5 inline-flex h-6 max-w-full items-center rounded-sm px-1.5 text-ink-soft hover:bg-press hover:text-ink pointer-coarse:h-11"
        >
          <span className="truncate">{link.category_name ?? SEARCH_MESSAGES.unknownCategory}</span>
        </Link>
        <span className="max-w-full truncate">{describeOwner(link.owner_name)}</span>
      </p>
    </article>
  );
}

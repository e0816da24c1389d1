import { SEARCH_MESSAGES } from '@linkoteca/domain/messages/link-messages';
import { Link } from '@tanstack/react-router';
import type { SearchResult } from '../../../shared/lib/rows.ts';
import { LinkFace } from '../../../shared/ui/link-face.tsx';
import { excerptMatch } from '../model/excerpt-match.ts';
import { Highlight } from './highlight.tsx';

interface FoundLinkProps {
  readonly result: SearchResult;
  readonly term: string;
}

/** A result of the search page: its surface opens the link, its category's name the category. */
export function FoundLink({ result, term }: FoundLinkProps) {
  const { title, url, description } = result;
  return (
    <article className="relative grid grid-cols-[auto_1fr] gap-x-3 px-3 py-2.5 transition-colors hover:bg-hover md:grid-cols-[auto_1fr_auto]">
      <span className="mt-0.5 shrink-0">
        <LinkFace url={url} />
      </span>
      <div className="min-w-0">
        <h2 className="truncate text-base font-medium">
          <a
            href={url}
            target="_blank"
            rel="noopener noreferrer"
            title={title}
            data-found-link
            className="rounded-sm after:absolute after:inset-0 after:content-[''] focus-visible:outline-0 focus-visible:after:rounded focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent"
          >
            <Highlight text={title} term={term} />
          </a>
        </h2>
        <p className="truncate text-xs text-ink-faint">
          <Highlight text={url} term={term} />
        </p>
        {description ? (
          <p className="mt-1 line-clamp-2 text-sm break-words text-ink-soft">
            <Highlight text={excerptMatch(description, term)} term={term} />
          </p>
        ) : null}
      </div>
      <Link
        to="/category/$categoryId"
        params={{ categoryId: result.category_id }}
        data-category={result.category_id}
        className="relative -mx-1.5 inline-flex h-6 max-w-56 items-center justify-self-start rounded-sm px-1.5 text-xs text-ink-soft max-md:col-start-2 max-md:max-w-full hover:bg-press hover:text-ink pointer-coarse:h-11 max-md:pointer-coarse:-mb-2.5"
      >
        <span className="truncate">{result.category_name ?? SEARCH_MESSAGES.unknownCategory}</span>
      </Link>
    </article>
  );
}

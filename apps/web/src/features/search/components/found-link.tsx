import { SEARCH_MESSAGES } from '@linkoteca/domain/messages/link-messages';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { joinClassNames } from '../../../shared/lib/browser/join-class-names.ts';
import type { FoundLink as Found } from '../../../shared/lib/rows.ts';
import { LinkFace } from '../../../shared/ui/link-face.tsx';
import { excerptMatch } from '../model/excerpt-match.ts';
import { Highlight } from './highlight.tsx';

interface FoundLinkProps {
  readonly result: Found;
  readonly term: string;
  /** In selection mode the link is a box to tick, and its category no way to leave. */
  readonly selecting: boolean;
  readonly selected: boolean;
  /** The one result that Tab reaches, and its category after it. */
  readonly tabStop: boolean;
  /** Says that it is a favourite. */
  readonly mark: ReactNode;
  readonly tags: ReactNode;
  /** What is wrong with it, where something is. */
  readonly note: ReactNode;
  /** Takes the face's place in selection mode. */
  readonly tick: ReactNode;
  /** Opens what can be done with it. */
  readonly menuButton: ReactNode;
}

const CATEGORY_LOOK =
  'hit-area relative -mx-1.5 inline-flex h-6 max-w-56 items-center justify-self-start rounded-sm px-1.5 text-xs text-ink-soft ' +
  'max-md:col-start-2 max-md:max-w-full pointer-coarse:h-11 max-md:pointer-coarse:-mb-2.5';

/** A result of the search page: its surface opens the link, its category's name the category. */
export function FoundLink(props: FoundLinkProps) {
  const { result, term, selecting, selected, tabStop, mark, tags, note, tick, menuButton } = props;
  const { title, url, description } = result;
  return (
    <article
      className={joinClassNames(
        'group/link relative grid grid-cols-[auto_1fr_auto] gap-x-3 px-3 py-2.5 hover:transition-colors md:grid-cols-[auto_1fr_auto_auto]',
        selected ? 'bg-accent-soft' : 'hover:bg-hover',
      )}
    >
      <span className="mt-0.5 shrink-0">
        {tick}
        <span className="group-data-selecting/links:hidden">
          <LinkFace url={url} />
        </span>
      </span>
      <div className="min-w-0">
        <h2 className="truncate text-base font-medium">
          {mark}
          <a
            href={url}
            target="_blank"
            rel="noopener noreferrer"
            title={title}
            data-found-link
            tabIndex={tabStop ? 0 : -1}
            {...(selecting ? { role: 'checkbox', 'aria-checked': selected } : {})}
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
        {note}
        {tags ? <div className="max-md:pointer-coarse:mb-3">{tags}</div> : null}
      </div>
      <FoundPlace result={result} isWay={!selecting} tabStop={tabStop} />
      <span className="max-md:col-start-3 max-md:row-start-1">{menuButton}</span>
    </article>
  );
}

interface FoundPlaceProps extends Pick<FoundLinkProps, 'result' | 'tabStop'> {
  readonly isWay: boolean;
}

/** The category of a result, as a way to it. */
function FoundPlace({ result, isWay, tabStop }: FoundPlaceProps) {
  const name = <span className="truncate">{result.category_name ?? SEARCH_MESSAGES.unknownCategory}</span>;
  if (!isWay) return <span className={CATEGORY_LOOK}>{name}</span>;
  return (
    <Link
      to="/category/$categoryId"
      params={{ categoryId: result.category_id }}
      data-category={result.category_id}
      tabIndex={tabStop ? 0 : -1}
      className={`${CATEGORY_LOOK} hover:bg-press hover:text-ink`}
    >
      {name}
    </Link>
  );
}

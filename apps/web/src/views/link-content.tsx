import { formatDate } from '@linkoteca/domain/dates';
import { describeAddedBy } from '@linkoteca/domain/messages/shared-folder-labels';
import { readHost } from '@linkoteca/domain/urls';
import { type ComponentProps, memo, type ReactNode } from 'react';
import { joinClassNames } from '../shared/lib/browser/join-class-names.ts';

/** A link as every list has it. */
interface ListedLink {
  readonly url: string;
  readonly description: string | null;
  readonly created_at: string;
  /** Of whoever added it to somebody's folder. */
  readonly added_by_name?: string | null;
}

/** The site, and who added the link where it was not its owner: one line, which is as high without. */
function describeSource({ url, added_by_name: name }: ListedLink): string {
  return name ? `${readHost(url)} · ${describeAddedBy(name)}` : readHost(url);
}

interface LinkContentProps {
  readonly link: ListedLink;
  /** A `LinkTitle`. */
  readonly title: ReactNode;
  /** Of the date; the viewer's own unless given. */
  readonly timeZone?: string;
}

interface LinkCardContentProps extends LinkContentProps {
  /** A `LinkFace` of 28 px. */
  readonly face: ReactNode;
  /** Leaves room beside the title for what stands in the card's corner. */
  readonly headClassName?: string;
}

/** What a link says as a card: face, title on up to two lines, host and date, and below them what is written about it. */
export function LinkCardContent({ link, face, title, timeZone, headClassName }: LinkCardContentProps) {
  return (
    <>
      <div className="flex min-w-0 gap-2.5">
        {face}
        <div className="min-w-0 flex-1">
          <div className={joinClassNames('line-clamp-2 text-base leading-4.5', headClassName)}>{title}</div>
          <CardFacts link={link} timeZone={timeZone} />
        </div>
      </div>
      {link.added_by_name ? (
        <p className="mt-1 truncate text-xs text-ink-faint">{describeAddedBy(link.added_by_name)}</p>
      ) : null}
      {/* Together as high as a description of two lines: every card has room for that. */}
      {link.description ? (
        <CardDescription text={link.description} short={Boolean(link.added_by_name)} />
      ) : null}
    </>
  );
}

interface LinkRowContentProps extends LinkContentProps {
  /** Stand before the date, where there is room. */
  readonly tags?: ReactNode;
}

/** What a link says as a row, after its face: title and host, description where there is one, date. */
export function LinkRowContent({ link, title, timeZone, tags }: LinkRowContentProps) {
  return (
    <>
      <div className={joinClassNames('min-w-0 flex-1', link.description && 'md:flex-none md:basis-2/5')}>
        <div className="truncate text-base">{title}</div>
        <p className="truncate text-xs text-ink-faint">{describeSource(link)}</p>
      </div>
      <RowFacts link={link} timeZone={timeZone} tags={tags} />
    </>
  );
}

interface LinkTitleProps extends Omit<ComponentProps<'a'>, 'children' | 'className' | 'target'> {
  readonly title: string;
  /** What the link's site may learn, and what search engines may take from it. */
  readonly rel: string;
}

/** A link's title, whose press area is stretched over the whole item: one real link, which opens in a new tab. */
export function LinkTitle(anchor: LinkTitleProps) {
  return (
    <a
      {...anchor}
      target="_blank"
      className="font-medium text-ink outline-none after:absolute after:inset-0 after:rounded-lg after:-outline-offset-2 focus-visible:after:outline-2 focus-visible:after:outline-accent"
    >
      {anchor.title}
    </a>
  );
}

// Nothing in these parts changes when a link is picked or reached by Tab: thousands of them are left out of such a frame.

interface FactsProps {
  readonly link: ListedLink;
  readonly timeZone: string | undefined;
}

const CardFacts = memo(function CardFacts({ link, timeZone }: FactsProps) {
  return (
    <p className="flex gap-3 text-xs text-ink-faint">
      <span className="min-w-0 flex-1 truncate">{readHost(link.url)}</span>
      <time dateTime={link.created_at} className="shrink-0 tabular-nums">
        {formatDate(link.created_at, timeZone)}
      </time>
    </p>
  );
});

interface CardDescriptionProps {
  readonly text: string;
  /** On one line: another stands above it. */
  readonly short: boolean;
}

const CardDescription = memo(function CardDescription({ text, short }: CardDescriptionProps) {
  return (
    <p
      dir="auto"
      className={joinClassNames('text-xs text-ink-soft', short ? 'line-clamp-1' : 'mt-1 line-clamp-2')}
    >
      {text}
    </p>
  );
});

const RowFacts = memo(function RowFacts({ link, timeZone, tags }: FactsProps & { readonly tags: ReactNode }) {
  return (
    <>
      {link.description ? (
        <p dir="auto" className="min-w-0 flex-1 truncate text-sm text-ink-soft max-md:hidden">
          {link.description}
        </p>
      ) : null}
      {tags}
      <time dateTime={link.created_at} className="shrink-0 text-xs text-ink-faint tabular-nums max-sm:hidden">
        {formatDate(link.created_at, timeZone)}
      </time>
    </>
  );
});

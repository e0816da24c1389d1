import { formatDate } from '@linkoteca/domain/dates';
import { readHost } from '@linkoteca/domain/urls';
import { type ComponentProps, memo, type ReactNode } from 'react';
import { joinClassNames } from '../shared/lib/browser/join-class-names.ts';

/** A link as every list has it. */
interface ListedLink {
  readonly url: string;
  readonly description: string | null;
  readonly created_at: string;
}

interface LinkContentProps {
  readonly link: ListedLink;
  /** A `LinkTitle`. */
  readonly title: ReactNode;
  /** Of the date; the viewer's own unless given. */
  readonly timeZone?: string;
}

interface LinkCardContentProps extends LinkContentProps {
  /** The site's icon, 16 px. */
  readonly icon: ReactNode;
  /** Leaves room beside the title for what stands in the card's corner. */
  readonly headClassName?: string;
}

/** What a link says as a card: icon, title and host, below them description and date. */
export function LinkCardContent({ link, icon, title, timeZone, headClassName }: LinkCardContentProps) {
  return (
    <>
      <div className={joinClassNames('flex min-w-0 items-center gap-2.5', headClassName)}>
        <span className="grid size-7 shrink-0 place-items-center rounded-sm bg-sunken">{icon}</span>
        <div className="min-w-0 flex-1">
          {title}
          <Host url={link.url} />
        </div>
      </div>
      <CardFacts link={link} timeZone={timeZone} />
    </>
  );
}

/** What a link says as a row, after its icon: title and host, description, date. */
export function LinkRowContent({ link, title, timeZone }: LinkContentProps) {
  return (
    <>
      <div className="min-w-0 flex-1 md:flex-none md:basis-2/5">
        {title}
        <Host url={link.url} />
      </div>
      <RowFacts link={link} timeZone={timeZone} />
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
      className="block truncate text-base font-medium text-ink outline-none after:absolute after:inset-0 after:rounded-lg after:-outline-offset-2 focus-visible:after:outline-2 focus-visible:after:outline-accent"
    >
      {anchor.title}
    </a>
  );
}

// Nothing in these parts changes when a link is picked or reached by Tab: thousands of them are left out of such a frame.

const Host = memo(function Host({ url }: { readonly url: string }) {
  return <p className="truncate text-xs text-ink-faint">{readHost(url)}</p>;
});

interface FactsProps {
  readonly link: ListedLink;
  readonly timeZone: string | undefined;
}

const CardFacts = memo(function CardFacts({ link, timeZone }: FactsProps) {
  return (
    <>
      <p dir="auto" className="mt-2.5 line-clamp-2 min-h-9 text-sm text-ink-soft">
        {link.description}
      </p>
      <time dateTime={link.created_at} className="mt-auto pt-2 text-xs text-ink-faint tabular-nums">
        {formatDate(link.created_at, timeZone)}
      </time>
    </>
  );
});

const RowFacts = memo(function RowFacts({ link, timeZone }: FactsProps) {
  return (
    <>
      <p dir="auto" className="min-w-0 flex-1 truncate text-sm text-ink-soft max-md:hidden">
        {link.description}
      </p>
      <time dateTime={link.created_at} className="shrink-0 text-xs text-ink-faint tabular-nums max-sm:hidden">
        {formatDate(link.created_at, timeZone)}
      </time>
    </>
  );
});

import { FIELD_LIMITS } from '@linkoteca/domain/limits';
import { shortenText } from '@linkoteca/domain/shorten-text';
import { readHost } from '@linkoteca/domain/urls';
import { useMemo, useState } from 'react';
import type { NewLink } from '../../api/create-link.ts';
import { useLinkPlaces } from '../../api/find-links-by-url.ts';
import type { CategoryGroup } from '../category-groups.ts';
import type { LinkAllowance } from '../link-allowance.ts';
import type { LinkForLater } from '../link-for-later.ts';
import { usePageTitles } from '../use-page-titles.ts';
import { listEntries, type PastedEntry, placesOf, suggestEntries } from './pasted-entries.ts';
import type { PastedLink } from './pasted-links.ts';

interface PastedListOptions {
  readonly links: readonly PastedLink[];
  readonly groups: readonly CategoryGroup[];
  readonly allowance: LinkAllowance | null;
  /** Whether pages are asked for the titles that the list does not say. */
  readonly withTitles: boolean;
}

/** Titles asked for at most: the service gives 60 a minute, and the form of one link wants some too. */
const TITLES = 50;

const NONE: readonly string[] = [];

/** The lines of a pasted list: which are chosen, where they are already, what they are called. */
export function usePastedList({ links, groups, allowance, withTitles }: PastedListOptions) {
  const [all] = useState(() => listEntries(links));
  const [saved, setSaved] = useState<ReadonlySet<string>>(new Set());
  // Null until the person ticks or unticks something: from then on nothing changes by itself.
  const [picked, setPicked] = useState<ReadonlySet<string> | null>(null);
  const entries = useMemo(() => all.filter(({ id }) => !saved.has(id)), [all, saved]);
  const urls = useMemo(() => [...new Set(all.flatMap(({ link }) => urlOf(link)))], [all]);
  const untitled = useMemo(
    () =>
      all.flatMap(({ link, repeated }) => (repeated || titleOf(link) ? NONE : urlOf(link))).slice(0, TITLES),
    [all],
  );
  const places = useLinkPlaces(urls, groups);
  const titles = usePageTitles(untitled, withTitles);
  const remaining =
    allowance === null || allowance.max === null ? null : Math.max(0, allowance.max - allowance.used);
  const suggestion = useMemo(
    () => suggestEntries({ entries, places, remaining }),
    [entries, places, remaining],
  );
  const chosen = useMemo(
    () =>
      picked === null
        ? suggestion.ids
        : new Set(entries.filter(({ id }) => picked.has(id)).map(({ id }) => id)),
    [entries, suggestion, picked],
  );

  const tick = (ids: readonly string[], ticked: boolean) =>
    setPicked(new Set(ticked ? [...chosen, ...ids] : [...chosen].filter((id) => !ids.includes(id))));
  const titleFor = ({ url, title }: PastedLink & { kind: 'link' }) =>
    title ?? (titles.found.get(url)?.title || null);
  const nameOf = ({ link }: PastedEntry) =>
    link.kind === 'link'
      ? (titleFor(link) ?? shortenText(readHost(link.url), FIELD_LIMITS.linkTitle))
      : link.text;

  return {
    entries,
    chosen,
    remaining,
    /** New ones that were not chosen because they do not fit. */
    leftOut: picked === null ? suggestion.leftOut : 0,
    titles,
    untitled: untitled.length,
    nameOf,
    placesOf: (entry: PastedEntry) => placesOf(entry, places),
    tick,
    markSaved: (ids: ReadonlySet<string>) => setSaved((before) => new Set([...before, ...ids])),
    /** The chosen ones, as they are saved. */
    toLinks: (categoryId: string): readonly NewLink[] =>
      entries.flatMap((entry) =>
        entry.link.kind === 'link' && chosen.has(entry.id)
          ? [
              {
                id: entry.id,
                url: entry.link.url,
                title: nameOf(entry),
                description: titles.found.get(entry.link.url)?.description || null,
                category_id: categoryId,
              },
            ]
          : [],
      ),
    /** The same for when the services cannot be reached: the last one first, as the newest stands on top. */
    toLinksForLater: (categoryId: string | null): readonly LinkForLater[] =>
      entries
        .flatMap(({ id, link }) =>
          link.kind === 'link' && chosen.has(id)
            ? [{ id, url: link.url, title: titleFor(link), description: null, categoryId, tags: NONE }]
            : [],
        )
        .toReversed(),
  };
}

function urlOf(link: PastedLink): readonly string[] {
  return link.kind === 'link' ? [link.url] : NONE;
}

function titleOf(link: PastedLink): string | null {
  return link.kind === 'link' ? link.title : null;
}

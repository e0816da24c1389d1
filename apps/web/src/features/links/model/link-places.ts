import { samePageKey } from '@linkoteca/domain/same-address';
import type { QueryClient } from '@tanstack/react-query';
import { flattenLinks, type LinkPages } from './link-pages.ts';

/** A link that a person has already, and where it stands. */
export interface LinkPlace {
  readonly linkId: string;
  readonly url: string;
  readonly title: string;
  readonly categoryId: string;
  readonly categoryName: string;
  readonly folderName: string;
}

/** The categories of one folder. */
interface Shelf {
  readonly folderName: string;
  readonly categories: readonly { readonly id: string; readonly name: string }[];
}

/** Places by samePageKey; for one address the newest first. */
export type LinkPlaces = ReadonlyMap<string, readonly LinkPlace[]>;

/**
 * The links of these categories that the browser holds already and that have one of these addresses. Of tens of
 * thousands only those of the same hosts are looked at closely.
 */
export function findCachedPlaces(
  queryClient: QueryClient,
  shelves: readonly Shelf[],
  urls: readonly string[],
): LinkPlaces {
  const hosts = new Set(urls.map(hostOf));
  const keys = new Set(urls.map(samePageKey));
  const categories = new Map(
    shelves.flatMap(({ folderName, categories: inside }) =>
      inside.map(({ id, name }) => [id, { folderName, categoryName: name }] as const),
    ),
  );
  const lists = queryClient.getQueriesData<LinkPages>({ queryKey: ['links'] });
  const places = lists.flatMap(([, pages]) =>
    (Array.isArray(pages?.pages) ? flattenLinks(pages) : []).flatMap((link) => {
      const names = hosts.has(hostOf(link.url)) ? categories.get(link.category_id) : undefined;
      if (names === undefined || !keys.has(samePageKey(link.url))) return [];
      return [{ linkId: link.id, url: link.url, title: link.title, categoryId: link.category_id, ...names }];
    }),
  );
  return groupPlaces(places);
}

function hostOf(url: string): string {
  return (
    /^https?:\/\/(?:[^/?#@]*@)?(?:www\.)*([^/?#:]*)/i.exec(url)?.[1]?.toLowerCase().replace(/\.+$/, '') ?? ''
  );
}

/** Groups by address. A link that two lists name counts once. */
export function groupPlaces(places: readonly LinkPlace[]): LinkPlaces {
  const unique = new Map(places.map((place) => [place.linkId, place]));
  return Map.groupBy(unique.values(), (place) => samePageKey(place.url));
}

/** Both findings as one. */
export function joinPlaces(first: LinkPlaces, second: LinkPlaces): LinkPlaces {
  return groupPlaces([...first.values(), ...second.values()].flat());
}

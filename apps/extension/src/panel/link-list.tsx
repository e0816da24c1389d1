import { normalizeUrl, readHost } from '@linkoteca/domain/urls';
import type { ListedLink } from '../library/library.ts';

interface LinkListProps {
  readonly title: string;
  /** Null until they are known. */
  readonly links: readonly ListedLink[] | null;
  /** Said where there are none. */
  readonly empty: string;
}

/** Links by their titles, each opened in a tab of its own. */
export function LinkList({ title, links, empty }: LinkListProps) {
  return (
    <section>
      <h2 className="mb-1 text-sm font-medium text-ink-soft">{title}</h2>
      {links?.length === 0 ? <p className="text-ink-faint">{empty}</p> : null}
      <ul className="-mx-2">
        {links?.map(({ id, title: name, url }) => (
          <li key={id}>
            <a
              // What is kept is http alone; whoever says otherwise is not followed.
              href={normalizeUrl(url) ?? undefined}
              target="_blank"
              rel="noopener noreferrer"
              title={name}
              className="block rounded px-2 py-1.5 hover:bg-hover"
            >
              <span className="block truncate font-medium">{name}</span>
              <span className="block truncate text-sm text-ink-faint">{readHost(url)}</span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}

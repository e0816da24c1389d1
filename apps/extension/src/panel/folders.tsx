import type { Place } from '../library/library.ts';

interface FoldersProps {
  readonly origin: string;
  readonly places: readonly Place[];
}

/** The person's folders, each opening to its categories, which lead into the app. */
export function Folders({ origin, places }: FoldersProps) {
  const folders = Map.groupBy(places, ({ folderId }) => folderId);
  return (
    <ul className="-mx-2">
      {[...folders].map(([folderId, categories]) => (
        <li key={folderId}>
          <details>
            <summary className="cursor-pointer rounded px-2 py-1.5 font-medium hover:bg-hover">
              {categories[0]?.folder}
            </summary>
            <ul>
              {categories.map(({ id, name }) => (
                <li key={id}>
                  <a
                    href={`${origin}/category/${id}`}
                    target="_blank"
                    rel="noreferrer"
                    className="block truncate rounded py-1.5 pr-2 pl-7 hover:bg-hover"
                  >
                    {name}
                  </a>
                </li>
              ))}
            </ul>
          </details>
        </li>
      ))}
    </ul>
  );
}

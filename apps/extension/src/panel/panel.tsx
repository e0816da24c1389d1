import type { Connection } from '../session/session-store.ts';
import { Button } from '../shared/button.tsx';
import { Mark } from '../shared/mark.tsx';
import { translate } from '../shared/translate.ts';
import { useConnection } from '../shared/use-connection.ts';
import { Folders } from './folders.tsx';
import { LinkList } from './link-list.tsx';
import { useLibrary } from './use-library.ts';

/** The library beside the page: a search, the newest links, and the way to every category. */
export function Panel() {
  const connection = useConnection();
  return (
    <main className="flex min-h-dvh flex-col gap-4 p-4">
      <h1 className="flex items-center gap-2.5 text-lg font-semibold">
        <Mark />
        Linkoteca
      </h1>
      {connection === undefined ? null : connection === null || connection.hasEnded ? (
        <div className="flex flex-col items-start gap-3">
          <p className="text-ink-soft">{translate(connection === null ? 'connectFirstWhy' : 'signedOut')}</p>
          <Button look="primary" onClick={() => void chrome.runtime.openOptionsPage()}>
            {translate(connection === null ? 'connect' : 'signInAgain')}
          </Button>
        </div>
      ) : (
        <Library connection={connection} />
      )}
    </main>
  );
}

function Library({ connection }: { readonly connection: Connection }) {
  const { term, setTerm, found, newest, places, isAway } = useLibrary(connection);
  return (
    <>
      <input
        type="search"
        value={term}
        aria-label={translate('searchHere')}
        placeholder={translate('searchHere')}
        onChange={(event) => setTerm(event.target.value)}
        className="h-9 w-full shrink-0 rounded border border-edge bg-surface px-2.5"
      />
      {isAway ? (
        <p role="alert" className="text-warning-text">
          {translate('panelAway')}
        </p>
      ) : null}
      {found !== null ? (
        <LinkList title={translate('found')} links={found} empty={translate('foundNone')} />
      ) : (
        <>
          <LinkList title={translate('newest')} links={newest} empty={translate('newestNone')} />
          <Folders origin={connection.installation.origin} places={places} />
        </>
      )}
    </>
  );
}

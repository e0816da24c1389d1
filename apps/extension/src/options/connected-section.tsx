import { useEffect, useState } from 'react';
import { retryRefused } from '../outbox/outbox.ts';
import { removeCaptures } from '../outbox/outbox-store.ts';
import { type Connection, ownerOf } from '../session/session-store.ts';
import { disconnect } from '../session/tokens.ts';
import { Button } from '../shared/button.tsx';
import { askBackground } from '../shared/messages.ts';
import { translate } from '../shared/translate.ts';
import { useWaiting } from '../shared/use-waiting.ts';
import { KeptPagesSwitch } from './kept-pages-switch.tsx';
import { WaitingList } from './waiting-list.tsx';

/** The connection, what waits on this device, and the way out. */
export function ConnectedSection({ connection }: { readonly connection: Connection }) {
  const [shortcut, setShortcut] = useState('');
  const waiting = useWaiting(connection);
  useEffect(() => {
    void chrome.commands
      .getAll()
      .then((commands) =>
        setShortcut(commands.find(({ name }) => name === '_execute_action')?.shortcut ?? ''),
      );
  }, []);

  const retry = async () => {
    await retryRefused(connection, false);
    await askBackground({ kind: 'send-outbox' });
  };
  return (
    <>
      <section className="flex flex-col gap-3 rounded-lg border border-line bg-surface p-4">
        <h2 className="text-lg font-semibold">
          {translate('connectedTo', new URL(connection.installation.origin).host)}
        </h2>
        <p className="text-ink-soft">
          {shortcut === '' ? translate('connectedByButton') : translate('connectedWhy', shortcut)}
        </p>
        <div className="flex flex-wrap items-center gap-3">
          <Button onClick={() => void disconnect(connection)}>{translate('disconnect')}</Button>
          <p className="text-sm text-ink-faint">{translate('disconnectWhy')}</p>
        </div>
      </section>
      <KeptPagesSwitch />
      {waiting.length === 0 ? null : (
        <WaitingList
          captures={waiting}
          onRetry={() => void retry()}
          onRemove={(place) => void removeCaptures(ownerOf(connection), [place])}
        />
      )}
    </>
  );
}

import { useState } from 'react';
import { retryRefused } from '../outbox/outbox.ts';
import {
  type Connection,
  type Installation,
  type Session,
  writeConnection,
} from '../session/session-store.ts';
import { Mark } from '../shared/mark.tsx';
import { askBackground } from '../shared/messages.ts';
import { translate } from '../shared/translate.ts';
import { useConnection } from '../shared/use-connection.ts';
import { AddressForm } from './address-form.tsx';
import { ConnectedSection } from './connected-section.tsx';
import { SignInSection } from './sign-in-section.tsx';

/** Keeps a new connection, and has sent what the end of the last one held up. */
async function begin(connection: Connection): Promise<void> {
  await writeConnection(connection);
  await retryRefused(connection, true);
  await askBackground({ kind: 'send-outbox' });
}

/** Where the installation's address is asked for, once, and where people sign in and out. */
export function Options() {
  const connection = useConnection();
  const [chosen, setChosen] = useState<Installation | null>(null);
  const installation = chosen ?? connection?.installation ?? null;
  const isConnected = connection && !connection.hasEnded && chosen === null;

  const signedIn = async (session: Session) => {
    if (installation === null) return;
    await begin({ installation, session, hasEnded: false });
    setChosen(null);
  };
  return (
    <main className="mx-auto flex max-w-xl flex-col gap-5 px-4 py-10">
      <h1 className="flex items-center gap-2.5 text-xl font-semibold">
        <Mark />
        {translate('optionsTitle')}
      </h1>
      {connection === undefined ? null : isConnected ? (
        <ConnectedSection connection={connection} />
      ) : installation === null ? (
        <AddressForm onFound={setChosen} />
      ) : (
        <SignInSection
          installation={installation}
          hasEnded={connection?.hasEnded === true && chosen === null}
          onSignedIn={signedIn}
          onOther={() => void writeConnection(null).then(() => setChosen(null))}
        />
      )}
      <p className="text-sm text-ink-faint">{translate('privacy')}</p>
    </main>
  );
}

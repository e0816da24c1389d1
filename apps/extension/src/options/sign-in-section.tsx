import { type FormEvent, useState } from 'react';
import type { Installation, Session } from '../session/session-store.ts';
import { NoClient, NotAllowed, signInByConsent, signInByToken, UnusableToken } from '../session/sign-in.ts';
import { Button } from '../shared/button.tsx';
import { TextField } from '../shared/fields.tsx';
import { type MessageName, translate } from '../shared/translate.ts';

interface SignInSectionProps {
  readonly installation: Installation;
  /** The last connection was ended there. */
  readonly hasEnded: boolean;
  readonly onSignedIn: (session: Session) => Promise<void>;
  readonly onOther: () => void;
}

function nameFault(error: unknown): MessageName {
  if (error instanceof NoClient) return 'noClient';
  if (error instanceof NotAllowed) return 'notAllowedYet';
  if (error instanceof UnusableToken) return 'tokenWrong';
  return 'signInFailed';
}

/** Two ways to sign in: the installation's own pages, and a personal token, which works where programs are not registered. */
export function SignInSection({ installation, hasEnded, onSignedIn, onOther }: SignInSectionProps) {
  const [clientId, setClientId] = useState('');
  const [token, setToken] = useState('');
  const [fault, setFault] = useState<MessageName | null>(null);
  // Most people are never told one.
  const [asksForClient, setAsksForClient] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const { host } = new URL(installation.origin);

  const signIn = async (way: () => Promise<Session>) => {
    setBusy(true);
    setFault(null);
    try {
      await onSignedIn(await way());
    } catch (error) {
      setFault(nameFault(error));
      if (error instanceof NoClient) setAsksForClient(true);
    }
    setBusy(false);
  };
  const submitConsent = (event: FormEvent) => {
    event.preventDefault();
    void signIn(() => signInByConsent(installation, clientId.trim() || null));
  };
  const submitToken = (event: FormEvent) => {
    event.preventDefault();
    void signIn(() => signInByToken(installation, token));
  };
  return (
    <>
      <h2 className="text-lg font-semibold">{translate('signInAt', host)}</h2>
      {hasEnded ? <p className="text-warning-text">{translate('signedOut')}</p> : null}
      <p className="text-ink-soft">{translate('signInLead')}</p>
      {fault === null ? null : (
        <p role="alert" className="text-danger-text">
          {translate(fault)}
        </p>
      )}
      <form onSubmit={submitConsent} className="flex flex-col gap-4">
        {asksForClient ? (
          <TextField
            label={translate('clientId')}
            value={clientId}
            spellCheck={false}
            autoComplete="off"
            onChange={(event) => setClientId(event.target.value)}
          />
        ) : null}
        <div className="flex flex-wrap gap-2">
          <Button look="primary" type="submit" disabled={isBusy}>
            {translate('signIn')}
          </Button>
          <Button look="quiet" onClick={onOther}>
            {translate('other')}
          </Button>
        </div>
      </form>
      <form
        onSubmit={submitToken}
        className="flex flex-col gap-4 rounded-lg border border-line bg-surface p-4"
      >
        <TextField
          label={translate('token')}
          hint={translate('tokenHint')}
          type="password"
          value={token}
          autoComplete="off"
          placeholder="lk_pat_…"
          onChange={(event) => setToken(event.target.value)}
        />
        <div>
          <Button type="submit" disabled={isBusy || token.trim() === ''}>
            {translate('useToken')}
          </Button>
        </div>
      </form>
    </>
  );
}

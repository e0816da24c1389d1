import { useEffect, useRef, useState } from 'react';
import type { Connection } from '../session/session-store.ts';
import { Button } from '../shared/button.tsx';
import { Mark } from '../shared/mark.tsx';
import { askToSeeTabs } from '../shared/permissions.ts';
import { translate } from '../shared/translate.ts';
import { useConnection } from '../shared/use-connection.ts';
import { CaptureCard } from './capture-card.tsx';
import { Notice } from './notice.tsx';
import { type Outcome, saveCapture, savePage } from './save-page.ts';
import { SaveTabs } from './save-tabs.tsx';
import { WaitingCard } from './waiting-card.tsx';

const openOptions = () => void chrome.runtime.openOptionsPage();

/** What opens under the button: it saves the page, and shows what was saved. */
export function Popup() {
  const connection = useConnection();
  return (
    <main className="flex w-90 flex-col gap-3 bg-paper p-4">
      {connection === undefined ? null : connection === null ? (
        <Notice title={translate('connectFirst')} text={translate('connectFirstWhy')}>
          <Button look="primary" onClick={openOptions}>
            {translate('connect')}
          </Button>
        </Notice>
      ) : (
        <Connected connection={connection} />
      )}
    </main>
  );
}

function Connected({ connection }: { readonly connection: Connection }) {
  const [tabs, setTabs] = useState<'closed' | 'open' | 'refused'>('closed');
  if (tabs === 'open') return <SaveTabs connection={connection} onBack={() => setTabs('closed')} />;
  return (
    <>
      <Saving connection={connection} />
      <div className="-mx-4 -mb-4 border-t border-line px-1 py-1.5">
        <Button
          look="quiet"
          // The first thing after the press: later the browser takes it for nobody's wish.
          onClick={() => void askToSeeTabs().then((given) => setTabs(given ? 'open' : 'refused'))}
        >
          {translate('saveTabs')}
        </Button>
        {tabs === 'refused' ? (
          <p role="alert" className="px-3 pb-1.5 text-sm text-ink-soft">
            {translate('tabsRefused')}
          </p>
        ) : null}
      </div>
    </>
  );
}

function Saving({ connection }: { readonly connection: Connection }) {
  const [outcome, setOutcome] = useState<Outcome | 'undone' | null>(null);
  const hasBegun = useRef(false);
  // Once: a connection that ends while the page is saved is another render, and no other save.
  useEffect(() => {
    if (hasBegun.current) return;
    hasBegun.current = true;
    void savePage(connection).then(setOutcome);
  }, [connection]);

  if (outcome === null)
    return (
      <p role="status" className="flex items-center gap-2.5 text-lg font-semibold">
        <Mark />
        {translate('saving')}
      </p>
    );
  if (outcome === 'undone') return <Notice title={translate('undone')} />;
  switch (outcome.kind) {
    case 'unsavable':
      return (
        <Notice
          title={translate('unsavable')}
          text={translate(outcome.why === 'too_long' ? 'tooLong' : 'unsavableWhy')}
        />
      );
    case 'not_kept':
      return <Notice title={translate('notKept')} text={translate('notKeptWhy')} />;
    case 'unseen':
      return <Notice title={translate('savedIn', translate('inbox'))} />;
    case 'waiting':
      return (
        <WaitingCard
          connection={connection}
          capture={outcome.capture}
          onOutcome={setOutcome}
          onSignIn={openOptions}
        />
      );
    case 'saved':
      return (
        <CaptureCard
          key={outcome.link.id}
          connection={connection}
          outcome={outcome}
          onMoved={setOutcome}
          onUndone={() => setOutcome('undone')}
          onSaveAgain={() => {
            setOutcome(null);
            void saveCapture(connection, outcome.found, outcome.tab).then(setOutcome);
          }}
        />
      );
  }
}

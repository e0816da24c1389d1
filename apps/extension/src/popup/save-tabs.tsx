import { useEffect, useState } from 'react';
import { listPlaces, type Place } from '../library/library.ts';
import type { Capture } from '../outbox/capture.ts';
import { capture } from '../outbox/outbox.ts';
import { listCaptures } from '../outbox/outbox-store.ts';
import { isTooLong } from '../page/describe-capture.ts';
import { describeTabs } from '../page/describe-tabs.ts';
import { type Connection, ownerOf } from '../session/session-store.ts';
import { openDatabase } from '../session/tokens.ts';
import { Button } from '../shared/button.tsx';
import { askBackground } from '../shared/messages.ts';
import { translate } from '../shared/translate.ts';
import { Notice } from './notice.tsx';
import { PlaceField } from './place-field.tsx';

interface SaveTabsProps {
  readonly connection: Connection;
  readonly onBack: () => void;
}

type State =
  | { readonly kind: 'asking' | 'saving' | 'undone' | 'not_kept' }
  | { readonly kind: 'done'; readonly ids: readonly string[]; readonly waiting: number };

const countTabs = (count: number) => (count === 1 ? translate('oneTab') : translate('tabsCount', count));

/** Saves every tab of the window into one category. */
export function SaveTabs({ connection, onBack }: SaveTabsProps) {
  const [captures, setCaptures] = useState<readonly Capture[]>();
  const [tooLong, setTooLong] = useState(0);
  const [places, setPlaces] = useState<readonly Place[]>([]);
  const [categoryId, setCategoryId] = useState('');
  const [state, setState] = useState<State>({ kind: 'asking' });
  const [fault, setFault] = useState('');
  useEffect(() => {
    void chrome.tabs.query({ currentWindow: true }).then((tabs) => {
      setCaptures(describeTabs(tabs));
      setTooLong(tabs.filter(({ url = '' }) => isTooLong(url)).length);
    });
    listPlaces(openDatabase(connection), connection.session.userId).then(
      (found) => {
        setPlaces(found);
        setCategoryId(found.find(({ isInbox }) => isInbox)?.id ?? '');
      },
      // Without a network there is the inbox.
      () => undefined,
    );
  }, [connection]);

  const place = places.find(({ id }) => id === categoryId);
  const sharedFolderId = place && place.ownerId !== null ? place.folderId : undefined;
  const save = async (wanted: readonly Capture[]) => {
    setState({ kind: 'saving' });
    try {
      await capture(
        connection,
        wanted.map((one) => ({ ...one, categoryId: categoryId || null, sharedFolderId })),
      );
    } catch {
      return setState({ kind: 'not_kept' });
    }
    await askBackground({ kind: 'send-outbox' });
    const ids = wanted.map(({ id }) => id);
    const left = (await listCaptures(ownerOf(connection))).filter(({ id }) => ids.includes(id));
    setState({ kind: 'done', ids, waiting: left.length });
  };
  const undo = async (ids: readonly string[]) => {
    setFault('');
    const { ok } = await askBackground({ kind: 'undo', ids });
    if (ok) setState({ kind: 'undone' });
    else setFault(translate('undoFailed'));
  };

  switch (state.kind) {
    case 'undone':
      return <Notice title={translate('undone')} />;
    case 'not_kept':
      return <Notice title={translate('notKept')} text={translate('notKeptWhy')} />;
    case 'done':
      return (
        <Notice
          title={
            state.waiting > 0
              ? state.waiting === 1
                ? translate('oneTabKept')
                : translate('tabsKept', countTabs(state.waiting))
              : translate('tabsSaved', countTabs(state.ids.length))
          }
        >
          {fault === '' ? null : (
            <p role="alert" className="self-center text-sm text-danger-text">
              {fault}
            </p>
          )}
          <Button onClick={() => void undo(state.ids)}>{translate('undo')}</Button>
        </Notice>
      );
    default:
  }
  if (captures === undefined) return null;
  const isEmpty = captures.length === 0;
  return (
    <>
      <Notice title={translate('saveTabs')} text={isEmpty ? translate('tabsNone') : translate('tabsLead')} />
      {tooLong === 0 ? null : (
        <p className="text-sm text-ink-soft">{translate('tabsTooLong', countTabs(tooLong))}</p>
      )}
      {isEmpty ? null : (
        <PlaceField
          connection={connection}
          places={places}
          value={categoryId}
          onChange={(id, created) => {
            if (created) setPlaces((known) => [...known, created]);
            setCategoryId(id);
          }}
        />
      )}
      <div className="flex justify-end gap-2">
        <Button look="quiet" onClick={onBack}>
          {translate('back')}
        </Button>
        {isEmpty ? null : (
          <Button look="primary" disabled={state.kind === 'saving'} onClick={() => void save(captures)}>
            {translate('saveTabsCount', countTabs(captures.length))}
          </Button>
        )}
      </div>
    </>
  );
}

import { useRef, useState } from 'react';
import type { Place } from '../library/library.ts';
import type { CaptureChange } from '../outbox/change-capture.ts';
import type { Connection } from '../session/session-store.ts';
import { Button } from '../shared/button.tsx';
import { askBackground } from '../shared/messages.ts';
import { translate } from '../shared/translate.ts';
import { CaptureFields } from './capture-fields.tsx';
import { Notice } from './notice.tsx';
import { PlaceField } from './place-field.tsx';
import { type Outcome, saveElsewhere } from './save-page.ts';

interface CaptureCardProps {
  readonly connection: Connection;
  readonly outcome: Extract<Outcome, { kind: 'saved' }>;
  /** It is in another library now, as another link. */
  readonly onMoved: (outcome: Outcome) => void;
  readonly onUndone: () => void;
  readonly onSaveAgain: () => void;
}

/** A saved link: where it is, with what can be changed of it at once. Every change is kept by itself. */
export function CaptureCard({ connection, outcome, onMoved, onUndone, onSaveAgain }: CaptureCardProps) {
  const { link, wasThere } = outcome;
  const [places, setPlaces] = useState(outcome.places);
  const [categoryId, setCategoryId] = useState(link.categoryId);
  const [fault, setFault] = useState(outcome.isLeftBehind ? translate('inBoth') : '');
  const [isMoving, setMoving] = useState(false);
  const note = useRef(link.description);
  const place = places.find(({ id }) => id === categoryId);
  const isShared = place !== undefined && place.ownerId !== null;
  // What was there before stays in its library.
  const offered = places.filter(({ ownerId }) => !wasThere || ownerId === (place?.ownerId ?? null));

  const change = async (wanted: CaptureChange) => {
    if (wanted.description !== undefined) note.current = wanted.description;
    const { ok } = await askBackground({ kind: 'change', id: link.id, change: wanted });
    setFault(ok ? '' : translate('notChanged'));
    return ok;
  };
  const move = async (id: string, created?: Place) => {
    if (created) setPlaces((known) => [...known, created]);
    const target = created ?? places.find((one) => one.id === id);
    if (target && target.ownerId !== (place?.ownerId ?? null)) return moveElsewhere(target);
    setCategoryId(id);
    if (!(await change({ categoryId: id }))) setCategoryId(categoryId);
  };
  const moveElsewhere = async (target: Place) => {
    setMoving(true);
    const asTyped = { ...outcome, link: { ...link, description: note.current } };
    const moved = await saveElsewhere(connection, asTyped, target);
    setMoving(false);
    if (moved === 'both') setFault(translate('inBoth'));
    else if (moved) onMoved(moved);
    else setFault(translate('notChanged'));
  };
  const undo = async () => {
    const { ok } = await askBackground({ kind: 'undo', ids: [link.id] });
    if (ok) onUndone();
    else setFault(translate('undoFailed'));
  };

  return (
    <>
      <Notice
        title={translate(wasThere ? 'alreadyIn' : 'savedIn', place?.name ?? translate('inbox'))}
        text={link.title}
      />
      <PlaceField
        connection={connection}
        places={offered}
        value={categoryId}
        isDisabled={isMoving}
        onChange={(id, created) => void move(id, created)}
      />
      <CaptureFields
        // Tags are each owner's own.
        tags={isShared ? null : link.tags}
        description={link.description}
        isDisabled={isMoving}
        onChange={(wanted) => void change(wanted)}
      />
      {fault === '' ? null : (
        <p role="alert" className="text-sm text-danger-text">
          {fault}
        </p>
      )}
      <div className="flex items-center justify-between gap-2">
        <a
          href={`${connection.installation.origin}/category/${categoryId}`}
          target="_blank"
          rel="noreferrer"
          className="inline-flex h-9 items-center text-accent-text underline underline-offset-2"
        >
          {translate('open')}
        </a>
        {wasThere ? (
          <Button onClick={onSaveAgain}>{translate('saveAgain')}</Button>
        ) : (
          <Button onClick={() => void undo()}>{translate('undo')}</Button>
        )}
      </div>
    </>
  );
}

import { FIELD_LIMITS } from '@linkoteca/domain/limits';
import { CAPTURE_MESSAGES } from '@linkoteca/domain/messages/capture-messages';
import { samePageKey } from '@linkoteca/domain/same-address';
import { shortenText } from '@linkoteca/domain/shorten-text';
import { cleanLine } from '@linkoteca/domain/text';
import { readHost } from '@linkoteca/domain/urls';
import { isUuid } from '@linkoteca/domain/uuid';
import { CircleCheck, CloudUpload } from 'lucide-react';
import { type FormEvent, useEffect, useMemo, useState } from 'react';
import type { Capture } from '../../features/captures/model/capture.ts';
import { useLinkPlaces } from '../../features/links/api/find-links-by-url.ts';
import { CategoryField } from '../../features/links/components/form/category-field.tsx';
import { describePlace } from '../../features/links/model/adding-messages.ts';
import { type CategoryGroup, findPlace } from '../../features/links/model/category-groups.ts';
import { useSingleFlight } from '../../shared/lib/writes/use-single-flight.ts';
import { Button } from '../../shared/ui/button.tsx';
import { buttonClassName } from '../../shared/ui/button-class-name.ts';
import { EmptyState } from '../../shared/ui/feedback/empty-state.tsx';
import { Notice } from '../../shared/ui/feedback/notice.tsx';
import { TextField } from '../../shared/ui/fields/text-field.tsx';
import { LinkFace } from '../../shared/ui/link-face.tsx';
import { useInbox } from '../organiser/inbox/use-inbox.ts';
import { useWritablePlaces } from '../organiser/use-writable-places.ts';
import type { SharedText } from '../pages/read-shared-text.ts';
import { readCapturedLinks } from './read-captured-links.ts';
import { useArmed } from './use-armed.ts';
import { type Captured, useCaptures } from './use-capture.ts';

const TEXT = CAPTURE_MESSAGES.window;

/** How long 'Salvo' stands there before the window closes, milliseconds. */
const READING_MS = 1_200;

interface SaveWindowProps {
  /** What the page said of itself; nothing of it is trusted. */
  readonly shared: SharedText;
  /** Where the bookmarklet saves, if it says so. */
  readonly categoryId: string | undefined;
}

/** What the small window holds: a link to save with one press, then how that ended. */
export function SaveWindow({ shared, categoryId }: SaveWindowProps) {
  // Made once, so that a second press after a lost answer saves nothing twice.
  const [capture] = useState(() => readCapturedLinks({ ...shared, url: shared.url ?? '' })[0]);
  const [captured, setCaptured] = useState<Captured | null>(null);
  if (capture === undefined)
    return (
      <EmptyState
        title={TEXT.nothing}
        description={TEXT.nothingWhy}
        action={<Button onClick={() => window.close()}>{TEXT.close}</Button>}
      />
    );
  return captured ? (
    <Ending captured={captured} />
  ) : (
    <SaveForm capture={capture} categoryId={categoryId} onCaptured={setCaptured} />
  );
}

interface SaveFormProps {
  readonly capture: Capture;
  readonly categoryId: string | undefined;
  readonly onCaptured: (captured: Captured) => void;
}

function SaveForm({ capture, categoryId, onCaptured }: SaveFormProps) {
  const inboxId = useInbox()?.id ?? '';
  const [title, setTitle] = useState(capture.title ?? '');
  const [chosenId, setChosenId] = useState(isUuid(categoryId) ? categoryId : '');
  const { groups, isKnown, createPlace, sharedFolderOf } = useWritablePlaces(chosenId);
  const [saving, setSaving] = useState(false);
  const armed = useArmed();
  const send = useCaptures();
  // A category that is gone, or in which the person may not write, is none; before that is known, the service says it.
  const chosen = !isKnown || findPlace(groups, chosenId) ? chosenId : '';
  const save = useSingleFlight(async (typed: string) => {
    setSaving(true);
    const name = cleanLine(typed).trim();
    const captured = await send([
      {
        ...capture,
        title: name === '' ? null : shortenText(name, FIELD_LIMITS.linkTitle),
        categoryId: chosen === '' || chosen === inboxId ? null : chosen,
        sharedFolderId: sharedFolderOf(chosen),
      },
    ]);
    setSaving(false);
    if (captured) onCaptured(captured);
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (armed) void save(title);
  };
  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-4">
      <div className="flex items-center gap-3 rounded-lg border border-line bg-surface p-3">
        <LinkFace url={capture.url} size="card" />
        <p className="min-w-0 flex-1 text-sm text-ink-soft">
          <span className="block truncate font-medium text-ink">{readHost(capture.url)}</span>
          <span className="block truncate" title={capture.url}>
            {capture.url}
          </span>
        </p>
      </div>
      <AlreadyHere url={capture.url} groups={groups} />
      <TextField
        label={TEXT.name}
        autoComplete="off"
        value={title}
        hint={title === '' ? 'Em branco, buscamos na página.' : null}
        onChange={({ target }) => setTitle(target.value)}
      />
      <div>
        <CategoryField
          groups={groups}
          value={chosen || inboxId}
          onChange={setChosenId}
          createPlace={createPlace}
          onSeePlans={null}
          suggested={false}
        />
        {chosen === '' && inboxId === '' ? (
          <p className="mt-1.5 text-sm text-ink-soft">{TEXT.inboxHint}</p>
        ) : null}
      </div>
      <Button
        type="submit"
        variant="primary"
        size="large"
        autoFocus
        busy={saving || !armed}
        busyLabel={saving ? 'Salvando...' : undefined}
      >
        {TEXT.save}
      </Button>
    </form>
  );
}

interface AlreadyHereProps {
  readonly url: string;
  readonly groups: readonly CategoryGroup[];
}

/** Says where the person has the page already, in their library or in a folder that somebody shares with them. */
function AlreadyHere({ url, groups }: AlreadyHereProps) {
  const urls = useMemo(() => [url], [url]);
  const [place] = useLinkPlaces(urls, groups).get(samePageKey(url)) ?? [];
  if (place === undefined) return null;
  return (
    <Notice tone="warning">
      {TEXT.alreadyHere} {describePlace(place.folderName, place.categoryName)}.
    </Notice>
  );
}

/** How it ended. What is saved needs no more words, and the window goes. */
function Ending({ captured }: { readonly captured: Captured }) {
  const [waiting] = captured.waiting;
  const refusal = waiting?.refusal ?? null;
  useEffect(() => {
    if (refusal !== null) return undefined;
    const timer = setTimeout(() => window.close(), READING_MS);
    return () => clearTimeout(timer);
  }, [refusal]);
  return (
    <div role="status">
      <EmptyState
        icon={waiting ? <CloudUpload aria-hidden /> : <CircleCheck aria-hidden />}
        title={waiting ? CAPTURE_MESSAGES.kept : CAPTURE_MESSAGES.saved}
        description={captured.reason ?? TEXT.closes}
        action={
          <span className="flex gap-2">
            {refusal ? (
              // In a tab of its own: this window is too small for the app.
              <a href="/entrada" target="_blank" rel="noopener" className={buttonClassName('primary')}>
                {TEXT.open}
              </a>
            ) : null}
            <Button onClick={() => window.close()}>{TEXT.close}</Button>
          </span>
        }
      />
    </div>
  );
}

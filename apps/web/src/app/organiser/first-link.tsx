import { CAPTURE_MESSAGES } from '@linkoteca/domain/messages/capture-messages';
import { LINK_MESSAGES } from '@linkoteca/domain/messages/link-messages';
import { SERVICE_WORDS } from '@linkoteca/domain/messages/service-messages';
import { normalizeUrl, readHost } from '@linkoteca/domain/urls';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ClipboardEvent, type FormEvent, useEffect, useRef, useState } from 'react';
import { useCreateLink } from '../../features/links/api/create-link.ts';
import { useLinkPreviewQuery } from '../../features/links/api/fetch-link-preview.ts';
import { describePlace } from '../../features/links/model/adding-messages.ts';
import { rememberLastCategory } from '../../features/links/model/last-category.ts';
import {
  chooseFirstPlace,
  describeRefusedPlace,
  type NewPlace,
} from '../../features/links/model/new-category.ts';
import { readPastedLinks } from '../../features/links/model/pasting/read-pasted-links.ts';
import { isUnderLayer } from '../../shared/lib/browser/use-shortcut.ts';
import { describeServiceFailure } from '../../shared/lib/describe-service-failure.ts';
import type { Folder } from '../../shared/lib/rows.ts';
import { useUserId } from '../../shared/lib/session/session-context.tsx';
import { createId } from '../../shared/lib/writes/create-id.ts';
import { useSingleFlight } from '../../shared/lib/writes/use-single-flight.ts';
import { Button } from '../../shared/ui/button.tsx';
import { toast } from '../../shared/ui/feedback/toast.ts';
import { TextField } from '../../shared/ui/fields/text-field.tsx';
import { useOrganiserDialogs } from './dialogs/organiser-dialogs-context.ts';
import { useCreatePlace } from './use-create-place.ts';
import { useLibraryCounting } from './use-library-counting.ts';
import { useOpenCategory } from './use-open-category.ts';

/** How long the page may take to say its title; its host stands in after that. Milliseconds. */
const TITLE_WAIT_MS = 2_500;

interface FirstLinkProps {
  /** A folder that is there already; without one the first is made. */
  readonly folder: Folder | undefined;
}

/** An empty library is one field: Enter saves the first link, and makes the folder and the category that it needs. */
export function FirstLink({ folder }: FirstLinkProps) {
  const ask = useOrganiserDialogs();
  const [text, setText] = useState('');
  const [error, setError] = useState<string>();
  const [saving, setSaving] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    // Where a finger types, the keyboard would cover what there is to read. And it comes late: who is elsewhere by now stays there.
    const elsewhere = isUnderLayer() || document.querySelector(':focus-visible') !== null;
    if (matchMedia('(pointer: fine)').matches && !elsewhere) field.current?.focus();
  }, []);
  const place = chooseFirstPlace(
    folder ? [{ folderId: folder.id, folderName: folder.name, categories: [] }] : [],
  );
  const save = useSaveFirstLink(place);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const url = normalizeUrl(text);
    if (url === null) return setError(LINK_MESSAGES.invalidUrl);
    setSaving(true);
    await save(url);
    setSaving(false);
  };
  const paste = (event: ClipboardEvent) => {
    const pasted = event.clipboardData.getData('text/plain');
    if (readPastedLinks(pasted).length < 2) return;
    event.preventDefault();
    ask({ kind: 'paste-links', text: pasted });
  };
  return (
    <div className="mt-3 rounded-lg border border-line bg-surface px-5 py-8 md:px-8 md:py-10">
      <form onSubmit={submit} noValidate className="mx-auto flex max-w-2xl flex-wrap items-start gap-2">
        <div className="min-w-60 flex-1">
          <TextField
            label="Cole seu primeiro link"
            type="text"
            inputMode="url"
            enterKeyHint="done"
            placeholder="https://"
            autoComplete="off"
            autoCapitalize="none"
            autoCorrect="off"
            spellCheck={false}
            ref={field}
            value={text}
            error={error}
            hint={`Enter salva em ${describePlace(place.folderName, place.name)}. Depois você muda os nomes.`}
            onChange={({ target }) => {
              setText(target.value);
              setError(undefined);
            }}
            onPaste={paste}
          />
        </div>
        <Button
          type="submit"
          variant="primary"
          size="large"
          className="mt-6 max-sm:mt-0 max-sm:w-full"
          busy={saving}
          busyLabel="Salvando..."
        >
          Salvar
        </Button>
      </form>
      <p className="mx-auto mt-6 flex max-w-2xl flex-wrap gap-x-4 gap-y-1 text-sm text-ink-soft">
        <Link to="/profile" search={{ tab: 'data' }} className="text-accent-text hover:underline">
          Importar favoritos
        </Link>
        <Link to="/salvar-de-qualquer-lugar" className="text-accent-text hover:underline">
          {CAPTURE_MESSAGES.anywhere.title}
        </Link>
        {folder ? (
          <button
            type="button"
            className="text-accent-text hover:underline"
            onClick={() => ask({ kind: 'category', folder, category: null })}
          >
            Criar a primeira categoria
          </button>
        ) : null}
      </p>
    </div>
  );
}

/** Saves a link where nothing is yet, and shows it. What fails goes on in the form of a link, with what was pasted. */
function useSaveFirstLink(place: NewPlace): (url: string) => Promise<void> {
  const userId = useUserId();
  const counting = useLibraryCounting();
  const createPlace = useCreatePlace();
  const createLink = useCreateLink(counting.links);
  const readTitle = useTitleOf();
  const open = useOpenCategory();
  const ask = useOrganiserDialogs();
  // The field stands for a moment after its link is saved.
  const saved = useRef(false);

  return useSingleFlight(async (url: string) => {
    if (saved.current) return;
    // The form that goes on has it too, so that saving again after a lost answer makes nothing twice.
    const id = createId();
    const title = await readTitle(url);
    const fail = (reason: string) => {
      toast.error(LINK_MESSAGES.createFailed, reason);
      ask({ kind: 'add-link', start: { id, url, title } });
    };
    const made = await createPlace(place);
    if (made.kind !== 'created') return fail(describeRefusedPlace(made));
    try {
      await createLink.mutateAsync({ id, url, title, description: null, category_id: made.id });
    } catch (failure) {
      const words = SERVICE_WORDS.link.create;
      return fail(describeServiceFailure(failure, words, 'O endereço continua aqui.'));
    }
    saved.current = true;
    rememberLastCategory(userId, made.id);
    toast.success(LINK_MESSAGES.created, `Em ${describePlace(place.folderName, place.name)}`);
    open(made.id);
  });
}

/** What a page calls itself; its host where it says nothing, or not in time. */
function useTitleOf(): (url: string) => Promise<string> {
  const queryClient = useQueryClient();
  const preview = useLinkPreviewQuery();
  return async (url) => {
    const late = new Promise<null>((resolve) => setTimeout(resolve, TITLE_WAIT_MS, null));
    const said = await Promise.race([queryClient.fetchQuery(preview(url)).catch(() => null), late]);
    return (said?.kind === 'found' && said.title) || readHost(url);
  };
}

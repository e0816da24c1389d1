import { formatCount } from '@linkoteca/domain/formats';
import { describeFullFolder } from '@linkoteca/domain/messages/folder-sharing-messages';
import { describeLinkLimit } from '@linkoteca/domain/messages/plan-messages';
import { SERVICE_WORDS } from '@linkoteca/domain/messages/service-messages';
import { readRefusal } from '@linkoteca/domain/read-refusal';
import { type FormEvent, useState } from 'react';
import { useStoredChoice } from '../../../../shared/lib/browser/use-stored-choice.ts';
import { useOnline } from '../../../../shared/lib/connection/connection-context.tsx';
import { describeServiceFailure } from '../../../../shared/lib/describe-service-failure.ts';
import { useUserId } from '../../../../shared/lib/session/session-context.tsx';
import { useSingleFlight } from '../../../../shared/lib/writes/use-single-flight.ts';
import { Button } from '../../../../shared/ui/button.tsx';
import { DialogActions } from '../../../../shared/ui/dialogs/dialog-actions.tsx';
import { toast } from '../../../../shared/ui/feedback/toast.ts';
import { FieldAction } from '../../../../shared/ui/fields/field-action.tsx';
import { PartialCreation, useCreateLinks } from '../../api/create-links.ts';
import {
  ADDING_MESSAGES,
  describeExcess,
  describePartialSave,
  describePastedList,
  describeSavedLinks,
} from '../../model/adding-messages.ts';
import { chooseStartCategory } from '../../model/choose-start-category.ts';
import { describeSavedPlace } from '../../model/describe-saved-place.ts';
import { rememberLastCategory } from '../../model/last-category.ts';
import type { LinkAllowance } from '../../model/link-allowance.ts';
import { categoryForLater } from '../../model/link-for-later.ts';
import { describeRefusedPlace, settlePlace } from '../../model/new-category.ts';
import type { PastedLink } from '../../model/pasting/pasted-links.ts';
import { usePastedList } from '../../model/pasting/use-pasted-list.ts';
import { CategoryField } from '../form/category-field.tsx';
import type { PasteManyDialogProps } from './paste-many-props.ts';
import { PastedRows } from './pasted-rows.tsx';
import { RoomNote } from './room-note.tsx';

interface PasteReviewProps extends Omit<PasteManyDialogProps, 'open' | 'text' | 'onSeePlans'> {
  readonly links: readonly PastedLink[];
  readonly onSeePlans: (() => void) | null;
  /** Back to the text, to correct it. */
  readonly onBack: () => void;
}

const TITLE_CHOICES = ['sim', 'não'] as const;

/** The lines of a pasted list to choose from, and one press that saves them. */
export function PasteReview(props: PasteReviewProps) {
  const {
    links,
    groups,
    allowance,
    categoryId: shownId,
    createPlace,
    empty = false,
    isTheirs = false,
    onClose,
    onBack,
    onSeePlans,
    keepForLater,
  } = props;
  const online = useOnline();
  const userId = useUserId();
  const [start] = useState(() => chooseStartCategory(userId, shownId, groups, empty));
  const [categoryId, setCategoryId] = useState(start.id);
  const [withTitles, setWithTitles] = useStoredChoice('linkoteca-page-titles', TITLE_CHOICES);
  // While it saves, the counters already count what is being saved: the room is the one before.
  const [held, setHeld] = useState<LinkAllowance | null>();
  const list = usePastedList({
    links,
    groups,
    allowance: held === undefined ? allowance : held,
    withTitles: withTitles === 'sim',
  });
  const create = useCreateLinks(props.beginCountLinks);
  const [progress, setProgress] = useState(0);
  const [saving, setSaving] = useState(false);
  const [tried, setTried] = useState(false);
  const [placeFault, setPlaceFault] = useState<string>();

  const unreadable = list.entries.filter(({ link }) => link.kind === 'unreadable').length;
  const repeated = list.entries.filter((entry) => entry.repeated).length;
  const choosable = list.entries.filter(({ link }) => link.kind === 'link').map(({ id }) => id);
  const count = list.chosen.size;
  const excess = list.remaining === null ? 0 : Math.max(0, count - list.remaining);
  const problem =
    excess > 0 ? describeExcess(excess) : tried && count === 0 ? ADDING_MESSAGES.nothingChosen : null;

  const fail = (error: unknown) => {
    const cause = error instanceof PartialCreation ? error.cause : error;
    if (error instanceof PartialCreation) list.markSaved(error.savedIds);
    const refusal = readRefusal(cause);
    const full = refusal.kind === 'link_limit' ? refusal.max : null;
    const limit = full === null || isTheirs ? null : describeLinkLimit(full);
    const reason =
      full !== null && isTheirs
        ? describeFullFolder(full, 'links')
        : (limit?.title ??
          describeServiceFailure(cause, SERVICE_WORDS.link.create, 'A lista continua aqui.'));
    if (error instanceof PartialCreation) {
      toast.error(describePartialSave(error.savedIds.size, count), reason);
    } else {
      toast.error(limit?.title ?? ADDING_MESSAGES.manyFailed, limit?.description ?? reason);
    }
  };
  const save = useSingleFlight(async (_event: FormEvent) => {
    setPlaceFault(undefined);
    setProgress(0);
    if (!online && keepForLater) {
      if (await keepForLater(list.toLinksForLater(categoryForLater(categoryId)))) onClose();
      return;
    }
    setHeld(allowance);
    const place = await settlePlace(categoryId, groups, createPlace);
    if (place.kind !== 'settled') return setPlaceFault(describeRefusedPlace(place));
    setCategoryId(place.id);
    try {
      await create.mutateAsync({ links: list.toLinks(place.id), onProgress: setProgress });
    } catch (error) {
      return fail(error);
    }
    rememberLastCategory(userId, place.id);
    const where = describeSavedPlace(place.groups, place.id, shownId);
    toast.success(describeSavedLinks(count), where ?? undefined);
    onClose();
  });
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (saving || count === 0 || excess > 0 || categoryId === '') return;
    setSaving(true);
    await save(event);
    setSaving(false);
    setHeld(undefined);
  };

  return (
    <form noValidate onSubmit={(event) => void submit(event)}>
      <div className="flex flex-col gap-4">
        <CategoryField
          groups={groups}
          value={categoryId}
          onChange={setCategoryId}
          createPlace={createPlace}
          onSeePlans={onSeePlans}
          suggested={start.suggested && categoryId === start.id}
          error={
            placeFault ?? (tried && categoryId === '' ? 'Selecione uma categoria para o link' : undefined)
          }
        />
        <div className="flex flex-col gap-2">
          <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1 text-sm">
            <p role="status" className="text-ink-soft">
              {describePastedList(choosable.length, repeated, unreadable)}
            </p>
            <FieldAction onPress={onBack}>Corrigir o texto</FieldAction>
          </div>
          <PastedRows
            list={list}
            choosable={choosable}
            onToggleAll={(ticked) => list.tick(choosable, ticked)}
          />
          <TitlesOption
            list={list}
            on={withTitles === 'sim'}
            onChange={(on) => setWithTitles(on ? 'sim' : 'não')}
          />
        </div>
        <RoomNote
          remaining={list.remaining}
          max={allowance?.max ?? null}
          leftOut={list.leftOut}
          excess={excess}
          problem={problem}
          onSeePlans={onSeePlans}
        />
      </div>
      <DialogActions>
        <Button onClick={onClose}>Cancelar</Button>
        <Button
          type="submit"
          variant="primary"
          autoFocus={start.id !== ''}
          busy={saving}
          busyLabel={progress > 0 ? `Salvando... ${progress} de ${count}` : 'Salvando...'}
        >
          {count === 0 ? 'Salvar' : `Salvar ${formatCount(count, 'link', 'links')}`}
        </Button>
      </DialogActions>
    </form>
  );
}

interface TitlesOptionProps {
  readonly list: ReturnType<typeof usePastedList>;
  readonly on: boolean;
  readonly onChange: (on: boolean) => void;
}

/** Whether the pages are asked for their titles, and how far that is. */
function TitlesOption({ list: { titles, untitled }, on, onChange }: TitlesOptionProps) {
  if (untitled === 0) return null;
  return (
    <div className="flex min-h-6 flex-wrap items-center justify-between gap-x-4 text-sm text-ink-soft">
      <label className="flex cursor-pointer items-center gap-2 py-1 pointer-coarse:py-2.5">
        <input
          type="checkbox"
          checked={on}
          className="size-4 accent-accent"
          onChange={(event) => onChange(event.target.checked)}
        />
        Buscar títulos nas páginas
      </label>
      <span role="status" className="text-ink-faint tabular-nums">
        {titles.stopped ? ADDING_MESSAGES.tooManyTitles : null}
        {titles.waiting > 0
          ? `${ADDING_MESSAGES.searchingTitle} ${untitled - titles.waiting} de ${untitled}`
          : null}
      </span>
    </div>
  );
}

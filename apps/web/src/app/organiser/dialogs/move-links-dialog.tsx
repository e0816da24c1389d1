import { formatCount } from '@linkoteca/domain/formats';
import { PLAN_MESSAGES } from '@linkoteca/domain/messages/plan-messages';
import { useNavigate } from '@tanstack/react-router';
import { useMemo, useRef, useState } from 'react';
import type { LinkMoveRequest } from '../../../features/links/components/link-browser-props.ts';
import {
  NEW_CATEGORY,
  offerNewCategory,
  useCategoryChoices,
} from '../../../features/links/components/use-category-choices.tsx';
import { ADDING_MESSAGES } from '../../../features/links/model/adding-messages.ts';
import {
  describeRefusedPlace,
  type PlaceRefusal,
  readNewPlace,
} from '../../../features/links/model/new-category.ts';
import type { Link } from '../../../shared/lib/rows.ts';
import { useSingleFlight } from '../../../shared/lib/writes/use-single-flight.ts';
import { FieldAction } from '../../../shared/ui/fields/field-action.tsx';
import { PickDialog } from '../../../shared/ui/pickers/pick-dialog.tsx';
import { useLinkMoving } from '../moving/use-link-moving.ts';
import { useReceivedAccess } from '../received/use-received-access.ts';
import { useLinkPlaces } from '../use-link-places.ts';

interface MoveLinksDialogProps {
  readonly open: boolean;
  readonly request: LinkMoveRequest;
  readonly onClose: () => void;
}

/** 'Mover link', 'Mover 3 links': where to? Choosing moves, also to a category that is made for it. */
export function MoveLinksDialog({ open, request, onClose }: MoveLinksDialogProps) {
  const { links } = request;
  const currentId = readHome(links);
  const chosen = useRef(false);
  const move = useLinkMoving();
  const { folderOf } = useReceivedAccess();
  const { groups, createPlace } = useLinkPlaces(currentId === null ? undefined : folderOf(currentId));
  const choices = useCategoryChoices(groups, currentId);
  const { lock } = createPlace;
  const offerCreation = useMemo(() => offerNewCategory(groups, currentId, lock), [groups, currentId, lock]);
  const navigate = useNavigate();
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<PlaceRefusal | null>(null);

  const moveTo = (categoryId: string) => {
    chosen.current = true;
    onClose();
    request.onMoved();
    void move(links, categoryId);
  };
  const moveToNew = useSingleFlight(async (typed: string) => {
    const place = readNewPlace(typed, groups, currentId);
    if (place === null) return;
    setRefusal(null);
    setBusy(true);
    const made = await createPlace(place);
    if (made.kind === 'created') return moveTo(made.id);
    setBusy(false);
    setRefusal(made);
  });
  return (
    <PickDialog
      open={open}
      onClose={onClose}
      title={links.length === 1 ? 'Mover link' : `Mover ${formatCount(links.length, 'link', 'links')}`}
      description={links.length === 1 ? links[0]?.title : undefined}
      finalFocus={() => (chosen.current ? (request.focusAfter() ?? document.getElementById('page')) : true)}
      label="Buscar categoria"
      listLabel="Categorias"
      groups={choices}
      emptyText="Nenhuma categoria encontrada"
      offerCreation={offerCreation}
      notice={
        <p role="status" className="text-sm text-ink-soft empty:hidden">
          {busy ? <span>{ADDING_MESSAGES.creating}</span> : null}
          {refusal ? (
            <span className={refusal.kind === 'failed' ? 'text-danger-text' : undefined}>
              {describeRefusedPlace(refusal)}{' '}
            </span>
          ) : null}
          {refusal?.kind === 'limit' ? (
            <FieldAction onPress={() => void navigate({ to: '/plans' }).then(onClose)}>
              {PLAN_MESSAGES.seePlans}
            </FieldAction>
          ) : null}
        </p>
      }
      onPick={(id, typed) => {
        if (busy) return;
        if (id === NEW_CATEGORY) void moveToNew(typed);
        else moveTo(id);
      }}
    />
  );
}

/** The category that all of these links are in; null where they are in several. */
function readHome(links: readonly Link[]): string | null {
  const homes = new Set(links.map((link) => link.category_id));
  const [home = null] = homes;
  return homes.size === 1 ? home : null;
}

import { PLAN_MESSAGES } from '@linkoteca/domain/messages/plan-messages';
import { type Ref, useMemo, useState } from 'react';
import { useUserId } from '../../../../shared/lib/session/session-context.tsx';
import { useSingleFlight } from '../../../../shared/lib/writes/use-single-flight.ts';
import { FieldAction } from '../../../../shared/ui/fields/field-action.tsx';
import { PickField } from '../../../../shared/ui/pickers/pick-field.tsx';
import { ADDING_MESSAGES, describePlace } from '../../model/adding-messages.ts';
import { type CategoryGroup, findPlace } from '../../model/category-groups.ts';
import { readLastCategory } from '../../model/last-category.ts';
import {
  type CreatePlace,
  chooseFirstPlace,
  describeRefusedPlace,
  type NewPlace,
  type PlaceRefusal,
  readNewPlace,
  UNMADE_CATEGORY,
} from '../../model/new-category.ts';
import { NEW_CATEGORY, offerNewCategory, useCategoryChoices } from '../use-category-choices.tsx';

interface CategoryFieldProps {
  readonly groups: readonly CategoryGroup[];
  /** The category chosen; empty for none, UNMADE_CATEGORY for the first. */
  readonly value: string;
  readonly onChange: (categoryId: string) => void;
  readonly createPlace: CreatePlace;
  /** To the plans, where there is no room for another category. */
  readonly onSeePlans: (() => void) | null;
  /** True for the category that was suggested, not chosen. */
  readonly suggested: boolean;
  readonly error?: string | undefined;
  readonly ref?: Ref<HTMLInputElement>;
}

/** The category of a link: found by 'folder / category' while one types, or made on the spot. */
export function CategoryField(props: CategoryFieldProps) {
  const { groups, value, onChange, createPlace, onSeePlans, suggested, error, ref } = props;
  const userId = useUserId();
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<PlaceRefusal>();
  const choices = useCategoryChoices(groups, null);
  const nearId = value || readLastCategory(userId);
  const { lock } = createPlace;
  const offerCreation = useMemo(() => offerNewCategory(groups, nearId, lock), [groups, nearId, lock]);
  const chosen = findPlace(groups, value);
  const firstPlace = value === UNMADE_CATEGORY ? chooseFirstPlace(groups) : null;
  const shown = chosen ?? firstPlace;

  const create = useSingleFlight(async (typed: string) => {
    const place = readNewPlace(typed, groups, nearId);
    if (place === null) return;
    setBusy(true);
    const made = await createPlace(place);
    setBusy(false);
    if (made.kind === 'created') onChange(made.id);
    else setRefusal(made);
  });
  const pick = (id: string, typed: string) => {
    setRefusal(undefined);
    if (id === NEW_CATEGORY) void create(typed);
    else onChange(id);
  };
  return (
    <PickField
      {...(ref ? { ref } : {})}
      label="Categoria"
      listLabel="Categorias"
      placeholder="Selecione uma categoria"
      emptyText={groups.length === 0 ? ADDING_MESSAGES.typeName : 'Nenhuma categoria encontrada'}
      groups={choices}
      value={value}
      valueText={shown ? describePlace(shown.folderName, shown.name) : ''}
      offerCreation={offerCreation}
      busy={busy}
      error={refusal?.kind === 'failed' ? refusal.reason : error}
      hint={
        refusal?.kind === 'limit' ? (
          <span role="status" className="flex flex-wrap gap-x-1.5">
            {describeRefusedPlace(refusal)}
            {onSeePlans ? <FieldAction onPress={onSeePlans}>{PLAN_MESSAGES.seePlans}</FieldAction> : null}
          </span>
        ) : busy ? (
          ADDING_MESSAGES.creating
        ) : (
          describeHint(suggested, firstPlace)
        )
      }
      onPick={pick}
    />
  );
}

function describeHint(suggested: boolean, firstPlace: NewPlace | null): string | null {
  if (firstPlace !== null) return ADDING_MESSAGES.madeWithLink;
  return suggested ? ADDING_MESSAGES.lastUsed : null;
}

import { type LinkForm, linkFormSchema } from '@linkoteca/domain/library-schemas';
import { LINK_MESSAGES } from '@linkoteca/domain/messages/link-messages';
import { PLAN_MESSAGES } from '@linkoteca/domain/messages/plan-messages';
import { describeRoomLeft } from '@linkoteca/domain/messages/room-messages';
import { SERVICE_WORDS } from '@linkoteca/domain/messages/service-messages';
import { readRefusal } from '@linkoteca/domain/read-refusal';
import { samePageKey } from '@linkoteca/domain/same-address';
import { readTagNames } from '@linkoteca/domain/tags';
import { normalizeUrl } from '@linkoteca/domain/urls';
import { useEffect, useMemo, useRef, useState } from 'react';
import { type UseFormReturn, useWatch } from 'react-hook-form';
import { useOnline } from '../../../../shared/lib/connection/connection-context.tsx';
import { describeServiceFailure } from '../../../../shared/lib/describe-service-failure.ts';
import { formDraft } from '../../../../shared/lib/forms/form-draft.ts';
import { useDebouncedValue } from '../../../../shared/lib/forms/use-debounced-value.ts';
import { useDraftForm } from '../../../../shared/lib/forms/use-draft-form.ts';
import { useEditedVersion } from '../../../../shared/lib/forms/use-edited-version.ts';
import type { Link } from '../../../../shared/lib/rows.ts';
import { useUserId } from '../../../../shared/lib/session/session-context.tsx';
import { createId } from '../../../../shared/lib/writes/create-id.ts';
import { FormDialog } from '../../../../shared/ui/dialogs/form-dialog.tsx';
import { toast } from '../../../../shared/ui/feedback/toast.ts';
import { FieldAction } from '../../../../shared/ui/fields/field-action.tsx';
import { PlanNote } from '../../../../shared/ui/plan-note.tsx';
import { useCreateLink } from '../../api/create-link.ts';
import { useLinkPlaces } from '../../api/find-links-by-url.ts';
import { useUpdateLink } from '../../api/update-link.ts';
import { type CategoryGroup, findPlace } from '../../model/category-groups.ts';
import { chooseStartCategory } from '../../model/choose-start-category.ts';
import { describeSavedPlace } from '../../model/describe-saved-place.ts';
import { rememberLastCategory } from '../../model/last-category.ts';
import type { LinkAllowance } from '../../model/link-allowance.ts';
import { findExceededLimit } from '../../model/link-allowance.ts';
import { fieldsOf, type LinkFields } from '../../model/link-fields.ts';
import { categoryForLater, type KeepForLater } from '../../model/link-for-later.ts';
import type { LinkPlace } from '../../model/link-places.ts';
import type { BeginCountLinks } from '../../model/link-rows.ts';
import type { LinkTagging } from '../../model/link-tagging.ts';
import { type CreatePlace, describeRefusedPlace, settlePlace } from '../../model/new-category.ts';
import { usePageDetails } from '../../model/use-page-details.ts';
import { LinkConflictQuestion } from './link-conflict-question.tsx';
import { LinkFormFields } from './link-form-fields.tsx';

export interface LinkStart {
  /** Where it was sent before: its answer may be lost. */
  readonly id?: string | undefined;
  readonly url: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
}

export interface LinkDialogProps {
  readonly open: boolean;
  /** The link to edit; null makes a new one. */
  readonly link: Link | null;
  /** The person's own category on the screen; null on other pages. */
  readonly categoryId: string | null;
  /** What a new link starts with, pasted into the page or shared from elsewhere. */
  readonly start?: LinkStart | undefined;
  /** Goes on with the draft of a form that was left for a while. */
  readonly draftKey?: string | undefined;
  readonly groups: readonly CategoryGroup[];
  readonly allowance: LinkAllowance | null;
  readonly beginCountLinks: BeginCountLinks;
  /** Makes a category for the link. */
  readonly createPlace: CreatePlace;
  /** What the form does with tags; null where it has no field for them. */
  readonly tagging: LinkTagging | null;
  /** There is no category yet: a new link makes the one that it goes to. */
  readonly empty?: boolean | undefined;
  readonly onClose: () => void;
  /** The plan has no room for another link: what is typed waits in the draft of this key. */
  readonly onLimit?: ((max: number, draftKey: string) => void) | undefined;
  /** To the plans, because there is no room for another category; what is typed waits as above. */
  readonly onSeePlans?: ((draftKey: string) => void) | undefined;
  /** Goes on with the dialog for many links; absent where one is meant. */
  readonly onPasteMany?: ((text: string) => void) | undefined;
  /** Keeps a new link on this device while the services cannot be reached. Resolves to whether it is kept. */
  readonly keepForLater?: KeepForLater | undefined;
  /** Goes to a link that has the address already; absent where the form is about one that is there. */
  readonly onShowLink?: ((place: LinkPlace) => void) | undefined;
}

/** 'Novo Link' and 'Editar Link'. Mount it anew (by key) for each opening. */
export function LinkDialog(props: LinkDialogProps) {
  const { open, link, categoryId, start, groups, allowance, beginCountLinks, onClose } = props;
  const { onPasteMany, onShowLink, onLimit, onSeePlans, createPlace, tagging, empty = false } = props;
  const { keepForLater } = props;
  const online = useOnline();
  const userId = useUserId();
  const create = useCreateLink(beginCountLinks, start?.id);
  const update = useUpdateLink(beginCountLinks);
  const [id, setId] = useState(() => link?.id ?? start?.id ?? createId());
  const [given, setGiven] = useState(start !== undefined);
  // Only a form that knows them may take tags away.
  const [startTags, setStartTags] = useState(() => {
    const names = tagging && (link ? tagging.namesOf(link) : []);
    return names && names.length < (link?.link_tags?.length ?? 0) ? null : names;
  });
  const [startCategory] = useState(() => chooseStartCategory(userId, categoryId, groups, empty));
  const [draftKey] = useState(
    () => props.draftKey ?? chooseDraftKey(userId, categoryId, start !== undefined),
  );
  const { form, dirty, forgetDraft, keepDraft, startOver } = useDraftForm<LinkFields, LinkForm>({
    schema: linkFormSchema,
    saved: fieldsOf(link ?? { ...start, category_id: startCategory.id }, startTags ?? []),
    draftKey: link ? null : draftKey,
    // A pasted address is a fresh start; it must not meet the draft of another link.
    isDraftOfGiven: start && !props.draftKey ? ({ url }) => url === start.url : undefined,
    mend: (draft) =>
      findPlace(groups, draft.category_id) ? draft : { ...draft, category_id: startCategory.id },
  });
  const { isSubmitting } = form.formState;
  const version = useEditedVersion(link);
  // While it saves, the counters already count the link that is being saved.
  const room = useRef(allowance);
  if (open && !isSubmitting) room.current = allowance;
  const details = usePageDetails({ form, automatic: link === null });
  const places = useOtherPlaces(form, groups, link);

  /** The id that was sent last: what took the plan's last place may be there although its answer was lost. */
  const sentId = useRef(start?.id);
  const opened = useRef(id);
  const { setFocus } = form;
  useEffect(() => {
    // After the render: a form that starts over knows its fields only then.
    if (id !== opened.current) setFocus('url');
  }, [id, setFocus]);

  const close = () => {
    forgetDraft();
    onClose();
  };
  const leaveForPlans = () => {
    keepDraft();
    onSeePlans?.(draftKey);
  };
  const stopAtLimit = (max: number) => {
    keepDraft();
    onLimit?.(max, draftKey);
  };

  const goOn = ({ category_id }: LinkForm) => {
    setStartTags(tagging && []);
    setId(createId());
    setGiven(false);
    startOver(fieldsOf({ category_id }));
    details.startOver();
  };
  const showPlace = (place: LinkPlace) => {
    // What was typed by hand waits for who comes back; an address alone is what they have just found.
    if (form.getValues('description').trim() === '') forgetDraft();
    else keepDraft();
    onClose();
    onShowLink?.(place);
  };
  const pasteMany = (text: string) => {
    forgetDraft();
    onPasteMany?.(text);
  };

  const readTags = () => readTagNames(form.getValues('tags').split(','));
  const tagsChanged = () => startTags !== null && readTags().join() !== startTags.join();

  const saveThen = (finish: (values: LinkForm) => void) =>
    form.handleSubmit(async (values) => {
      if (!online && !link && keepForLater) {
        const { category_id, ...fields } = values;
        const kept = {
          id,
          ...fields,
          categoryId: categoryForLater(category_id),
          tags: readTags(),
          ...(sentId.current === id && { edited: true as const }),
        };
        if (await keepForLater([kept])) finish(values);
        return;
      }
      const exceeded = link || sentId.current === id ? null : findExceededLimit(allowance);
      if (exceeded !== null) return stopAtLimit(exceeded);
      const place = await settlePlace(values.category_id, groups, createPlace);
      if (place.kind !== 'settled')
        return form.setError('category_id', { message: describeRefusedPlace(place) }, { shouldFocus: true });
      // Where the link is refused, its place is there all the same.
      form.setValue('category_id', place.id);
      const saved = { ...values, category_id: place.id };
      try {
        const before = version.base();
        // Tags are no part of the link: who changes them alone has not changed it.
        if (before === null) {
          sentId.current = id;
          await create.mutateAsync({ id, ...saved });
        } else if (!isSame(before, saved) || !tagsChanged())
          await update.mutateAsync({ before, change: saved });
      } catch (error) {
        if (version.takeConflict(error)) return;
        const refusal = readRefusal(error);
        if (refusal.kind === 'link_limit') return stopAtLimit(refusal.max);
        const title = link ? LINK_MESSAGES.updateFailed : LINK_MESSAGES.createFailed;
        const words = link ? SERVICE_WORDS.link.update : SERVICE_WORDS.link.create;
        toast.error(title, describeServiceFailure(error, words, 'Seu texto continua aqui.'));
        return;
      }
      if (tagsChanged()) await tagging?.own?.save(id, startTags ?? [], readTags());
      if (link) {
        toast.success(LINK_MESSAGES.updated);
      } else {
        rememberLastCategory(userId, saved.category_id);
        toast.success(
          LINK_MESSAGES.created,
          describeSavedPlace(place.groups, saved.category_id, categoryId) ?? undefined,
        );
      }
      finish(saved);
    });
  const save = saveThen(close);
  const saveAndGoOn = saveThen(goOn);

  return (
    <FormDialog
      open={open}
      title={link ? 'Editar Link' : 'Adicionar Link'}
      dirty={dirty || given}
      saving={isSubmitting}
      width="wide"
      onClose={close}
      onSubmit={save}
      secondary={link ? undefined : { label: 'Salvar e adicionar outro', onSubmit: saveAndGoOn }}
    >
      <PlanNote
        action={
          onSeePlans ? <FieldAction onPress={leaveForPlans}>{PLAN_MESSAGES.seePlans}</FieldAction> : null
        }
      >
        {link ? null : describeRoomLeft('maxLinks', room.current)}
      </PlanNote>
      <LinkFormFields
        form={form}
        details={details}
        groups={groups}
        places={places}
        onShowPlace={onShowLink ? showPlace : null}
        tagging={startTags === null ? null : tagging}
        editing={link !== null}
        startAtTitle={start !== undefined}
        createPlace={createPlace}
        onSeePlans={onSeePlans ? leaveForPlans : null}
        suggestedCategoryId={startCategory.suggested ? startCategory.id : null}
        onPasteMany={onPasteMany ? pasteMany : null}
      />
      <LinkConflictQuestion
        version={version}
        readFields={() => form.getValues()}
        groups={groups}
        onKeepMine={() => void save()}
        onUseCurrent={close}
      />
    </FormDialog>
  );
}

/** Whether a form holds what is stored. */
function isSame(stored: Link, form: LinkForm): boolean {
  return (Object.keys(form) as (keyof LinkForm)[]).every((field) => form[field] === stored[field]);
}

/**
 * Where a new link's draft is kept: by place, and apart what was pasted or shared, which must not take the place of
 * something typed. After a reload the button finds the latter where there is nothing of its own.
 */
function chooseDraftKey(userId: string, categoryId: string | null, given: boolean): string {
  const ofGiven = `link-${userId}-given`;
  const ofPlace = `link-${userId}-${categoryId ?? 'any'}`;
  return given || (!formDraft(ofPlace).exists() && formDraft(ofGiven).exists()) ? ofGiven : ofPlace;
}

/** Other links of the form's address, once it has rested. */
function useOtherPlaces(
  form: UseFormReturn<LinkFields, unknown, LinkForm>,
  groups: readonly CategoryGroup[],
  link: Link | null,
): readonly LinkPlace[] {
  const address = normalizeUrl(useDebouncedValue(useWatch({ control: form.control, name: 'url' }), 300));
  // The one that is being edited is no news.
  const urls = useMemo(() => (address === null || address === link?.url ? [] : [address]), [address, link]);
  const places = useLinkPlaces(urls, groups);
  const found = urls.length === 0 ? undefined : places.get(samePageKey(address ?? ''));
  return found?.filter((place) => place.linkId !== link?.id) ?? [];
}

import { standardSchemaResolver } from '@hookform/resolvers/standard-schema';
import { useEffect, useMemo, useRef, useState } from 'react';
import { type DefaultValues, type FieldValues, type UseFormReturn, useForm } from 'react-hook-form';
import type { GenericSchema } from 'valibot';
import { type DraftFields, formDraft } from './form-draft.ts';

interface DraftFormOptions<Fields extends FieldValues, Output extends FieldValues> {
  readonly schema: GenericSchema<unknown, Output>;
  /** The form as it is stored; empty texts for something new. */
  readonly saved: Fields;
  /** Where a new thing's draft is kept; null in edit mode, which keeps none. */
  readonly draftKey: string | null;
  /**
   * For a form that starts with something given: whether a draft is of that, and not of something else. The given itself
   * is kept from the start.
   */
  readonly isDraftOfGiven?: ((draft: Fields) => boolean) | undefined;
  /** Puts right what a draft names that is not there any more. */
  readonly mend?: ((draft: Fields) => Fields) | undefined;
}

interface DraftForm<Fields extends FieldValues, Output extends FieldValues> {
  readonly form: UseFormReturn<Fields, unknown, Output>;
  /** True while something typed would be lost by closing. */
  readonly dirty: boolean;
  /** Forgets the draft for good: the thing is saved, or the person closed the form without saving. */
  readonly forgetDraft: () => void;
  /** Keeps what is there now, also what nobody typed: the form is left and will go on. */
  readonly keepDraft: () => void;
  /** Goes on with other fields, as if they had been saved: for the next of several. */
  readonly startOver: (fields: Fields) => void;
}

/** A form checked by a schema of the domain whose typing survives a reload. */
export function useDraftForm<Fields extends FieldValues & DraftFields, Output extends FieldValues>({
  schema,
  saved,
  draftKey,
  isDraftOfGiven,
  mend = (fields) => fields,
}: DraftFormOptions<Fields, Output>): DraftForm<Fields, Output> {
  const draft = useMemo(() => (draftKey === null ? null : formDraft<Fields>(draftKey)), [draftKey]);
  const [initial] = useState(() => {
    const kept = draft ? mend(draft.read(saved)) : saved;
    return isDraftOfGiven?.(kept) === false ? saved : kept;
  });
  const [restored, setRestored] = useState(() =>
    Object.keys(saved).some((name) => initial[name] !== saved[name]),
  );
  const form = useForm<Fields, unknown, Output>({
    // The schemas accept more than the fields hold (null, absent): narrowing their input is safe.
    resolver: standardSchemaResolver(schema as unknown as GenericSchema<Fields, Output>),
    defaultValues: initial as DefaultValues<Fields>,
  });

  const forgotten = useRef(false);
  const { subscribe, getValues } = form;
  const keptFromStart = isDraftOfGiven !== undefined;
  useEffect(() => {
    if (draft === null) return undefined;
    if (keptFromStart) draft.write(getValues());
    return subscribe({
      formState: { values: true },
      callback: ({ values }) => {
        if (!forgotten.current) draft.write(values);
      },
    });
  }, [subscribe, getValues, draft, keptFromStart]);

  const forgetDraft = () => {
    forgotten.current = true;
    draft?.clear();
  };
  const keepDraft = () => draft?.write(getValues());
  const startOver = (fields: Fields) => {
    form.reset(fields as DefaultValues<Fields>);
    setRestored(false);
    // Last: the reset itself counts as typing.
    draft?.clear();
  };
  return { form, dirty: form.formState.isDirty || restored, forgetDraft, keepDraft, startOver };
}

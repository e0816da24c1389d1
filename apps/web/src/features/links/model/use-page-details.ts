import type { LinkForm } from '@linkoteca/domain/library-schemas';
import { normalizeUrl } from '@linkoteca/domain/urls';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import { useWatch } from 'react-hook-form';
import { useDebouncedValue } from '../../../shared/lib/forms/use-debounced-value.ts';
import { type LinkPreview, useLinkPreviewQuery } from '../api/fetch-link-preview.ts';
import type { LinkFields } from './link-fields.ts';

export type FilledField = 'title' | 'description';
type Filled = Partial<Record<FilledField, { readonly value: string; readonly before: string }>>;

const FIELDS: readonly FilledField[] = ['title', 'description'];

/** Milliseconds of silence in the address before its page is asked for. */
const REST_MS = 600;

interface PageDetailsOptions {
  readonly form: UseFormReturn<LinkFields, unknown, LinkForm>;
  /** False where a page is asked for by `request` alone: an edited link has its title. */
  readonly automatic: boolean;
}

export interface PageDetails {
  readonly state: 'idle' | 'searching' | 'filled' | 'nothing';
  /** This address is finished, left or pasted: its page is asked for at once. */
  readonly finishUrl: (url: string) => void;
  /** The person has typed into a field: it is theirs. */
  readonly keep: (field: FilledField) => void;
  /** Puts back what stood there before, in one field or in both; false when there is nothing to put back. */
  readonly undo: (field?: FilledField) => boolean;
  /** Asks for the page of the address as it is and takes its title in any case. */
  readonly request: () => void;
  /** Forgets what was typed and filled in: another link begins. */
  readonly startOver: () => void;
}

/**
 * Title and description of the page that a form's address leads to, filled in where the person has typed nothing. Another
 * address aborts the question after the former and replaces what came from it.
 */
export function usePageDetails({ form, automatic }: PageDetailsOptions): PageDetails {
  const url = useWatch({ control: form.control, name: 'url' });
  const title = useWatch({ control: form.control, name: 'title' });
  const rested = useDebouncedValue(url, REST_MS);
  const [finished, setFinished] = useState<string | null>(null);
  const [requested, setRequested] = useState<string | null>(null);
  const [typed, setTyped] = useState<ReadonlySet<FilledField>>(() => typedAtStart(form.getValues()));
  const [filled, setFilled] = useState<Filled>({});

  const insisting = url === requested;
  const ready =
    automatic && (url === rested || url === finished) && FIELDS.some((field) => !typed.has(field));
  const address = insisting || ready ? normalizeUrl(url) : null;
  const query = useQuery(useLinkPreviewQuery()(address));
  const answer = address === null || query.isFetching ? undefined : query.data;

  const take = (preview: LinkPreview) => {
    const next: Filled = {};
    for (const field of FIELDS) {
      const value = preview.kind === 'found' ? preview[field] : '';
      const before = form.getValues(field);
      const overwrites = insisting && field === 'title' && value !== '';
      // A letter may be there before `typed` knows of it: what no page has filled in is the person's.
      const theirs = typed.has(field) || (before !== '' && before !== filled[field]?.value);
      if (theirs && !overwrites) continue;
      if (value !== before)
        form.setValue(field, value, { shouldDirty: true, shouldValidate: form.formState.isSubmitted });
      if (value !== '') next[field] = { value, before: overwrites ? before : '' };
    }
    setFilled(next);
  };
  const latest = useRef(take);
  useEffect(() => {
    latest.current = take;
  });
  useEffect(() => {
    if (answer !== undefined) latest.current(answer);
  }, [answer]);

  const keep = (field: FilledField) => setTyped((before) => new Set(before).add(field));
  const standing = FIELDS.filter((field) => filled[field] && filled[field].value === form.getValues(field));
  const undo = (only?: FilledField) => {
    if (only !== undefined && !standing.includes(only)) return false;
    for (const field of standing) {
      form.setValue(field, filled[field]?.before ?? '', { shouldDirty: true });
      keep(field);
    }
    setRequested(null);
    setFilled({});
    return standing.length > 0;
  };

  return {
    state: stateOf(),
    finishUrl: setFinished,
    keep,
    undo,
    request: () => setRequested(url),
    startOver: () => {
      setTyped(new Set());
      setFilled({});
      setRequested(null);
      setFinished(null);
    },
  };

  function stateOf(): PageDetails['state'] {
    const open = insisting || title === '' || title === filled.title?.value;
    if (query.isFetching && open) return 'searching';
    if (standing.length > 0) return 'filled';
    return answer?.kind === 'nothing' && open ? 'nothing' : 'idle';
  }
}

/** What stands there when the form opens was typed: before a reload, elsewhere, or long ago. */
function typedAtStart(fields: LinkFields): ReadonlySet<FilledField> {
  return new Set(FIELDS.filter((field) => fields[field] !== ''));
}

import { useEffect } from 'react';
import type { LinkTagging } from '../../../features/links/model/link-tagging.ts';
import { useTags } from '../../../features/tags/api/list-tags.ts';
import { useSharedTagging } from './use-shared-tagging.tsx';
import { useTagging } from './use-tagging.tsx';

/** Draws nothing, and has the person's tags read: the search looks through them from the first key on. */
export function TagsReader() {
  useTags();
  return null;
}

export interface TaggingHostProps {
  /** The received category on the screen; null for one's own. */
  readonly received: { readonly id: string; readonly isManual: boolean; readonly mayWrite: boolean } | null;
  readonly onTagging: (tagging: LinkTagging) => void;
}

/** Draws nothing: it is the part of a page that knows about tags, whose code comes after the page. */
export function TaggingHost({ received, onTagging }: TaggingHostProps) {
  return received ? (
    <SharedTagging {...received} onTagging={onTagging} />
  ) : (
    <OwnTagging onTagging={onTagging} />
  );
}

function OwnTagging({ onTagging }: Pick<TaggingHostProps, 'onTagging'>) {
  const tagging = useTagging();
  useEffect(() => onTagging(tagging), [tagging, onTagging]);
  return null;
}

interface SharedTaggingProps extends Pick<TaggingHostProps, 'onTagging'> {
  readonly id: string;
  readonly isManual: boolean;
  readonly mayWrite: boolean;
}

function SharedTagging({ id, isManual, mayWrite, onTagging }: SharedTaggingProps) {
  const tagging = useSharedTagging(id, isManual, mayWrite);
  useEffect(() => onTagging(tagging), [tagging, onTagging]);
  return null;
}

import { FIELD_LIMITS } from '@linkoteca/domain/limits';
import { readTagNames } from '@linkoteca/domain/tags';
import { useRef } from 'react';
import type { CaptureChange } from '../outbox/change-capture.ts';
import { TextArea, TextField } from '../shared/fields.tsx';
import { translate } from '../shared/translate.ts';
import { useKeptText } from './use-kept-text.ts';

interface CaptureFieldsProps {
  /** Null where it has none to give. */
  readonly tags: readonly string[] | null;
  readonly description: string | null;
  /** While the link is on its way to another place. */
  readonly isDisabled?: boolean;
  readonly onChange: (change: CaptureChange) => void;
}

/** What a person says of what they have just saved, kept by itself. */
export function CaptureFields({ tags, description, isDisabled = false, onChange }: CaptureFieldsProps) {
  const tagged = useRef(tags ?? []);
  const note = useKeptText(description ?? '', (text) => onChange({ description: text.trim() || null }));
  const names = useKeptText((tags ?? []).join(', '), (text) => {
    const wanted = readTagNames(text.split(','));
    const addedTags = wanted.filter((tag) => !tagged.current.includes(tag));
    const removedTags = tagged.current.filter((tag) => !wanted.includes(tag));
    if (addedTags.length + removedTags.length === 0) return;
    tagged.current = wanted;
    onChange({ addedTags, removedTags });
  });
  return (
    <>
      {tags === null ? null : (
        <TextField label={translate('tags')} hint={translate('tagsHint')} disabled={isDisabled} {...names} />
      )}
      <TextArea
        label={translate('note')}
        rows={3}
        maxLength={FIELD_LIMITS.linkDescription}
        disabled={isDisabled}
        {...note}
      />
    </>
  );
}

import { FIELD_LIMITS } from '@linkoteca/domain/limits';
import { ACCESS_REQUEST_MESSAGES as words } from '@linkoteca/domain/messages/access-request-messages';
import { CircleCheck } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { describeRefusal } from '../../../shared/lib/describe-refusal.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { toast } from '../../../shared/ui/feedback/toast.ts';
import { TextareaField } from '../../../shared/ui/fields/textarea-field.tsx';
import { useHasRequestedAccess, useRequestAccess } from '../api/request-access.ts';

/** 'Pedir acesso', for somebody who is signed in: the same whether there is a category or not. */
export function RequestAccess({ categoryId }: { readonly categoryId: string }) {
  const hasAsked = useHasRequestedAccess(categoryId);
  const [writing, setWriting] = useState(false);
  if (hasAsked === undefined) return null;
  if (hasAsked)
    return (
      <div role="status" className="mb-4 flex max-w-sm flex-col items-center gap-1">
        <p className="flex items-center gap-2 text-base font-medium text-ink">
          <CircleCheck aria-hidden className="size-4 text-accent-text" />
          {words.sent}
        </p>
        <p className="text-base text-ink-soft">{words.sentHint}</p>
      </div>
    );
  return (
    <div className="mb-3 flex w-full flex-col items-center">
      {writing ? (
        <RequestForm categoryId={categoryId} onCancel={() => setWriting(false)} />
      ) : (
        <Button variant="primary" size="large" onClick={() => setWriting(true)}>
          {words.ask}
        </Button>
      )}
    </div>
  );
}

interface RequestFormProps {
  readonly categoryId: string;
  readonly onCancel: () => void;
}

function RequestForm({ categoryId, onCancel }: RequestFormProps) {
  const [note, setNote] = useState('');
  const asking = useRequestAccess(categoryId);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (asking.isPending) return;
    try {
      await asking.mutateAsync(note);
    } catch (error) {
      toast.error(words.failed, describeRefusal(error, words.tryAgain));
    }
  };
  return (
    <form
      noValidate
      className="flex w-full max-w-sm flex-col gap-3 text-left"
      onSubmit={(event) => void submit(event)}
    >
      <TextareaField
        autoFocus
        label={words.note}
        placeholder={words.notePlaceholder}
        rows={2}
        maxLength={FIELD_LIMITS.requestNote}
        value={note}
        hint={words.whatIsSeen}
        onChange={({ target }) => setNote(target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void submit(event);
        }}
      />
      <div className="flex justify-end gap-2">
        <Button size="large" onClick={onCancel}>
          {words.cancel}
        </Button>
        <Button type="submit" variant="primary" size="large" busy={asking.isPending}>
          {words.send}
        </Button>
      </div>
    </form>
  );
}

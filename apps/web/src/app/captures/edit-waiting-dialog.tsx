import { linkFormSchema } from '@linkoteca/domain/library-schemas';
import { CAPTURE_MESSAGES } from '@linkoteca/domain/messages/capture-messages';
import { useState } from 'react';
import * as v from 'valibot';
import type { WaitingCapture } from '../../features/captures/model/capture.ts';
import { describeRefusedCapture } from '../../features/captures/model/describe-refused-capture.ts';
import { CategoryField } from '../../features/links/components/form/category-field.tsx';
import { findPlace } from '../../features/links/model/category-groups.ts';
import { FormDialog } from '../../shared/ui/dialogs/form-dialog.tsx';
import { Notice } from '../../shared/ui/feedback/notice.tsx';
import { TextField } from '../../shared/ui/fields/text-field.tsx';
import { useInbox } from '../organiser/inbox/use-inbox.ts';
import { useWritablePlaces } from '../organiser/use-writable-places.ts';

/** What of a waiting link can be changed. */
type WaitingChange = Pick<WaitingCapture, 'url' | 'title' | 'categoryId' | 'sharedFolderId'>;

interface EditWaitingDialogProps {
  readonly open: boolean;
  readonly capture: WaitingCapture;
  readonly onClose: () => void;
  readonly onSave: (change: WaitingChange) => Promise<void>;
}

/** The form of a link that waits on this device; saved, it is sent again. Mount it anew (by key) for each opening. */
export function EditWaitingDialog({ open, capture, onClose, onSave }: EditWaitingDialogProps) {
  const inboxId = useInbox()?.id ?? '';
  const [url, setUrl] = useState(capture.url);
  const [title, setTitle] = useState(capture.title ?? '');
  const [categoryId, setCategoryId] = useState(capture.categoryId ?? '');
  const { groups, isKnown, createPlace, sharedFolderOf } = useWritablePlaces(categoryId);
  // A category that is gone, or in which the person may not write, is none; before that is known, the service says it.
  const chosen = !isKnown || findPlace(groups, categoryId) ? categoryId : '';
  const [tried, setTried] = useState(false);
  const [saving, setSaving] = useState(false);

  const checkedUrl = v.safeParse(linkFormSchema.entries.url, url);
  // Without a title the page is asked for one.
  const checkedTitle = title.trim() === '' ? null : v.safeParse(linkFormSchema.entries.title, title);
  const save = async () => {
    setTried(true);
    if (!checkedUrl.success || checkedTitle?.success === false) return;
    setSaving(true);
    await onSave({
      url: checkedUrl.output,
      title: checkedTitle?.output ?? null,
      // The inbox goes by no name: it may have to be made first.
      categoryId: chosen === '' || chosen === inboxId ? null : chosen,
      sharedFolderId: sharedFolderOf(chosen),
    });
    setSaving(false);
  };
  return (
    <FormDialog
      open={open}
      title={CAPTURE_MESSAGES.waiting.editTitle}
      dirty={
        url !== capture.url || title !== (capture.title ?? '') || categoryId !== (capture.categoryId ?? '')
      }
      saving={saving}
      width="wide"
      onClose={onClose}
      onSubmit={() => void save()}
    >
      {capture.refusal ? <Notice tone="warning">{describeRefusedCapture(capture.refusal)}</Notice> : null}
      <TextField
        label="URL"
        inputMode="url"
        autoCapitalize="none"
        autoComplete="off"
        spellCheck={false}
        value={url}
        error={tried ? checkedUrl.issues?.[0].message : undefined}
        onChange={({ target }) => setUrl(target.value)}
      />
      <TextField
        label="Título"
        autoComplete="off"
        value={title}
        hint="Em branco, buscamos na página."
        error={tried ? checkedTitle?.issues?.[0].message : undefined}
        onChange={({ target }) => setTitle(target.value)}
      />
      <CategoryField
        groups={groups}
        value={chosen || inboxId}
        onChange={(id) => setCategoryId(id === inboxId ? '' : id)}
        createPlace={createPlace}
        onSeePlans={null}
        suggested={false}
      />
    </FormDialog>
  );
}

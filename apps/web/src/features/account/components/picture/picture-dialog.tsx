import { describeFullStorage, PICTURE_MESSAGES } from '@linkoteca/domain/messages/picture-messages';
import { PLAN_MESSAGES } from '@linkoteca/domain/messages/plan-messages';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useOnline } from '../../../../shared/lib/connection/connection-context.tsx';
import { describeError } from '../../../../shared/lib/describe-error.ts';
import { log } from '../../../../shared/lib/log.ts';
import type { OpenedPicture } from '../../../../shared/lib/pictures/read-picture-file.ts';
import type { Person } from '../../../../shared/lib/session/read-person.ts';
import { FullStorageError } from '../../../../shared/lib/supabase/file-storage.ts';
import { FormDialog } from '../../../../shared/ui/dialogs/form-dialog.tsx';
import { Notice } from '../../../../shared/ui/feedback/notice.tsx';
import { toast } from '../../../../shared/ui/feedback/toast.ts';
import { PlanNote } from '../../../../shared/ui/plan-note.tsx';
import { useSavePicture } from '../../api/save-picture.ts';
import { startCrop } from '../../model/picture/crop.ts';
import { drawPicture } from '../../model/picture/draw-picture.ts';
import { Cropper } from './cropper.tsx';

const words = PICTURE_MESSAGES;

interface PictureDialogProps {
  readonly open: boolean;
  readonly picture: OpenedPicture;
  readonly person: Person;
  readonly onClose: () => void;
  readonly draw?: typeof drawPicture;
}

/** 'Ajustar foto': which square of it. Mount it anew (by key) for each picture. */
export function PictureDialog({ open, picture, person, onClose, draw = drawPicture }: PictureDialogProps) {
  const online = useOnline();
  const save = useSavePicture(person);
  const [crop, setCrop] = useState(() => startCrop(picture));
  const [drawing, setDrawing] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);

  const submit = async () => {
    setFailure(null);
    setDrawing(true);
    try {
      await save.mutateAsync(await draw(picture, crop));
    } catch (error) {
      log.warn('the picture could not be saved', error);
      return setFailure(error);
    } finally {
      setDrawing(false);
    }
    toast.success(words.saved);
    onClose();
  };
  return (
    <FormDialog
      open={open}
      title={words.title}
      dirty={false}
      saving={drawing}
      onClose={onClose}
      onSubmit={() => (online ? submit() : undefined)}
    >
      <Cropper address={picture.image.src} size={picture} crop={crop} onCrop={setCrop} />
      {online ? null : <Notice tone="warning">{words.offline}</Notice>}
      {failure instanceof FullStorageError ? (
        <PlanNote
          action={
            <Link to="/plans" className="hit-area text-sm font-medium text-accent-text hover:underline">
              {PLAN_MESSAGES.seePlans}
            </Link>
          }
        >
          {describeFullStorage(failure.megabytes)}
        </PlanNote>
      ) : failure === null ? null : (
        <Notice tone="danger">{describeError(failure, words.failed)}</Notice>
      )}
    </FormDialog>
  );
}

import { type ComponentType, Suspense } from 'react';
import { lazyPart } from '../../lib/browser/lazy-part.tsx';
import type { EditedVersion } from '../../lib/forms/use-edited-version.ts';
import { useLastRequest } from '../../lib/writes/use-last-request.ts';
import type { ConflictDialogProps } from './conflict-dialog.tsx';

const ConflictDialog = lazyPart(
  () => import('./conflict-dialog.tsx'),
  (module): ComponentType<ConflictDialogProps & { readonly onClose: () => void }> => module.ConflictDialog,
);

interface EditConflictQuestionProps<Row extends object>
  extends Pick<ConflictDialogProps, 'subject' | 'onKeepMine' | 'onUseCurrent'> {
  readonly version: EditedVersion<Row>;
  /** The form's fields beside those of the version saved elsewhere. */
  readonly compare: (current: Row) => ConflictDialogProps['fields'];
}

/** Stands inside a form's dialog and asks when the edited thing changed elsewhere. Its code comes when it must. */
export function EditConflictQuestion<Row extends object>(props: EditConflictQuestionProps<Row>) {
  const { version, subject, compare, onKeepMine, onUseCurrent } = props;
  const last = useLastRequest(version.conflict);
  if (last === null) return null;
  const answer = (then: () => void) => () => {
    version.leaveConflict();
    then();
  };
  return (
    <Suspense>
      <ConflictDialog
        open={last.open}
        subject={subject}
        fields={compare(last.request)}
        onKeepMine={answer(onKeepMine)}
        onUseCurrent={answer(onUseCurrent)}
        onBack={version.leaveConflict}
        // Of code that does not come.
        onClose={version.forgetConflict}
      />
    </Suspense>
  );
}

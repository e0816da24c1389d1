import type { EditedVersion } from '../../../../shared/lib/forms/use-edited-version.ts';
import type { Link } from '../../../../shared/lib/rows.ts';
import { EditConflictQuestion } from '../../../../shared/ui/dialogs/edit-conflict-question.tsx';
import type { CategoryGroup } from '../../model/category-groups.ts';
import { compareFields, type LinkFields } from '../../model/link-fields.ts';

interface LinkConflictQuestionProps {
  readonly version: EditedVersion<Link>;
  /** The form's fields as they are typed. */
  readonly readFields: () => LinkFields;
  readonly groups: readonly CategoryGroup[];
  readonly onKeepMine: () => void;
  readonly onUseCurrent: () => void;
}

/** Asks which version of a link stays when it changed elsewhere while its form was open. */
export function LinkConflictQuestion(props: LinkConflictQuestionProps) {
  const { version, readFields, groups, onKeepMine, onUseCurrent } = props;
  const nameOf = (categoryId: string) =>
    groups.flatMap((group) => group.categories).find(({ id }) => id === categoryId)?.name ?? '';
  return (
    <EditConflictQuestion
      version={version}
      subject="O link"
      compare={(current) => compareFields(readFields(), current, nameOf)}
      onKeepMine={onKeepMine}
      onUseCurrent={onUseCurrent}
    />
  );
}

import type { Link } from '@linkoteca/domain/entities';
import type { EditedVersion } from '../../../shared/lib/use-edited-version.ts';
import { EditConflictQuestion } from '../../../shared/ui/edit-conflict-question.tsx';
import type { CategoryGroup } from './category-select.tsx';

interface LinkConflictQuestionProps {
  readonly version: EditedVersion<Link>;
  /** The form's fields as they are typed. */
  readonly readFields: () => {
    readonly url: string;
    readonly title: string;
    readonly category_id: string;
    readonly description: string;
  };
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
      compare={(current) => {
        const mine = readFields();
        return [
          { label: 'URL', mine: mine.url.trim(), current: current.url },
          { label: 'Título', mine: mine.title.trim(), current: current.title },
          { label: 'Categoria', mine: nameOf(mine.category_id), current: nameOf(current.category_id) },
          { label: 'Descrição', mine: mine.description.trim(), current: current.description ?? '' },
        ];
      }}
      onKeepMine={onKeepMine}
      onUseCurrent={onUseCurrent}
    />
  );
}

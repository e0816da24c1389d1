import { categoryFormSchema } from '@linkoteca/domain/category-schema';
import { folderFormSchema } from '@linkoteca/domain/library-schemas';
import { CATEGORY_MESSAGES } from '@linkoteca/domain/messages/category-messages';
import { FOLDER_MESSAGES } from '@linkoteca/domain/messages/folder-messages';
import { SERVICE_WORDS } from '@linkoteca/domain/messages/service-messages';
import { readRefusal } from '@linkoteca/domain/read-refusal';
import * as v from 'valibot';
import { useUpdateCategory } from '../../features/categories/api/update-category.ts';
import { useRenameFolder } from '../../features/folders/api/rename-folder.ts';
import type { TreeNode } from '../../features/folders/model/tree-nodes.ts';
import { describeServiceFailure } from '../../shared/lib/describe-service-failure.ts';
import { EditConflict } from '../../shared/lib/writes/edit-conflict.ts';
import { toast } from '../../shared/ui/feedback/toast.ts';
import { RenameField } from '../../shared/ui/fields/rename-field.tsx';
import { useLibrary } from './use-library.ts';

interface RenameRowProps {
  readonly node: TreeNode;
  readonly onEnd: (refocus: boolean) => void;
}

const CHANGED_ELSEWHERE = 'O nome mudou em outro lugar enquanto você digitava. Enter troca assim mesmo.';

/** The name of a folder or a category, changed in its own row. What is refused is told, and stays in the field. */
export function RenameRow({ node, onEnd }: RenameRowProps) {
  return node.kind === 'folder' ? (
    <RenameFolder node={node} onEnd={onEnd} />
  ) : (
    <RenameCategory node={node} onEnd={onEnd} />
  );
}

function RenameFolder({ node, onEnd }: RenameRowProps) {
  const { folders } = useLibrary();
  const { mutateAsync } = useRenameFolder();
  const save = async (name: string) => {
    const before = folders.find(({ id }) => id === node.id);
    const fault = findFault(folderFormSchema.entries.name, name);
    if (fault) return refuse(FOLDER_MESSAGES.updateFailed, fault);
    const taken = folders.some((other) => other.id !== node.id && other.name === name);
    if (taken) return refuse(FOLDER_MESSAGES.nameTaken);
    // Deleted elsewhere meanwhile: its row is gone, too.
    if (before === undefined) return true;
    try {
      await mutateAsync({ before, name });
    } catch (error) {
      if (readRefusal(error).kind === 'name_taken') return refuse(FOLDER_MESSAGES.nameTaken);
      return refuse(FOLDER_MESSAGES.updateFailed, describe(error, SERVICE_WORDS.folder.update));
    }
    toast.success(FOLDER_MESSAGES.updated);
    return true;
  };
  return <RenameField name={node.name} label="Nome da Pasta" onSave={save} onEnd={onEnd} />;
}

function RenameCategory({ node, onEnd }: RenameRowProps) {
  const { findCategory } = useLibrary();
  const { mutateAsync } = useUpdateCategory();
  const save = async (name: string) => {
    const before = findCategory(node.id);
    const fault = findFault(categoryFormSchema.entries.name, name);
    if (fault) return refuse(CATEGORY_MESSAGES.updateFailed, fault);
    if (before === undefined) return true;
    try {
      await mutateAsync({ before, name, description: before.description });
    } catch (error) {
      return refuse(CATEGORY_MESSAGES.updateFailed, describe(error, SERVICE_WORDS.category.update));
    }
    toast.success(CATEGORY_MESSAGES.updated);
    return true;
  };
  return <RenameField name={node.name} label="Nome da Categoria" onSave={save} onEnd={onEnd} />;
}

function findFault(schema: v.GenericSchema<unknown, string>, name: string): string | undefined {
  return v.safeParse(schema, name).issues?.[0].message;
}

function describe(error: unknown, words: Parameters<typeof describeServiceFailure>[1]): string {
  if (error instanceof EditConflict) return CHANGED_ELSEWHERE;
  return describeServiceFailure(error, words, 'O nome continua aqui.');
}

function refuse(title: string, reason?: string): false {
  toast.error(title, reason);
  return false;
}

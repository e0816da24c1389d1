import { describeGroup, GROUP_MESSAGES as words } from '@linkoteca/domain/messages/group-messages';
import { Pencil, Plus, Trash2, Users } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../../shared/ui/button.tsx';
import { Dialog } from '../../../shared/ui/dialogs/dialog.tsx';
import { EmptyState } from '../../../shared/ui/feedback/empty-state.tsx';
import { LoadError } from '../../../shared/ui/feedback/load-error.tsx';
import { Skeleton } from '../../../shared/ui/feedback/skeleton.tsx';
import { toast } from '../../../shared/ui/feedback/toast.ts';
import { toastWithUndo } from '../../../shared/ui/feedback/toast-with-undo.ts';
import { IconButton } from '../../../shared/ui/icon-button.tsx';
import { type Group, useGroups, useGroupWrites } from '../api/groups.ts';
import { describeGroupRefusal } from '../model/use-folder-group-acts.ts';
import { GroupForm } from './group-form.tsx';

interface GroupsDialogProps {
  readonly open: boolean;
  readonly onClose: () => void;
}

/** The person's groups: made, changed and deleted. */
export function GroupsDialog({ open, onClose }: GroupsDialogProps) {
  const query = useGroups();
  const [form, setForm] = useState<{ readonly group: Group | null } | null>(null);
  const groups = query.data;
  const remove = useGroupRemoval();
  if (form) return <GroupForm open={open} group={form.group} onClose={() => setForm(null)} />;
  return (
    <Dialog open={open} width="wide" title={words.title} description={words.about} onClose={onClose}>
      {groups ? (
        <div className="flex flex-col gap-4">
          {groups.length === 0 ? (
            <EmptyState icon={<Users aria-hidden />} title={words.none} />
          ) : (
            <ul
              aria-label={words.title}
              className="flex max-h-96 flex-col divide-y divide-line overflow-y-auto overscroll-contain rounded border border-edge-soft"
            >
              {groups.map((group) => (
                <li key={group.id} className="flex min-h-14 shrink-0 items-center gap-1 py-1.5 pr-1 pl-3">
                  <div className="min-w-0 flex-1">
                    <p className="truncate text-base text-ink" title={group.name}>
                      {group.name}
                    </p>
                    <p className="text-sm text-ink-soft">
                      {describeGroup(group.emails.length, group.folderCount)}
                    </p>
                  </div>
                  <IconButton
                    label={`Editar ${group.name}`}
                    title="Editar"
                    onClick={() => setForm({ group })}
                  >
                    <Pencil aria-hidden />
                  </IconButton>
                  <IconButton
                    label={`Excluir ${group.name}`}
                    title="Excluir"
                    onClick={({ currentTarget }) => {
                      const item = currentTarget.closest('li');
                      const next = item?.nextElementSibling ?? item?.previousElementSibling;
                      next?.querySelector('button')?.focus();
                      void remove(group);
                    }}
                  >
                    <Trash2 aria-hidden />
                  </IconButton>
                </li>
              ))}
            </ul>
          )}
          <div className="flex flex-wrap justify-end gap-2 max-md:[&>*]:h-11 max-md:[&>*]:flex-1">
            <Button onClick={onClose}>{words.back}</Button>
            <Button variant="primary" icon={<Plus aria-hidden />} onClick={() => setForm({ group: null })}>
              {words.create}
            </Button>
          </div>
        </div>
      ) : query.isError ? (
        <LoadError
          title={words.loadFailed}
          description="Verifique sua conexão e tente de novo."
          onRetry={() => void query.refetch()}
        />
      ) : (
        <div role="status" aria-label="Carregando...">
          <Skeleton className="h-14 w-full" />
        </div>
      )}
    </Dialog>
  );
}

/** Deletes a group at once and offers it back, with whoever had access by it. Never throws. */
function useGroupRemoval() {
  const { remove, restore } = useGroupWrites();
  return async (group: Group) => {
    try {
      const deleted = await remove.mutateAsync(group.id);
      const undo = () =>
        void restore
          .mutateAsync(deleted)
          .catch((error: unknown) => toast.error(words.restoreFailed, describeGroupRefusal(error)));
      toastWithUndo(words.deleted, undo, { description: group.name });
    } catch (error) {
      toast.error(words.deleteFailed, describeGroupRefusal(error));
    }
  };
}

import { describeRoleOf } from '@linkoteca/domain/messages/folder-sharing-messages';
import {
  describeGivingAccess,
  describeGroupSize,
  GROUP_MESSAGES as words,
} from '@linkoteca/domain/messages/group-messages';
import { Plus, Users, X } from 'lucide-react';
import { Button } from '../../../shared/ui/button.tsx';
import { IconButton } from '../../../shared/ui/icon-button.tsx';
import { useFolderGroups } from '../api/folder-groups.ts';
import { useGroups } from '../api/groups.ts';
import { useFolderGroupActs } from '../model/use-folder-group-acts.ts';
import { RoleSelect } from './role-select.tsx';

interface FolderGroupsProps {
  readonly folderId: string;
  /** False where the plan lets nobody in any more. */
  readonly canExtend: boolean;
  /** To where groups are made and changed. */
  readonly onManage: () => void;
}

/** The groups that have access to one's own folder, what each may do, and the others that could have it. */
export function FolderGroups({ folderId, canExtend, onManage }: FolderGroupsProps) {
  const shared = useFolderGroups(folderId).data;
  const groups = useGroups().data;
  const acts = useFolderGroupActs(folderId);
  if (shared === undefined || groups === undefined) return null;
  const others = groups.filter(({ id }) => !shared.some((group) => group.id === id));
  return (
    <section aria-label={words.title} className="flex flex-col gap-2">
      {shared.length > 0 ? (
        <ul
          aria-label={words.listLabel}
          className="flex max-h-48 flex-col divide-y divide-line overflow-y-auto overscroll-contain rounded border border-edge-soft"
        >
          {shared.map((group) => (
            <li key={group.id} className="flex min-h-14 shrink-0 items-center gap-2 py-1.5 pr-1 pl-3">
              <Users aria-hidden className="size-4 shrink-0 text-ink-faint" />
              <span className="min-w-0 flex-1">
                <span className="block truncate text-base text-ink" title={group.name}>
                  {group.name}
                </span>
                <span className="block text-sm text-ink-soft">{describeGroupSize(group.memberCount)}</span>
              </span>
              <RoleSelect
                label={describeRoleOf(group.name)}
                value={group.role}
                className="max-w-40"
                onChange={(role) => void acts.share(group, role)}
              />
              <IconButton
                label={`Remover ${group.name}`}
                title="Remover"
                onClick={({ currentTarget }) => {
                  currentTarget.closest('[role="dialog"]')?.querySelector('input')?.focus();
                  acts.end(group);
                }}
              >
                <X aria-hidden />
              </IconButton>
            </li>
          ))}
        </ul>
      ) : null}
      <div className="flex flex-wrap items-center gap-2">
        {canExtend && others.length > 0 ? (
          <>
            <span className="text-sm text-ink-soft">{words.addHint}</span>
            {others.map(({ id, name, emails }) => (
              <Button
                key={id}
                size="small"
                icon={<Plus aria-hidden />}
                aria-label={describeGivingAccess(name, emails.length)}
                className="max-w-full"
                onClick={() => void acts.share({ id, name }, 'viewer')}
              >
                <span className="max-w-48 truncate">{name}</span>
                <span className="text-ink-faint tabular-nums">{emails.length}</span>
              </Button>
            ))}
          </>
        ) : null}
        <Button size="small" variant="quiet" className="ml-auto" onClick={onManage}>
          {groups.length === 0 ? words.create : words.manage}
        </Button>
      </div>
    </section>
  );
}

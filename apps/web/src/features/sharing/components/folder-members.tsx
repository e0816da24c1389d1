import type { FolderRole } from '@linkoteca/domain/folder-roles';
import {
  describeRoleOf,
  FOLDER_ROLE_WORDS,
  FOLDER_SHARING_MESSAGES as words,
} from '@linkoteca/domain/messages/folder-sharing-messages';
import { GROUP_MESSAGES } from '@linkoteca/domain/messages/group-messages';
import { X } from 'lucide-react';
import { IconButton } from '../../../shared/ui/icon-button.tsx';
import type { FolderMember } from '../api/list-folder-members.ts';
import { RoleSelect } from './role-select.tsx';

interface FolderMembersProps {
  readonly members: readonly FolderMember[];
  readonly onRole: (member: FolderMember, role: FolderRole) => void;
  readonly onRemove: (member: FolderMember) => void;
}

/** Who is on the list, what each may do, and the way out. */
export function FolderMembers({ members, onRole, onRemove }: FolderMembersProps) {
  return (
    <ul
      aria-label={words.listLabel}
      className="flex max-h-72 flex-col divide-y divide-line overflow-y-auto overscroll-contain rounded border border-edge-soft"
    >
      {members.map((member) => (
        <li key={member.email} className="flex min-h-11 shrink-0 items-center gap-2 py-1 pr-1 pl-3">
          <span className="min-w-0 flex-1 truncate text-base text-ink" title={member.email}>
            {member.email}
          </span>
          {member.isByGroup ? (
            <span className="shrink-0 text-sm text-ink-soft">
              {FOLDER_ROLE_WORDS[member.role]}, {GROUP_MESSAGES.byGroup}
            </span>
          ) : (
            <RoleSelect
              label={describeRoleOf(member.email)}
              value={member.role}
              className="max-w-40"
              onChange={(role) => onRole(member, role)}
            />
          )}
          <IconButton
            label={`Remover ${member.email}`}
            title="Remover"
            // The next one's, the one before's, or what the dialog has first: the keyboard stays in it.
            onClick={({ currentTarget }) => {
              const item = currentTarget.closest('li');
              const next = item?.nextElementSibling ?? item?.previousElementSibling;
              const rest =
                next?.querySelector('button') ??
                currentTarget.closest('[role="dialog"]')?.querySelector('input');
              rest?.focus();
              onRemove(member);
            }}
          >
            <X aria-hidden />
          </IconButton>
        </li>
      ))}
    </ul>
  );
}

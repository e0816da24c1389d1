import { FOLDER_ROLES, type FolderRole, isFolderRole } from '@linkoteca/domain/folder-roles';
import { FOLDER_ROLE_WORDS } from '@linkoteca/domain/messages/folder-sharing-messages';
import { joinClassNames } from '../../../shared/lib/browser/join-class-names.ts';
import { fieldControlClassName } from '../../../shared/ui/fields/field-control.ts';

interface RoleSelectProps {
  /** Read aloud. */
  readonly label: string;
  readonly value: FolderRole;
  readonly onChange: (role: FolderRole) => void;
  readonly className?: string;
}

/** 'Pode ver', 'Pode editar', 'Pode gerenciar'. */
export function RoleSelect({ label, value, onChange, className }: RoleSelectProps) {
  return (
    <select
      aria-label={label}
      value={value}
      // A select counts as read-only to CSS; it must not look so.
      className={joinClassNames(
        fieldControlClassName,
        'h-9 bg-surface! text-ink! pointer-coarse:h-11',
        className,
      )}
      onChange={({ target }) => isFolderRole(target.value) && onChange(target.value)}
    >
      {FOLDER_ROLES.map((role) => (
        <option key={role} value={role}>
          {FOLDER_ROLE_WORDS[role]}
        </option>
      ))}
    </select>
  );
}

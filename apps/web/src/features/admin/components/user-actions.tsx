import { Eye, Repeat } from 'lucide-react';
import { IconButton } from '../../../shared/ui/icon-button.tsx';
import type { AdminUser } from '../model/admin-answers.ts';

interface UserActionsProps {
  readonly user: AdminUser;
  readonly onShowLinks: (user: AdminUser) => void;
  readonly onChangePlan: (user: AdminUser) => void;
}

/** What the administrator can do with a row: look at the links, ask for another plan. */
export function UserActions({ user, onShowLinks, onChangePlan }: UserActionsProps) {
  return (
    <span className="admin-row-actions">
      <IconButton label={`Ver links de ${user.email}`} onClick={() => onShowLinks(user)}>
        <Eye aria-hidden />
      </IconButton>
      <IconButton label={`Alterar plano de ${user.email}`} onClick={() => onChangePlan(user)}>
        <Repeat aria-hidden />
      </IconButton>
    </span>
  );
}

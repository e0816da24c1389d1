import { useState } from 'react';
import type { AdminUser } from '../model/admin-answers.ts';
import { ChangePlanDialog } from './change-plan-dialog.tsx';
import { UserLinksDialog } from './user-links-dialog.tsx';

interface Asked {
  readonly what: 'links' | 'plan';
  readonly user: AdminUser;
}

/** The two pop-ups of a list of users, one of each a page and never one a row; and what opens them. */
export function useUserDialogs() {
  const [asked, setAsked] = useState<Asked | null>(null);
  const close = () => setAsked(null);
  return {
    onShowLinks: (user: AdminUser) => setAsked({ what: 'links', user }),
    onChangePlan: (user: AdminUser) => setAsked({ what: 'plan', user }),
    dialogs: (
      <>
        {asked?.what === 'links' ? <UserLinksDialog user={asked.user} onClose={close} /> : null}
        {asked?.what === 'plan' ? <ChangePlanDialog user={asked.user} onClose={close} /> : null}
      </>
    ),
  };
}

import { formatDate } from '@linkoteca/domain/dates';
import { formatCount } from '@linkoteca/domain/formats';
import { ADMIN_PAGE_SIZE } from '@linkoteca/domain/limits';
import { PLAN_IDS, PLANS, type PlanId } from '@linkoteca/domain/plans';
import { ExternalLink } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../../shared/ui/button.tsx';
import { buttonClassName } from '../../../shared/ui/button-class-name.ts';
import { Dialog } from '../../../shared/ui/dialogs/dialog.tsx';
import { DialogActions } from '../../../shared/ui/dialogs/dialog-actions.tsx';
import { EmptyState } from '../../../shared/ui/feedback/empty-state.tsx';
import { Notice } from '../../../shared/ui/feedback/notice.tsx';
import { Spinner } from '../../../shared/ui/feedback/spinner.tsx';
import { useChangePlan } from '../api/use-change-plan.ts';
import { useUserLinks } from '../api/use-user-links.ts';
import type { AdminLinkPage, AdminUser } from '../model/admin-answers.ts';
import { ADMIN_MESSAGES } from '../model/admin-messages.ts';
import { useAdminNotice } from './admin-notices.tsx';
import { Pagination } from './pagination.tsx';

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

interface ChangePlanDialogProps {
  readonly user: AdminUser;
  readonly onClose: () => void;
}

/** The pop-up that asks for another plan. It closes at once; notices tell what becomes of it. */
function ChangePlanDialog({ user, onClose }: ChangePlanDialogProps) {
  const [plan, setPlan] = useState<PlanId>(user.plan);
  const change = useChangePlan();
  const show = useAdminNotice();
  const { planChange } = ADMIN_MESSAGES;

  const confirm = () => {
    onClose();
    show('info', planChange.busy(plan));
    change.mutateAsync({ userId: user.id, plan }).then(
      () => show('success', planChange.done(plan)),
      () => show('danger', planChange.failed),
    );
  };

  return (
    <Dialog open onClose={onClose} title="Alterar plano" description={user.email}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          confirm();
        }}
      >
        <fieldset className="admin-plans">
          <legend className="admin-hidden">Plano</legend>
          {PLAN_IDS.map((id) => (
            <label key={id}>
              <input type="radio" name="plan" value={id} checked={plan === id} onChange={() => setPlan(id)} />
              {PLANS[id].name}
              {id === user.plan ? <span className="admin-soft">atual</span> : null}
            </label>
          ))}
        </fieldset>
        <DialogActions>
          <Button onClick={onClose}>Cancelar</Button>
          <Button type="submit" variant="primary">
            Confirmar
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

interface UserLinksDialogProps {
  readonly user: { readonly id: string; readonly email: string };
  readonly onClose: () => void;
}

/** The pop-up with somebody's links (specification, section 2, 'Admin area'). */
function UserLinksDialog({ user, onClose }: UserLinksDialogProps) {
  const [page, setPage] = useState(1);
  const query = useUserLinks(user.id, page);
  const { total, links } = query.data ?? { total: 0, links: [] };
  return (
    <Dialog
      open
      onClose={onClose}
      width="wide"
      title="Links do usuário"
      description={query.data ? `${user.email} · ${formatCount(total, 'link', 'links')}` : user.email}
    >
      {query.isPending ? <Spinner /> : null}
      {query.isError ? <Notice tone="danger">{ADMIN_MESSAGES.linksFailed}</Notice> : null}
      {!query.isPending && links.length === 0 ? <EmptyState title={ADMIN_MESSAGES.noLinks} /> : null}
      <ul className="admin-links" aria-busy={query.isFetching}>
        {links.map((link) => (
          <UserLink key={link.id} link={link} />
        ))}
      </ul>
      {total > ADMIN_PAGE_SIZE.links ? (
        <Pagination
          label="Páginas de links"
          page={page}
          total={total}
          pageSize={ADMIN_PAGE_SIZE.links}
          onChange={setPage}
        />
      ) : null}
    </Dialog>
  );
}

function UserLink({ link }: { readonly link: AdminLinkPage['links'][number] }) {
  const title = link.title?.trim() || ADMIN_MESSAGES.untitled;
  const address = URL.canParse(link.url) ? new URL(link.url) : null;
  // The database takes no other schemes; what an administrator can click is checked again all the same.
  const safe = address && (address.protocol === 'https:' || address.protocol === 'http:');
  return (
    <li>
      <span className="admin-user">
        <span className="admin-strong" title={title}>
          {title}
        </span>
        <span className="admin-soft">
          {address?.host ?? link.url} · {link.category?.name ?? ADMIN_MESSAGES.uncategorised} ·{' '}
          {formatDate(link.created_at)}
        </span>
      </span>
      {safe ? (
        <a
          href={link.url}
          target="_blank"
          rel="noopener noreferrer"
          className={buttonClassName('secondary', 'small')}
          aria-label={`Abrir link ${title}`}
        >
          <ExternalLink aria-hidden />
          Abrir
        </a>
      ) : null}
    </li>
  );
}

import { ADMIN_MESSAGES } from '@linkoteca/domain/admin-messages';
import { PLAN_IDS, PLANS, type PlanId } from '@linkoteca/domain/plans';
import { useState } from 'react';
import { Button } from '../../../shared/ui/button.tsx';
import { Dialog } from '../../../shared/ui/dialog.tsx';
import { DialogActions } from '../../../shared/ui/dialog-actions.tsx';
import { useChangePlan } from '../api/use-change-plan.ts';
import type { AdminUser } from '../model/admin-answers.ts';
import { useAdminNotice } from './admin-notices.tsx';

interface ChangePlanDialogProps {
  readonly user: AdminUser;
  readonly onClose: () => void;
}

/** The pop-up that asks for another plan. It closes at once; notices tell what becomes of it. */
export function ChangePlanDialog({ user, onClose }: ChangePlanDialogProps) {
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

import { DAILY_MAIL_MESSAGES as TEXT } from '@linkoteca/domain/messages/daily-mail-messages';
import { useOnline } from '../../../shared/lib/connection/connection-context.tsx';
import { describeError } from '../../../shared/lib/describe-error.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { Skeleton } from '../../../shared/ui/feedback/skeleton.tsx';
import { toast } from '../../../shared/ui/feedback/toast.ts';
import { SwitchField } from '../../../shared/ui/fields/switch-field.tsx';
import { useDailyMail, useSetDailyMail } from '../api/daily-mail.ts';

/** Whether one mail a day tells what others added to shared places: off until it is switched on. */
export function DailyMailSection() {
  const isOn = useDailyMail();
  const online = useOnline();
  return (
    <section aria-labelledby="daily-mail" className="flex flex-col gap-3 border-t border-line pt-5">
      <h2 id="daily-mail" className="text-lg font-semibold">
        {TEXT.title}
      </h2>
      {isOn.data !== undefined ? (
        <DailyMailSwitch isOn={isOn.data} />
      ) : !online ? (
        <p className="text-base text-ink-soft">{TEXT.offline}</p>
      ) : isOn.isError ? (
        <div role="alert" className="flex flex-wrap items-center gap-3">
          <p className="text-base text-ink-soft">{TEXT.loadFailed}.</p>
          <Button onClick={() => void isOn.refetch()}>Tentar de novo</Button>
        </div>
      ) : (
        <Skeleton className="h-18 w-full" />
      )}
    </section>
  );
}

function DailyMailSwitch({ isOn }: { readonly isOn: boolean }) {
  const set = useSetDailyMail();
  const turn = async (enabled: boolean) => {
    if (set.isPending) return;
    try {
      await set.mutateAsync(enabled);
      if (enabled) toast.success(TEXT.turnedOn, TEXT.turnedOnWhy);
      else toast.success(TEXT.turnedOff);
    } catch (error) {
      toast.error(TEXT.failed, describeError(error, TEXT.failedWhy));
    }
  };
  return (
    <SwitchField
      label={TEXT.label}
      hint={TEXT.hint}
      // As it will be, while it is being written.
      checked={set.isPending ? set.variables : isOn}
      onChange={(enabled) => void turn(enabled)}
    />
  );
}

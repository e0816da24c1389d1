import { ACCOUNT_MESSAGES } from '@linkoteca/domain/account-messages';
import type { Captcha } from '../../../shared/lib/captcha/use-captcha.tsx';
import { describeError } from '../../../shared/lib/describe-error.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { Notice } from '../../../shared/ui/notice.tsx';
import { toast } from '../../../shared/ui/toast.ts';
import { useCreatePassword } from '../api/use-create-password.ts';
import { useHasPassword } from '../api/use-has-password.ts';

const { reset, password } = ACCOUNT_MESSAGES;

interface NoPasswordNoticeProps {
  readonly email: string;
  /** The form's own. */
  readonly captcha: Captcha;
}

/** For people who came by Google: how to get a password, which the form below would ask for. */
export function NoPasswordNotice({ email, captcha }: NoPasswordNoticeProps) {
  const create = useCreatePassword(email);
  if (useHasPassword()) return null;
  const send = async () => {
    try {
      await create.mutateAsync(await captcha.take());
      toast.success(reset.sent, password.linkSent);
    } catch (error) {
      toast.error(reset.failed.title, describeError(error, reset.failed.description));
    }
  };
  return (
    <Notice
      action={
        <Button size="small" busy={create.isPending} busyLabel="Enviando..." onClick={() => void send()}>
          Criar uma senha
        </Button>
      }
    >
      {password.noneYet}
    </Notice>
  );
}

import { standardSchemaResolver } from '@hookform/resolvers/standard-schema';
import { settingsPasswordSchema } from '@linkoteca/domain/fields';
import { PASSWORD_MINIMUM } from '@linkoteca/domain/limits';
import { ACCOUNT_MESSAGES, CAPTCHA_MESSAGES } from '@linkoteca/domain/messages/account-messages';
import { PROVIDER_MESSAGES } from '@linkoteca/domain/messages/provider-messages';
import { Suspense } from 'react';
import { useForm, useWatch } from 'react-hook-form';
import { lazyPart } from '../../../shared/lib/browser/lazy-part.tsx';
import { type Captcha, useCaptcha } from '../../../shared/lib/captcha/use-captcha.tsx';
import { describeError, readError } from '../../../shared/lib/describe-error.ts';
import { describeWeakPassword } from '../../../shared/lib/describe-weak-password.ts';
import { useBackend } from '../../../shared/lib/supabase/backend-context.tsx';
import { useSignInWays } from '../../../shared/sign-in/use-sign-in-ways.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { Notice } from '../../../shared/ui/feedback/notice.tsx';
import { toast } from '../../../shared/ui/feedback/toast.ts';
import { PasswordField } from '../../../shared/ui/fields/password-field.tsx';
import { PasswordHint } from '../../../shared/ui/fields/password-hint.tsx';
import { useChangePassword, useCreatePassword, WrongCurrentPassword } from '../api/password.ts';

const { reset, password } = ACCOUNT_MESSAGES;

interface NoPasswordNoticeProps {
  readonly email: string;
  /** The form's own. */
  readonly captcha: Captcha;
}

/** For people who came by another provider: how to get a password, which the form below would ask for. */
function NoPasswordNotice({ email, captcha }: NoPasswordNoticeProps) {
  const create = useCreatePassword(email);
  const { hasPassword, providers } = useSignInWays();
  if (hasPassword) return null;
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
      {PROVIDER_MESSAGES.noPasswordYet(providers)}
    </Notice>
  );
}

const messages = ACCOUNT_MESSAGES.password;
const empty = { currentPassword: '', newPassword: '', confirmPassword: '' };

const DevicesPanel = lazyPart(
  () => import('./devices-panel.tsx'),
  (module) => module.DevicesPanel,
);

const PasskeysPanel = lazyPart(
  () => import('./passkeys/passkeys-panel.tsx'),
  (module) => module.PasskeysPanel,
);

const FactorsPanel = lazyPart(
  () => import('./factors/factors-panel.tsx'),
  (module) => module.FactorsPanel,
);

interface SecurityPanelProps {
  readonly email: string;
  /** Told when typed text appears or goes, so that a dialog around it can ask before closing. */
  readonly onDirtyChange?: (dirty: boolean) => void;
}

/** Change of password with the current one, keys in its place, what entering asks for besides, and where the account is signed in. */
export function SecurityPanel(props: SecurityPanelProps) {
  const { passkeys = false } = useBackend().config;
  return (
    <>
      <PasswordForm {...props} />
      <Suspense>{passkeys ? <PasskeysPanel email={props.email} /> : null}</Suspense>
      <Suspense>
        <FactorsPanel />
      </Suspense>
      <Suspense>
        <DevicesPanel />
      </Suspense>
    </>
  );
}

function PasswordForm({ email, onDirtyChange }: SecurityPanelProps) {
  const change = useChangePassword(email);
  const captcha = useCaptcha();
  const { register, handleSubmit, formState, reset, setError, getValues, control } = useForm({
    resolver: standardSchemaResolver(settingsPasswordSchema),
    defaultValues: empty,
  });
  const { errors } = formState;
  const tellDirty = () => onDirtyChange?.(Object.values(getValues()).some((text) => text !== ''));

  const submit = handleSubmit(async (form) => {
    if (change.isPending) return;
    try {
      await change.mutateAsync({ ...form, captcha: await captcha.take() });
      toast.success(messages.saved);
      reset(empty);
      onDirtyChange?.(false);
    } catch (error) {
      if (error instanceof WrongCurrentPassword) {
        setError('currentPassword', { message: messages.wrongCurrent }, { shouldFocus: true });
        toast.error(messages.wrongCurrent);
        return;
      }
      if (error instanceof Error && error.name === 'CaptchaMissing') {
        toast.error(CAPTCHA_MESSAGES.missing);
        return;
      }
      const refusal = readError(error).code === 'same_password' ? messages.same : describeWeakPassword(error);
      if (refusal !== null) setError('newPassword', { message: refusal }, { shouldFocus: true });
      toast.error(refusal ?? describeError(error, messages.failed));
    }
  });

  const newPassword = useWatch({ control, name: 'newPassword' }) ?? '';
  return (
    <form onSubmit={submit} onChange={tellDirty} noValidate className="flex flex-col gap-4">
      <NoPasswordNotice email={email} captcha={captcha} />
      <input type="email" autoComplete="username" value={email} readOnly hidden />
      <PasswordField
        {...register('currentPassword')}
        label="Senha atual"
        autoComplete="current-password"
        error={errors.currentPassword?.message}
      />
      <PasswordField
        {...register('newPassword')}
        label="Nova senha"
        autoComplete="new-password"
        error={errors.newPassword?.message}
        hint={
          errors.newPassword ? undefined : (
            <PasswordHint password={newPassword} minimum={PASSWORD_MINIMUM.settings} about={[email]} />
          )
        }
      />
      <PasswordField
        {...register('confirmPassword')}
        label="Confirme a nova senha"
        autoComplete="new-password"
        error={errors.confirmPassword?.message}
      />
      {captcha.field}
      <Button
        type="submit"
        variant="primary"
        size="large"
        busy={change.isPending}
        busyLabel="Salvando..."
        className="mt-1 self-start max-md:self-stretch"
      >
        Alterar senha
      </Button>
    </form>
  );
}

import { standardSchemaResolver } from '@hookform/resolvers/standard-schema';
import { profileSchema } from '@linkoteca/domain/fields';
import { ACCOUNT_MESSAGES } from '@linkoteca/domain/messages/account-messages';
import { useForm } from 'react-hook-form';
import { describeError } from '../../../shared/lib/describe-error.ts';
import type { Person } from '../../../shared/lib/session/read-person.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { toast } from '../../../shared/ui/feedback/toast.ts';
import { TextField } from '../../../shared/ui/fields/text-field.tsx';
import { useUpdateProfile } from '../api/profile.ts';
import { DailyMailSection } from './daily-mail-section.tsx';
import { PictureField } from './picture/picture-field.tsx';

const messages = ACCOUNT_MESSAGES.profile;

/** First and last name; the e-mail is shown and cannot change. Below, which mails come to it. */
export function PersonalPanel({ person }: { readonly person: Person }) {
  const update = useUpdateProfile();
  const { register, handleSubmit, formState } = useForm({
    resolver: standardSchemaResolver(profileSchema),
    defaultValues: { firstName: person.firstName, lastName: person.lastName },
  });
  const submit = handleSubmit(async (form) => {
    if (update.isPending) return;
    try {
      await update.mutateAsync(form);
      toast.success(messages.saved);
    } catch (error) {
      toast.error(describeError(error, messages.failed));
    }
  });
  return (
    <div className="flex max-w-prose flex-col gap-6">
      <PictureField person={person} />
      <form onSubmit={submit} noValidate className="flex flex-col gap-4">
        <div className="grid gap-4 sm:grid-cols-2">
          <TextField
            {...register('firstName')}
            label="Nome"
            autoComplete="given-name"
            error={formState.errors.firstName?.message}
          />
          <TextField
            {...register('lastName')}
            label="Sobrenome"
            autoComplete="family-name"
            error={formState.errors.lastName?.message}
          />
        </div>
        <TextField label="E-mail" type="email" value={person.email} readOnly hint={messages.emailReadOnly} />
        <Button
          type="submit"
          variant="primary"
          size="large"
          busy={update.isPending}
          busyLabel="Salvando..."
          className="mt-1 self-start max-md:self-stretch"
        >
          Salvar
        </Button>
      </form>
      {person.email === '' ? null : <DailyMailSection />}
    </div>
  );
}

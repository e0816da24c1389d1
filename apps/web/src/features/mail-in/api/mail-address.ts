import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useUserId } from '../../../shared/lib/session/session-context.tsx';
import { useDatabase } from '../../../shared/lib/supabase/backend-context.tsx';

/** The address that a person sends links to, and whom it takes them from. */
export interface MailAddress {
  /** What stands before the @. */
  readonly local_part: string;
  readonly any_sender: boolean;
  /** The account's own address; null before it is confirmed. */
  readonly own_sender: string | null;
  readonly senders: readonly string[];
}

/** A mail of which something was not saved. */
export interface RefusedMail {
  readonly id: string;
  readonly sender: string;
  readonly subject: string;
  readonly reason: string;
  readonly refused_at: string;
}

const addressKey = (userId: string) => ['mail-address', userId] as const;
const refusedKey = (userId: string) => ['refused-mails', userId] as const;

/** The person's address; null where they have none. */
export function useMailAddress() {
  const database = useDatabase();
  return useQuery({
    queryKey: addressKey(useUserId()),
    staleTime: 0,
    queryFn: async ({ signal }): Promise<MailAddress | null> => {
      const { data } = await database.rpc('mail_address').abortSignal(signal).throwOnError();
      return data[0] ?? null;
    },
  });
}

/** What was not saved, the newest first. Mails come by themselves, and nobody tells of them. */
export function useRefusedMails() {
  const database = useDatabase();
  return useQuery({
    queryKey: refusedKey(useUserId()),
    staleTime: 0,
    queryFn: async ({ signal }): Promise<readonly RefusedMail[]> => {
      const { data } = await database.rpc('list_refused_mails').abortSignal(signal).throwOnError();
      return data;
    },
  });
}

/** A change of the address or of its senders; what is shown is read anew, also after a failure. */
function useAddressChange<Wish>(
  change: (database: ReturnType<typeof useDatabase>, wish: Wish) => PromiseLike<unknown>,
) {
  const database = useDatabase();
  const queryClient = useQueryClient();
  const userId = useUserId();
  return useMutation({
    mutationKey: ['mail-address', 'change'],
    mutationFn: async (wish: Wish) => {
      await change(database, wish);
    },
    onSettled: () =>
      Promise.all(
        [addressKey(userId), refusedKey(userId)].map((queryKey) =>
          queryClient.invalidateQueries({ queryKey }),
        ),
      ),
  });
}

/** Makes an address, or another in its place: the old one is dead at once. */
export function useChangeMailAddress() {
  return useAddressChange<void>((database) => database.rpc('change_mail_address').throwOnError());
}

export function useGiveUpMailAddress() {
  return useAddressChange<void>((database) => database.rpc('give_up_mail_address').throwOnError());
}

export function useAllowMailSender() {
  return useAddressChange<string>((database, email) =>
    database.rpc('allow_mail_sender', { email }).throwOnError(),
  );
}

export function useForbidMailSender() {
  return useAddressChange<string>((database, email) =>
    database.rpc('forbid_mail_sender', { email }).throwOnError(),
  );
}

export function useAllowAnyMailSender() {
  return useAddressChange<boolean>((database, allowed) =>
    database.rpc('allow_any_mail_sender', { allowed }).throwOnError(),
  );
}

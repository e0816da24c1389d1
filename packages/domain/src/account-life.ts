/** What a person types to delete their account, to the letter. */
export const DELETION_WORD = 'EXCLUIR';

/** How long a deleted account can be had back; twin of `private.restore_window()`. */
export const RESTORE_DAYS = 30;

/** How old a sign-in may be that an account is deleted with. */
export const RECENT_SIGN_IN_SECONDS = 600;

/** Answer code of `delete-account`: the person has to prove again who they are. */
export const REAUTHENTICATION_NEEDED = 'reauthentication_needed';

/** What stands for an address that an account lacks: made from the first characters of its id, and reachable by no mail. */
export function placeholderEmail(id: string): string {
  return `usuario-${id.slice(0, 8)}@sem-email.invalid`;
}

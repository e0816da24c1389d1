import type { Caller } from '../../../kernel/caller-context.ts';
import type { RealtimeContext } from '../realtime-context.ts';

export type SessionFault = { readonly code: string; readonly message: string };

const ENDED: SessionFault = { code: 'Unauthorized', message: 'Session has ended' };
const UNKNOWN: SessionFault = {
  code: 'UnableToConnectToProject',
  message: 'Realtime was unable to connect to the project database',
};

/** Why a token that has not expired may not act all the same; undefined when it may. Nobody enters while nobody can say. */
export function readSessionFault(
  { sessions, logger }: Pick<RealtimeContext, 'sessions' | 'logger'>,
  caller: Caller,
): SessionFault | undefined | Promise<SessionFault | undefined> {
  const open = sessions.isOpen(caller);
  if (typeof open === 'boolean') return open ? undefined : ENDED;
  return open.then(
    (isOpen) => (isOpen ? undefined : ENDED),
    (error: unknown) => {
      logger.warn({ err: error }, 'a session could not be looked at');
      return UNKNOWN;
    },
  );
}

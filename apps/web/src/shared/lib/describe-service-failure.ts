import { ACCOUNT_MESSAGES } from '@linkoteca/domain/messages/account-messages';
import type { ServiceWords } from '@linkoteca/domain/messages/service-messages';
import { readServiceFailure } from '@linkoteca/domain/service-failures';
import { InvalidRow } from './check-row.ts';
import { describeError } from './describe-error.ts';
import { RowGone, RowUnread } from './writes/edit-conflict.ts';

const timeOutMessage = 'O serviço demorou demais para responder. Tente de novo.';

/**
 * What stands below 'Não foi possível …': why the service refused the action, in the words of the catalogue.
 * @param words the service's texts for this action.
 * @param advice what the person can do now, a whole sentence, where trying again can help.
 */
export function describeServiceFailure(error: unknown, words: ServiceWords, advice: string): string {
  if (error instanceof RowGone) return `${words.notFound}. ${words.gone} ${advice}`;
  if (error instanceof RowUnread) return describeError(error.cause, `${words.unread}. ${advice}`);
  if (error instanceof InvalidRow) return `${words.invalid}: ${error.message}`;
  const failure = readServiceFailure(error);
  switch (failure.kind) {
    case 'not_found':
      return words.notFound;
    case 'place_not_found':
      return words.placeNotFound;
    case 'invalid':
      return failure.detail === null ? words.invalid : `${words.invalid}: ${failure.detail}`;
    case 'failed':
      return `${words.failed}. ${advice}`;
    case 'timed_out':
      return timeOutMessage;
    case 'signed_out':
      return ACCOUNT_MESSAGES.guard.action;
    case 'token_refused':
      return ACCOUNT_MESSAGES.guard.operation;
    case 'unknown':
      return describeError(error, `${words.unknown}. ${advice}`);
  }
}

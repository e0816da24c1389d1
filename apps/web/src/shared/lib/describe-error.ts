import { ACCOUNT_MESSAGES } from '@linkoteca/domain/messages/account-messages';
import { OFFLINE_MESSAGES } from '@linkoteca/domain/messages/offline-messages';
import { InvalidRow } from './check-row.ts';
import { OfflineError } from './connection/offline-error.ts';

/** What a person reads when the network is away. */
export const offlineMessage = 'Sem conexão com a internet. Verifique sua rede e tente de novo.';

/**
 * Turns what a call threw into words. `fallback` is the screen's own text, used whenever nothing better is known:
 * a service's internal message is never shown.
 */
export function describeError(error: unknown, fallback: string): string {
  if (error instanceof OfflineError) return OFFLINE_MESSAGES.writeRefused;
  if (error instanceof InvalidRow) return error.message;
  const { code, message, hint } = readError(error);
  // A bound that no plan lifts: what the database says of it is written for people.
  if (code === 'P0001' && hint.startsWith('bound_')) return message;
  if (code === 'PGRST116') return 'Não foram encontrados resultados para esta consulta.';
  // Insufficient privilege: the screens ask for nothing but a person's own, so the request went out without a session.
  if (code === '42501') return ACCOUNT_MESSAGES.guard.action;
  if (code === 'PGRST301' || code === 'PGRST303') return ACCOUNT_MESSAGES.guard.operation;
  if (isOfflineError(error, message)) return offlineMessage;
  return fallback;
}

/** True when the call never reached the service. */
export function isOfflineError(error: unknown, message = readError(error).message): boolean {
  if (typeof navigator !== 'undefined' && navigator.onLine === false) return true;
  return /failed to fetch|networkerror|load failed|fetch failed/i.test(message);
}

/** What the table API's error says of itself; '' where it says nothing. */
export function readError(error: unknown): Readonly<Record<'code' | 'message' | 'hint', string>> {
  if (typeof error !== 'object' || error === null) return { code: '', message: '', hint: '' };
  const { code, message, hint } = error as Readonly<Record<string, unknown>>;
  const toText = (value: unknown) => (typeof value === 'string' ? value : '');
  return { code: toText(code), message: toText(message), hint: toText(hint) };
}

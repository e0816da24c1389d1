import { toBroadcastJson } from '../broadcast/broadcast-message.ts';
import type { FieldErrors } from './realtime-error.ts';

export type BatchMessage = {
  readonly topic: string;
  readonly isPrivate: boolean;
  /** The event object that receivers get. */
  readonly json: string;
};

export type ParsedBatch =
  | { readonly ok: true; readonly messages: readonly BatchMessage[] }
  | { readonly ok: false; readonly errors: FieldErrors };

/** `{messages: [{topic, event, payload, private}]}` (protocol note, section 3.4); topics come without `realtime:`. */
export function parseBatch(body: unknown): ParsedBatch {
  const messages = (body as { messages?: unknown } | null | undefined)?.messages;
  if (messages === undefined || messages === null) return fail('messages', "can't be blank");
  if (!Array.isArray(messages)) return fail('messages', 'is invalid');
  if (messages.length === 0) return fail('messages', "can't be blank");
  const parsed = messages.map((message, index) => parseMessage(message, `messages.${index}`));
  const faults = parsed.filter((result) => !('topic' in result));
  if (faults.length > 0) return { ok: false, errors: Object.assign({}, ...faults) as FieldErrors };
  return { ok: true, messages: parsed as BatchMessage[] };
}

function parseMessage(message: unknown, path: string): BatchMessage | FieldErrors {
  if (typeof message !== 'object' || message === null || Array.isArray(message))
    return { [path]: ['is invalid'] };
  const { topic, event, payload, private: isPrivate = false } = message as Record<string, unknown>;
  const errors: Record<string, string[]> = {};
  if (!isName(topic)) errors[`${path}.topic`] = [toFault(topic)];
  if (!isName(event)) errors[`${path}.event`] = [toFault(event)];
  if (typeof payload !== 'object' || payload === null || Array.isArray(payload))
    errors[`${path}.payload`] = [payload === undefined || payload === null ? "can't be blank" : 'is invalid'];
  if (typeof isPrivate !== 'boolean' && isPrivate !== null) errors[`${path}.private`] = ['is invalid'];
  if (!isName(topic) || !isName(event) || Object.keys(errors).length > 0) return errors;
  return { topic, isPrivate: isPrivate === true, json: toBroadcastJson(event, JSON.stringify(payload)) };
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function toFault(value: unknown): string {
  return value === undefined || value === null || value === '' ? "can't be blank" : 'is invalid';
}

function fail(field: string, fault: string): ParsedBatch {
  return { ok: false, errors: { [field]: [fault] } };
}

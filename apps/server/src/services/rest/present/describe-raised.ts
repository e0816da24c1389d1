import { validateHeaderName, validateHeaderValue } from 'node:http';
import * as v from 'valibot';
import { type RestFailure, restError } from '../rest-error.ts';

const text = v.nullish(v.string());

const messageSchema = v.object({ code: v.string(), message: v.string(), details: text, hint: text });

const headersSchema = v.pipe(
  v.record(v.string(), v.string()),
  v.check((headers) => Object.entries(headers).every(isHeader)),
);

/** What a status line may hold (RFC 9112, section 4). */
const STATUS_TEXT = /^[\t\x20-\x7e]{1,200}$/;

const detailSchema = v.object({
  status: v.pipe(v.number(), v.integer(), v.minValue(200), v.maxValue(599)),
  status_text: v.nullish(v.pipe(v.string(), v.regex(STATUS_TEXT))),
  headers: headersSchema,
});

/** The message of `PTxyz` as the words of the status line; nothing where they cannot be. */
export function toStatusText(sqlState: string, message: string): { readonly statusText?: string } {
  return /^PT\d{3}$/.test(sqlState) && STATUS_TEXT.test(message) ? { statusText: message } : {};
}

function isHeader([name, value]: readonly [string, string]): boolean {
  try {
    validateHeaderName(name);
    validateHeaderValue(name, value);
    return true;
  } catch {
    return false;
  }
}

const MESSAGE_FORM =
  "MESSAGE must be a JSON object with obligatory keys: 'code', 'message' and optional keys: 'details', 'hint'.";
const DETAIL_FORM =
  "DETAIL must be a JSON object with obligatory keys: 'status', 'headers' and optional key: 'status_text'.";

/** `raise sqlstate 'PGRST'` lets a function write the whole answer: body in the message, status and headers in the detail. */
export function describeRaised(message: string, detail: string | undefined): RestFailure {
  const body = parse(messageSchema, message);
  if (body === undefined)
    return restError.raisedUnreadable(`Invalid JSON value for MESSAGE: '${message}'`, MESSAGE_FORM);
  if (detail === undefined)
    return restError.raisedUnreadable('DETAIL is missing in the RAISE statement', DETAIL_FORM);
  const answer = parse(detailSchema, detail);
  if (answer === undefined)
    return restError.raisedUnreadable(`Invalid JSON value for DETAIL: '${detail}'`, DETAIL_FORM);
  const { status, status_text: statusText, headers } = answer;
  return {
    status,
    ...(statusText ? { statusText } : {}),
    code: body.code,
    message: body.message,
    details: body.details ?? null,
    hint: body.hint ?? null,
    headers,
  };
}

function parse<S extends v.GenericSchema>(schema: S, json: string): v.InferOutput<S> | undefined {
  try {
    const result = v.safeParse(schema, JSON.parse(json));
    return result.success ? result.output : undefined;
  } catch {
    return undefined;
  }
}

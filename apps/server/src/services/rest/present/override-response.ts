import { validateHeaderName, validateHeaderValue } from 'node:http';
import { RestError, restError } from '../rest-error.ts';
import type { RunResult } from '../run/run-plan.ts';
import type { RestResponse } from './rest-response.ts';

/**
 * Lets a function or trigger decide on the answer: `set local "response.status" = '202'` and
 * `response.headers` = `[{"cache-control": "public"}]`. @throws RestError when it set something else.
 */
export function overrideResponse(response: RestResponse, result: RunResult): RestResponse {
  const { responseHeaders, responseStatus } = result;
  if (responseHeaders === undefined && responseStatus === undefined) return response;
  return {
    ...response,
    status: responseStatus === undefined ? response.status : readStatus(responseStatus),
    headers:
      responseHeaders === undefined
        ? response.headers
        : { ...response.headers, ...readHeaders(responseHeaders) },
  };
}

function readStatus(text: string): number {
  const status = Number(text);
  if (!/^\d{3}$/.test(text) || status < 200) throw new RestError(restError.responseStatusSetting());
  return status;
}

function readHeaders(text: string): Record<string, string | string[]> {
  const headers: Record<string, string | string[]> = {};
  try {
    const list: unknown = JSON.parse(text);
    if (!Array.isArray(list)) throw new TypeError('not an array');
    for (const item of list) {
      const [entry, another] = Object.entries(item as object);
      if (entry === undefined || another !== undefined) throw new TypeError('not a single key');
      const [name, value] = [entry[0].toLowerCase(), entry[1] as unknown];
      if (typeof value !== 'string') throw new TypeError('not a string');
      validateHeaderName(name);
      validateHeaderValue(name, value);
      const earlier = headers[name];
      if (name === 'set-cookie') headers[name] = [...(Array.isArray(earlier) ? earlier : []), value];
      else headers[name] = value;
    }
  } catch (error) {
    throw new RestError(restError.responseHeadersSetting(), { cause: error });
  }
  return headers;
}

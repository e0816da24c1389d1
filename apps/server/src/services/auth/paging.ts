import type { AuthRequest } from './auth-context.ts';
import { AuthError } from './auth-error.ts';

const DEFAULT_PAGE_SIZE = 50;
const MAX_PAGE_SIZE = 1000;
const MAX_PAGE = 1_000_000;

export type Page = { readonly page: number; readonly perPage: number };

/** Which page of a list an operator asks for, counted from 1. @throws validation_failed */
export function readPage(request: AuthRequest): Page {
  const page = readNumber(request, 'page', 1, MAX_PAGE);
  const perPage = readNumber(request, 'per_page', DEFAULT_PAGE_SIZE, Number.MAX_SAFE_INTEGER);
  return { page, perPage: Math.min(perPage, MAX_PAGE_SIZE) };
}

/** Empty counts as missing: the client library sends `page=&per_page=`. */
function readNumber({ query }: AuthRequest, key: string, missing: number, max: number): number {
  const raw = query[key] ?? '';
  if (raw === '') return missing;
  const value = /^\d+$/.test(raw) ? Number(raw) : 0;
  if (value < 1 || value > max)
    throw new AuthError('validation_failed', { message: `Bad Pagination Parameters: ${key}` });
  return value;
}

/** RFC 8288; `page` comes first because the client library reads the first number it finds. */
export function listNeighbours(path: string, { page, perPage }: Page, total: number): string {
  const last = Math.max(1, Math.ceil(total / perPage));
  const link = (to: number, rel: string) => `<${path}?page=${to}&per_page=${perPage}>; rel="${rel}"`;
  return [...(page < last ? [link(page + 1, 'next')] : []), link(last, 'last')].join(', ');
}

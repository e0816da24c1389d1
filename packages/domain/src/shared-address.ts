import { foldText } from './fold-text.ts';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** 16 bytes in base64url; the last character carries two bits only. */
const SHORT_ID = /(?:^|-)([\w-]{21}[AQgw])$/;
const NOT_A_WORD = /[^a-z0-9]+/g;
/** Longer ones are cut in chats and mails, and say no more. */
const SLUG_LENGTH = 60;

/** What an address needs to know of a category. */
export interface AddressedCategory {
  readonly id: string;
  readonly name: string;
}

/**
 * The readable address of a shared category: `/shared/receitas-da-vovo-` and its id in 22 characters. Only the id counts, so
 * an address survives every renaming; without a letter of the Latin alphabet in its name it is the id alone.
 */
export function sharedPath({ id, name }: AddressedCategory): string {
  const slug = toSlug(name);
  return `/shared/${slug === '' ? '' : `${slug}-`}${shortenId(id)}`;
}

/**
 * The category that a segment of an address names, as a UUID in lower case: a readable address, or the id itself.
 * @returns null for what is neither.
 */
export function readSharedId(segment: string): string | null {
  if (UUID.test(segment)) return segment.toLowerCase();
  const [, short] = SHORT_ID.exec(segment) ?? [];
  return short === undefined ? null : expandId(short);
}

function toSlug(name: string): string {
  const words = foldText(name).replace(NOT_A_WORD, '-').replace(/^-/, '');
  // Cut between words where one ends; a single endless word is cut where it must be.
  const cut = words.length > SLUG_LENGTH ? words.slice(0, words.lastIndexOf('-', SLUG_LENGTH)) : words;
  return cut.slice(0, SLUG_LENGTH).replace(/-+$/, '');
}

function shortenId(id: string): string {
  const bytes = id.replaceAll('-', '').match(/../g) ?? [];
  return btoa(String.fromCharCode(...bytes.map((byte) => Number.parseInt(byte, 16))))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '');
}

function expandId(short: string): string {
  const bytes = atob(short.replaceAll('-', '+').replaceAll('_', '/'));
  const hex = [...bytes].map((byte) => byte.charCodeAt(0).toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

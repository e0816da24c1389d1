import { CONSENT_MESSAGES } from './program-messages.ts';

const MOST_LETTERS = 60;
/** Nobody sees them, or they turn what stands around them: controls, directions, marks that take no place, and what fonts leave empty. */
const UNSEEN =
  /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}]|\u034f|[\u115f\u1160]|[\u17b4\u17b5]|[\u3164\uffa0\u2800]/gu;
/** More than two marks on a letter reach over the lines around it. */
const PILED = /(\p{M}{2})\p{M}+/gu;

/** What a program calls itself, as one short line of visible text. */
export function readProgramName(name: string): string {
  const shown = name.normalize('NFC').replace(UNSEEN, ' ').replace(PILED, '$1').replace(/\s+/g, ' ').trim();
  const letters = [...shown];
  if (letters.length === 0) return CONSENT_MESSAGES.nameless;
  return letters.length > MOST_LETTERS ? `${letters.slice(0, MOST_LETTERS).join('')}…` : shown;
}

/** Letters of several alphabets in one word may be meant to look like another name. */
export function mixesAlphabets(name: string): boolean {
  return name
    .split(/[^\p{L}\p{M}]+/u)
    .some(
      (word) =>
        [/\p{sc=Latin}/u, /\p{sc=Cyrillic}/u, /\p{sc=Greek}/u].filter((one) => one.test(word)).length > 1,
    );
}

/** Where the answer goes, in words. Addresses of another alphabet stand in the spelling of the network (`xn--…`). */
export function describeReturn(address: string): string {
  if (!URL.canParse(address)) return 'Depois você volta ao programa.';
  const { protocol, hostname, host } = new URL(address);
  if (hostname === 'localhost' || hostname === '127.0.0.1' || hostname === '[::1]')
    return 'Depois você volta a um programa deste computador.';
  if (protocol === 'https:') return `Depois você volta para ${host}`;
  return `Depois você volta a um aplicativo deste aparelho (${protocol.slice(0, -1).slice(0, MOST_LETTERS)})`;
}

/** Whether a browser may be sent there: nothing that runs in this page. */
export function isSafeAddress(address: string): boolean {
  if (!URL.canParse(address)) return false;
  return !/^(?:javascript|data|vbscript|blob|file|about|filesystem):$/.test(new URL(address).protocol);
}

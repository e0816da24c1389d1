import type messages from '../../locales/pt_BR/messages.json';

export type MessageName = keyof typeof messages;

/** The browser's own translation of a text, with what is put into it. */
export function translate(name: MessageName, ...values: readonly (string | number)[]): string {
  return chrome.i18n.getMessage(name, values.map(String));
}

import type { DatabaseClient } from '../session/database.ts';
import { readConnection } from '../session/session-store.ts';
import { openDatabase } from '../session/tokens.ts';
import { translate } from '../shared/translate.ts';

/** As many links are suggested under the address bar. */
const MOST = 6;

/** A line under the address bar: where it leads, and what it says, with what must not be read as markup written out. */
export interface Suggestion {
  readonly content: string;
  readonly description: string;
}

/** Chromium reads a suggestion's text as XML; Firefox shows it as it is. */
const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};
const escapeMarkup = (text: string) => text.replace(/[&<>"']/g, (sign) => ESCAPES[sign] ?? sign);
const keep = (text: string) => text;

/**
 * The links that a search finds, as suggestions.
 * @param isMarkup whether the browser reads them as XML.
 * @returns none where the library cannot be asked.
 */
export async function suggestLinks(
  database: Pick<DatabaseClient, 'rpc'>,
  term: string,
  isMarkup: boolean,
): Promise<readonly Suggestion[]> {
  if (term.trim() === '') return [];
  const { data } = await database.rpc('search_links', { term, max_results: MOST });
  const write = isMarkup ? escapeMarkup : keep;
  const tag = (name: string, text: string) => (isMarkup ? `<${name}>${write(text)}</${name}>` : text);
  return (data ?? []).map(({ title, url, category_name }) => ({
    content: url,
    description: `${write(title)} ${tag('dim', `— ${category_name}`)} ${tag('url', url)}`,
  }));
}

/** Answers the keyword `lk` of the address bar: links while one types, and the library's own search for what was typed. */
export function answerAddressBar(): void {
  const { omnibox } = chrome;
  const isMarkup = chrome.runtime.getURL('').startsWith('chrome-extension:');
  let latest = '';
  omnibox.setDefaultSuggestion({ description: translate('searchHere') });
  omnibox.onInputChanged.addListener((term, suggest) => {
    latest = term;
    void readConnection()
      .then((connection) => (connection ? suggestLinks(openDatabase(connection), term, isMarkup) : []))
      // An answer to what was typed before says less.
      .then((suggestions) => (latest === term ? suggest([...suggestions]) : undefined));
  });
  omnibox.onInputEntered.addListener((entered, disposition) => void open(entered, disposition));
}

async function open(
  entered: string,
  disposition: `${chrome.omnibox.OnInputEnteredDisposition}`,
): Promise<void> {
  const connection = await readConnection();
  if (connection === null) return chrome.runtime.openOptionsPage();
  const isLink = /^https?:\/\//i.test(entered);
  const url = isLink ? entered : `${connection.installation.origin}/search?q=${encodeURIComponent(entered)}`;
  if (disposition === 'currentTab') await chrome.tabs.update({ url });
  else await chrome.tabs.create({ url, active: disposition === 'newForegroundTab' });
}

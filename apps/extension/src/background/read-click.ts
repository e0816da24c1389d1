import type { Found } from '../page/describe-capture.ts';

export type Click = Pick<
  chrome.contextMenus.OnClickData,
  'menuItemId' | 'linkUrl' | 'srcUrl' | 'selectionText'
> & {
  /** Firefox alone tells it. */
  readonly linkText?: string;
};
export type Tab = Pick<chrome.tabs.Tab, 'id' | 'url' | 'title'>;

/** What an entry of the menu saves. */
export function readClick(click: Click, tab: Tab, description = ''): Found | null {
  const withoutScheme = (url: string) => url.replace(/^https?:\/\/(?:www\.)?/i, '').replace(/\/$/, '');
  if (click.menuItemId === 'link' && click.linkUrl !== undefined)
    return {
      url: click.linkUrl,
      title: click.linkText || withoutScheme(click.linkUrl),
      description: click.selectionText,
    };
  if (click.menuItemId === 'image' && click.srcUrl !== undefined)
    return { url: click.srcUrl, title: withoutScheme(click.srcUrl), description: tab.title };
  if (click.menuItemId === 'page' && tab.url !== undefined)
    return { url: tab.url, title: tab.title, description: click.selectionText || description };
  return null;
}

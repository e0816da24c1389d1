import { formatDate } from '@linkoteca/domain/dates';
import { formatCount } from '@linkoteca/domain/formats';
import { pickHue } from '@linkoteca/domain/pick-hue';
import { readHost } from '@linkoteca/domain/urls';
import { LINK_VIEW_KEY } from '../../features/links/model/link-view.ts';
import { planGrid } from '../../features/links/model/plan-grid.ts';
import { rootFontSize } from '../../shared/lib/browser/root-font-size.ts';
import type { AppConfig } from '../../shared/lib/load-app-config.ts';

/** A sign-in as the auth client saves it. */
export interface SavedSession {
  readonly access_token: string;
  /** Seconds since 1970. */
  readonly expires_at: number;
  readonly user: { readonly id: string };
}

interface KnownLink {
  readonly title: string;
  readonly url: string;
  readonly description: string | null;
  readonly created_at: string;
}

interface KnownCategory {
  readonly name: string;
  readonly description: string | null;
  readonly is_public: boolean;
  readonly folders: { readonly name: string };
  readonly category_counts: { readonly link_count: number } | null;
  readonly manual_order: object | null;
  readonly shared_with: readonly object[];
  readonly links: readonly KnownLink[];
}

/** More than any window shows. */
const MOST = 40;
const SELECT =
  'name,description,is_public,folders(name),category_counts(link_count),manual_order(category_id),shared_with(id),links(title,url,description,created_at)';

/**
 * Draws a category's first links in its picture, while the app's code is on its way, and says in `data-filled` that it has. Only what
 * stands where the app will draw it: a category of one's own that nobody else sees, in the usual look and order, with a token that is good.
 * @param picture of the organiser, with the category's template in it.
 */
export async function fillCategory(
  picture: HTMLElement,
  session: SavedSession,
  readConfig: () => Promise<Pick<AppConfig, 'supabaseUrl' | 'supabaseAnonKey'>>,
): Promise<void> {
  const id = /^\/category\/([0-9a-f-]{36})$/.exec(location.pathname)?.[1];
  if (id === undefined || session.expires_at * 1000 < Date.now() + 5_000 || !isUsualLook()) return;
  const { supabaseUrl, supabaseAnonKey } = await readConfig();
  const query = new URLSearchParams({
    id: `eq.${id}`,
    user_id: `eq.${session.user.id}`,
    select: SELECT,
    'links.order': 'created_at.desc,id.desc',
    'links.limit': String(MOST),
    'shared_with.limit': '1',
  });
  const response = await fetch(`${supabaseUrl}/rest/v1/categories?${query}`, {
    headers: { apikey: supabaseAnonKey, authorization: `Bearer ${session.access_token}` },
  });
  const [category]: readonly KnownCategory[] = response.ok ? await response.json() : [];
  if (!category || category.is_public || category.shared_with.length > 0 || category.manual_order) return;
  if (category.links.length > 0 && picture.isConnected) draw(picture, category);
}

function isUsualLook(): boolean {
  const view = localStorage.getItem(LINK_VIEW_KEY) ?? 'grid';
  const order = localStorage.getItem('linkoteca-link-order') ?? 'newest';
  return view === 'grid' && order === 'newest';
}

function draw(picture: HTMLElement, category: KnownCategory): void {
  const place = picture.querySelector('[data-page="/category/"]');
  const template = place?.querySelector<HTMLTemplateElement>('template[data-known]');
  if (!place || !template) return;
  place.replaceChildren(template.content);
  const [folder, here] = place.querySelectorAll('nav span');
  const title = place.querySelector('h1');
  setText(folder, category.folders.name);
  setText(here, category.name);
  setText(title, category.name);
  setText(title?.parentElement?.querySelector('span'), countOf(category));
  setText(
    place.querySelector('h1')?.parentElement?.parentElement?.querySelector(':scope > p'),
    category.description,
  );
  const list = place.querySelector<HTMLElement>('[data-links]');
  if (list) drawLinks(list, category.links);
  picture.dataset['filled'] = '';
}

const countOf = ({ category_counts: counts }: KnownCategory) =>
  formatCount(counts?.link_count ?? 0, 'link', 'links');

/** In lines as high as the app's, as many as fit the window. */
function drawLinks(list: HTMLElement, links: readonly KnownLink[]): void {
  const { top, width } = list.getBoundingClientRect();
  const { columns, lineHeight, bareLineHeight, gap } = planGrid('grid', width, rootFontSize());
  const item = list.firstElementChild;
  const heights: number[] = [];
  list.replaceChildren();
  for (let at = 0, y = top; at < links.length && y < innerHeight; at += columns) {
    const line = links.slice(at, at + columns);
    const height = line.some(({ description }) => description) ? lineHeight : bareLineHeight;
    heights.push(height);
    y += height + gap;
    for (const link of line) if (item) list.append(fillCard(item.cloneNode(true) as Element, link));
  }
  list.style.cssText = `gap:${gap}px;grid-template-columns:repeat(${columns},minmax(0,1fr));grid-template-rows:${heights.map((height) => `${height}px`).join(' ')}`;
}

function fillCard(card: Element, { title, url, description, created_at }: KnownLink): Element {
  const host = readHost(url);
  const face = card.querySelector<HTMLElement>('[data-hue]');
  if (face) Object.assign(face.dataset, { hue: String(pickHue(host)), letter: host.charAt(0).toUpperCase() });
  // The icon comes with the app.
  face?.replaceChildren();
  const anchor = card.querySelector('a');
  anchor?.setAttribute('href', url);
  anchor?.setAttribute('title', title);
  setText(anchor, title);
  const time = card.querySelector('time');
  setText(time?.previousElementSibling, host);
  setText(time, formatDate(created_at));
  setText(card.querySelector('p[dir]'), description);
  card.querySelector('[data-link-menu]')?.setAttribute('aria-label', `Ações do link ${title}`);
  return card;
}

/** As text, whatever it holds; without any, the element goes. */
function setText(element: Element | null | undefined, text: string | null): void {
  if (text) element?.replaceChildren(text);
  else element?.remove();
}

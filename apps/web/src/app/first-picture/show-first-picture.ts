import { readSidebarCollapsed } from '../../features/shell/model/sidebar-cookie.ts';
import { leaveConfig } from '../../shared/lib/early-config.ts';
import { readPerson } from '../../shared/lib/session/read-person.ts';
import { chooseFirstPicture, chooseWayBack } from './choose-first-picture.ts';
import { fillCategory, type SavedSession } from './fill-category.ts';
import { handOverFirstPicture } from './hand-over-first-picture.ts';

/** What the app's start waits for at most, milliseconds: longer, it is the network that one waits for, not the processor. */
const HOLD_MS = 250;

// Written into the app's page: runs before its first paint, without the app.
try {
  const saved = Object.keys(localStorage).find((key) => /^sb-.*-auth-token$/.test(key));
  const choice = chooseFirstPicture(location, saved !== undefined);
  const template = document.querySelector<HTMLTemplateElement>(
    `template[data-first-picture=${choice?.name}]`,
  );
  const root = document.getElementById('root');
  if (choice && template && root) {
    const picture = document.createElement('div');
    picture.id = 'first-picture';
    picture.className = 'fixed inset-0 z-50 overflow-auto';
    picture.append(template.content.cloneNode(true));
    for (const page of picture.querySelectorAll('[data-page]'))
      if (page.getAttribute('data-page') !== choice.page) page.remove();
    const session = saved === undefined ? null : JSON.parse(localStorage.getItem(saved) ?? '');
    if (session !== null) {
      const { firstName, name } = readPerson(session.user);
      for (const title of picture.querySelectorAll('[data-page="/dashboard"] h1'))
        title.append(firstName || name);
    }
    if (readSidebarCollapsed(document.cookie)) picture.querySelector('[data-sidebar]')?.remove();
    if (!('PublicKeyCredential' in globalThis)) picture.querySelector('[data-passkey]')?.remove();
    const from = chooseWayBack(location);
    const signUp = picture.querySelector('a[href="/signup"]');
    if (from !== null) signUp?.setAttribute('href', `/signup?${new URLSearchParams({ from })}`);
    root.before(picture);
    handOverFirstPicture(picture, root);
    if (session !== null && choice.page === '/category/') holdApp(fill(picture, session));
  }
} catch {
  // No picture, then: the app comes all the same.
}

/**
 * The app starts once the picture's links have been painted (preload-entry-chunks.ts): on a slow processor its start would come
 * between.
 */
function holdApp(filled: Promise<void>): void {
  const painted = filled.then(
    () => new Promise<void>((resolve) => requestAnimationFrame(() => setTimeout(resolve))),
  );
  const late = new Promise<void>((resolve) => setTimeout(resolve, HOLD_MS));
  Object.assign(globalThis, { [Symbol.for('linkoteca.picture')]: Promise.race([painted, late]) });
}

/** The app reads the same settings, and is given them. */
async function fill(picture: HTMLElement, session: SavedSession): Promise<void> {
  const config = fetch('/config.json');
  leaveConfig(config.then((response) => response.clone()));
  await fillCategory(picture, session, async () => (await config).json()).catch(() => undefined);
}

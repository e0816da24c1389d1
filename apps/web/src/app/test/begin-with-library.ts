import { beforeAll, beforeEach, vi } from 'vitest';
import { type FakeLibrary, fakeLibrary } from './fake-library.ts';
import { loadScreens } from './render-app.tsx';

/**
 * Begins each test of a file with an empty library behind the app, and a window 1000 × 800 px: three cards side by side.
 * @param loadMore code that the file's tests need besides the screens and dialogs of the organiser.
 */
export function beginWithLibrary(loadMore: () => Promise<unknown> = async () => undefined): FakeLibrary {
  const library = fakeLibrary();

  beforeAll(async () => {
    await loadScreens();
    await Promise.all([
      import('../organiser/category-page.tsx'),
      import('../organiser/dialogs/organiser-dialog-host.tsx'),
      loadMore(),
    ]);
  }, 60_000);

  beforeEach(() => {
    library.reset();
    vi.stubGlobal('fetch', library.fetch);
    // jsdom lays nothing out; the list of links needs to know how large its window is.
    vi.stubGlobal(
      'ResizeObserver',
      class {
        observe() {}
        unobserve() {}
        disconnect() {}
      },
    );
    vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(800);
    vi.spyOn(Element.prototype, 'clientWidth', 'get').mockReturnValue(900);
    vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(800);
    vi.spyOn(HTMLElement.prototype, 'offsetWidth', 'get').mockReturnValue(900);
  });

  return library;
}

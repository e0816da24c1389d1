import { whenIdle } from '../shared/lib/browser/when-idle.ts';

const load = () => import('../features/updates/model/watch-updates.ts');
const reload = () => window.location.reload();

/** Installs the service worker once the first screen has been painted, and follows new versions of the app from then on. */
export function beginUpdates(): void {
  if (!import.meta.env.PROD) return;
  const watching = new Promise<Awaited<ReturnType<typeof load>>>((resolve, reject) => {
    whenIdle(() => void load().then(resolve, reject));
  });
  watching
    .then(({ createWorker, watchUpdates }) => {
      if ('serviceWorker' in navigator) watchUpdates(createWorker(), reload);
    })
    // It is tried again at the next start; until then the app is as it is without a worker.
    .catch(() => undefined);
  window.addEventListener('vite:preloadError', () => {
    watching.then(({ explainMissingCode }) => explainMissingCode(reload)).catch(() => undefined);
  });
}

import { createElement } from 'react';
import { Workbox } from 'workbox-window';
import { buildId } from '../../../shared/lib/browser/build-id.ts';
import { log } from '../../../shared/lib/log.ts';
import { VersionStrip } from '../components/version-strip.tsx';
import { placeVersionOffer } from './version-offer.ts';

const HOUR_MS = 3_600_000;
/** Coming back to the tab looks too, but not at each glance. */
const GLANCE_MS = 600_000;
/** A worker that was told to take over and does not: the page is loaded anew all the same. */
const TAKEOVER_MS = 3_000;

/**
 * Registers the service worker and offers a new version when one waits. The page is loaded anew only when the person
 * asks for it in this tab; a tab whose version was replaced from another one gets the same offer.
 */
export function watchUpdates(worker: Workbox, reload: () => void): void {
  let taken = false;
  const take = () => {
    taken = true;
    worker.messageSkipWaiting();
    setTimeout(reload, TAKEOVER_MS);
  };
  worker.addEventListener('waiting', () => offerNewVersion(take));
  worker.addEventListener('controlling', ({ isUpdate }) => {
    if (taken) reload();
    else if (isUpdate) offerNewVersion(reload);
    // This page came without the worker: now it gets hold of what the next start without network needs.
    else fetch('/config.json').catch((reason: unknown) => log.debug('no settings to keep', reason));
  });

  let lookedAt = Date.now();
  const look = () => {
    lookedAt = Date.now();
    worker.update().catch((reason: unknown) => log.debug('no look for a new version', reason));
  };
  setInterval(look, HOUR_MS);
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible' && Date.now() - lookedAt > GLANCE_MS) look();
  });
  worker.register().catch((reason: unknown) => log.warn('no service worker', reason));
}

/** The service worker of this origin. */
export function createWorker(): Workbox {
  return new Workbox('/sw.js');
}

/** A script of this build did not arrive: if that is because a newer build replaced it, offers that one. */
export async function explainMissingCode(reload: () => void): Promise<void> {
  if (await isOutdated(buildId())) offerNewVersion(reload);
}

/**
 * Whether the server has another build than the one that runs. False when nobody answers.
 * @param buildId address of the running build's entry script, which the page names.
 */
export async function isOutdated(buildId: string): Promise<boolean> {
  try {
    // The query keeps the service worker from answering with the page it keeps.
    const response = await fetch('/index.html?newest', { cache: 'no-store' });
    const page = await response.text();
    return response.ok && page.includes('type="module"') && !page.includes(new URL(buildId).pathname);
  } catch {
    return false;
  }
}

/** Several reasons for one offer come together (a script that is missing, a worker that waits). */
const SAME_OFFER_MS = 60_000;

let offeredAt = -SAME_OFFER_MS;
let takeLatest = () => {};

/** Offers the new version, quietly and until it is taken or put aside. `take` begins it. */
export function offerNewVersion(take: () => void): void {
  takeLatest = take;
  if (performance.now() - offeredAt < SAME_OFFER_MS) return;
  offeredAt = performance.now();
  const close = () => placeVersionOffer(null);
  const begin = () => {
    close();
    takeLatest();
  };
  placeVersionOffer(createElement(VersionStrip, { onTake: begin, onClose: close }));
}

import { createElement } from 'react';
import { VersionStrip } from '../components/version-strip.tsx';
import { placeVersionOffer } from './version-offer.ts';

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

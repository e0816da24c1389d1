import { useVersionOffer } from '../model/version-offer.ts';

/** Below every page: where a new version is offered. There from the start, so that screen readers hear what comes. */
export function VersionFoot() {
  return (
    <div role="status" className="sticky bottom-0 z-10">
      {useVersionOffer()}
    </div>
  );
}

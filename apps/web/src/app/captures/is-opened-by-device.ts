/**
 * Whether the installed app was opened by the device itself, as its share menu does: in a window of its own, by no page of another
 * site. In a browser's tab any page can lead here, and must not save anything by that.
 */
export function isOpenedByDevice(
  view: Pick<Window, 'matchMedia' | 'opener' | 'document' | 'location'>,
): boolean {
  const { referrer } = view.document;
  const isOwn =
    referrer === '' || referrer.startsWith('android-app:') || referrer.startsWith(`${view.location.origin}/`);
  return view.matchMedia('(display-mode: standalone)').matches && !view.opener && isOwn;
}

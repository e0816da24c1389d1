import { samePageKey } from '@linkoteca/domain/same-address';
import type { Capture } from '../outbox/capture.ts';
import { describeCapture } from './describe-capture.ts';

/** Tabs that one press saves, at most. */
const MOST_TABS = 200;

/** The captures of tabs that show pages of the web, in their order, each page once. */
export function describeTabs(
  tabs: readonly { readonly url?: string | undefined; readonly title?: string | undefined }[],
  createId: () => string = () => crypto.randomUUID(),
): readonly Capture[] {
  const found = new Map<string, Capture>();
  for (const { url, title } of tabs) {
    const capture = url === undefined ? null : describeCapture({ url, title }, createId());
    if (capture === null) continue;
    const key = samePageKey(capture.url);
    if (!found.has(key)) found.set(key, capture);
  }
  return [...found.values()].slice(0, MOST_TABS);
}

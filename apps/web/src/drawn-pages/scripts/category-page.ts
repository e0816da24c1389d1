import { CACHE_MS, REALTIME } from '@linkoteca/domain/limits';
import { createPageCheck } from './create-page-check.ts';
import { followFilterKey } from './follow-filter-key.ts';
import { openTopic } from './open-topic.ts';
import { replaceFailedIcons } from './replace-failed-icons.ts';

/** A change reaches every open page at once: asking again is spread over this time, which revocation can spare. */
const SPREAD_MS = 250;

replaceFailedIcons(document);
followFilterKey(document, () => localStorage);

const { category = '', key = '' } = document.documentElement.dataset;
const check = createPageCheck({
  document,
  request: () =>
    fetch(location.href.replace(/#.*/, ''), { cache: 'no-cache', headers: { accept: 'text/html' } }),
  // The app knows who is asking, and has the words for what it finds.
  leave: () => location.replace(`${location.pathname}?app=1&revoked=1`),
});
const checkIfSeen = () => {
  if (!document.hidden) check();
};
setInterval(checkIfSeen, CACHE_MS.accessPoll);
for (const event of ['visibilitychange', 'pageshow', 'online']) addEventListener(event, checkIfSeen);

openTopic({
  connect: () =>
    new WebSocket(`${location.origin.replace(/^http/, 'ws')}/realtime/v1/websocket?apikey=${key}&vsn=2.0.0`),
  topic: `realtime:shared:${category}`,
  heartbeatMs: REALTIME.heartbeatMs,
  reconnectMs: REALTIME.reconnectMs,
  onChange: () => setTimeout(check, Math.random() * SPREAD_MS),
});

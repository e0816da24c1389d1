import type { Server } from 'node:http';
import { watchRequests } from './watch-requests.ts';

/** What invites people, or asks for the mails to those who were. */
const INVITING =
  /^\/(?:functions\/v1\/share-notification|rest\/v1\/rpc\/(?:save_sharing|queue_share_notifications))(?:\?|$)/;

/** Tells of each request that was answered well and may have put mails into the queue. */
export function watchInvitations(server: Server, onInvitation: () => void): void {
  watchRequests(server, INVITING, onInvitation);
}

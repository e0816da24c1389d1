/** What a page of a received category needs besides those of one's own: one download, where somebody receives one. */
export { AccessPoll } from './access-poll.tsx';
export { CopyAction } from './copy-action.tsx';
export { createSharedPlace } from './create-shared-place.ts';
export { LimitedAccessScreen } from './limited-access-screen.tsx';
export { ReceivedFoldersHost } from './received-folders-host.tsx';
export { SeeCategory } from './see-category.tsx';

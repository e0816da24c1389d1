import type { CopyMessage } from './copy-bus.ts';

/** "I am listening from now on: tell me what I must know." */
export const HELLO: CopyMessage = { kind: 'copy:hello' };
/** The answer. */
export const HERE: CopyMessage = { kind: 'copy:here' };
/** "What I held is no more." */
export const BYE: CopyMessage = { kind: 'copy:bye' };

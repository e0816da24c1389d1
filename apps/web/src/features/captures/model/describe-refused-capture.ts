import {
  describeFullForCapture,
  describeNoRoomForInbox,
  CAPTURE_MESSAGES as TEXT,
} from '@linkoteca/domain/messages/capture-messages';
import { describeFullFolder } from '@linkoteca/domain/messages/folder-sharing-messages';
import type { CaptureRefusal } from './capture.ts';

/** Why a capture waits, and what the person can do. */
export function describeRefusedCapture(refusal: CaptureRefusal): string {
  switch (refusal.kind) {
    case 'link_limit':
      return describeFullForCapture(refusal.max);
    case 'category_limit':
      return describeNoRoomForInbox(refusal.max);
    case 'folder_full':
      return describeFullFolder(refusal.max, 'links');
    case 'category_gone':
      return TEXT.refused.categoryGone;
    case 'signed_out':
      return TEXT.refused.signedOut;
    case 'invalid':
      return refusal.words;
  }
}

import type { NoticeCode } from './page-messages.ts';

/** A form that is refused: what it had begun is undone, and the person reads why. */
export class PageRefusal extends Error {
  override readonly name = 'PageRefusal';
  readonly notice: NoticeCode;
  /** The page that says so, below the session's address. */
  readonly step: string;

  constructor(notice: NoticeCode, step = '/home') {
    super(notice);
    this.notice = notice;
    this.step = step;
  }
}

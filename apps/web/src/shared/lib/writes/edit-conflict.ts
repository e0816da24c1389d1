/** An edit was made against a row that has changed elsewhere since. */
export class EditConflict<Row> extends Error {
  override readonly name = 'EditConflict';
  /** The row as it is now. */
  readonly current: Row;

  constructor(current: Row) {
    super('the row changed elsewhere');
    this.current = current;
  }
}

/** The row that was edited is not there any more. */
export class RowGone extends Error {
  override readonly name = 'RowGone';
}

/** The row changed elsewhere or is gone, and it could not be read which. */
export class RowUnread extends Error {
  override readonly name = 'RowUnread';
}

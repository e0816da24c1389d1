import type { Caller } from '../kernel/caller-context.ts';
import {
  type Database,
  queryAsCaller,
  type Row,
  type Rows,
  type Statement,
  type Transaction,
} from '../kernel/database.ts';

/**
 * The library of whoever asks, as far as their token goes: each statement runs as that person, and policies decide. What programs do with
 * it is written once, in the files beside this one, whichever protocol they speak.
 */
export type Library = {
  /** A statement that must not change anything. @throws pg.DatabaseError */
  read<T extends Row>(statement: Statement): Promise<Rows<T>>;
  /** @throws pg.DatabaseError */
  write<T extends Row>(statement: Statement): Promise<Rows<T>>;
};

/**
 * Each statement by itself.
 * @param act what statements that write are a part of, so that the person undoes them as one; left out, each is an act of its own
 */
export function openLibrary(db: Database, caller: Caller, act?: string): Library {
  return {
    read: (statement) => queryAsCaller(db, caller, statement, { readOnly: true }),
    write: (statement) => queryAsCaller(db, caller, statement, { act }),
  };
}

/** Statements of one transaction, which was opened for the caller. */
export function libraryWithin(tx: Transaction): Library {
  return { read: (statement) => tx.query(statement), write: (statement) => tx.query(statement) };
}

import type { Caller } from '../kernel/caller-context.ts';
import {
  asCaller,
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
  /** Statements that hold together, or not at all. @throws whatever `run` throws; nothing of it stays then */
  inTransaction<T>(run: (library: Library) => Promise<T>): Promise<T>;
};

/**
 * Each statement by itself, but for what runs in a transaction.
 * @param act what statements that write are a part of, so that the person undoes them as one; left out, each is an act of its own
 */
export function openLibrary(db: Database, caller: Caller, act?: string): Library {
  return {
    read: (statement) => queryAsCaller(db, caller, statement, { readOnly: true }),
    write: (statement) => queryAsCaller(db, caller, statement, { act }),
    inTransaction: (run) => asCaller(db, caller, (tx) => run(libraryWithin(tx)), { act }),
  };
}

/** Statements of one transaction, which was opened for the caller. */
export function libraryWithin(tx: Transaction): Library {
  const library: Library = {
    read: (statement) => tx.query(statement),
    write: (statement) => tx.query(statement),
    inTransaction: (run) => run(library),
  };
  return library;
}

import type { Client } from 'pg';
import { type Pgoutput, PgoutputPlugin } from 'pg-logical-replication';
import { FeedSetupError } from './change-feed.ts';

export type SlotPluginOptions = {
  /** Those that do not exist are left out: pgoutput would fail at the first change. */
  readonly publications: readonly string[];
  /** Told of a message that cannot be read. The package would throw it where nobody can catch it. */
  readonly onUnreadable: (error: Error) => void;
  /** Whether the session was closed before it came this far. */
  readonly isClosed: () => boolean;
};

/** The parts of pg's wire connection that end a stream, in order or not. */
type WireConnection = { endCopyFrom(): void; readonly stream: { destroy(): void } };

const VERSION = 1;
/**
 * A limit of the role's own must not end a wait that is in order, and the form of values must not hang on the habits of the
 * role or the database.
 */
const SESSION = `set lock_timeout = 0; set statement_timeout = 0; set timezone = 'UTC'; set datestyle = 'ISO, MDY';
  set intervalstyle = 'postgres'; set bytea_output = 'hex'; set extra_float_digits = 1`;
/** Says nothing; stands for a message that could not be read. */
const NOTHING: Pgoutput.MessageOrigin = { tag: 'origin', originLsn: null, originName: '' };

/**
 * Makes the slot on the very connection that reads from it: a temporary one ends with its connection, so that no reader
 * that is gone can make Postgres keep its log (protocol documentation of Postgres, "Streaming Replication Protocol").
 */
export class TemporarySlotPlugin extends PgoutputPlugin {
  readonly #wanted: SlotPluginOptions;
  #connection: WireConnection | undefined;

  constructor(wanted: SlotPluginOptions) {
    super({ protoVersion: VERSION, publicationNames: [], messages: true });
    this.#wanted = wanted;
  }

  /** @throws FeedSetupError when the database is not set up for it, else the driver's error. */
  override async start(client: Client, slotName: string, lastLsn: string): Promise<unknown> {
    if (this.#wanted.isClosed()) throw new Error('closed before it was open');
    this.#connection = (client as unknown as { connection: WireConnection }).connection;
    this.options.publicationNames = await findPublications(client, this.#wanted.publications);
    await client.query(`CREATE_REPLICATION_SLOT "${slotName}" TEMPORARY LOGICAL pgoutput NOEXPORT_SNAPSHOT`);
    return super.start(client, slotName, lastLsn);
  }

  /** Asks Postgres to end the stream, after which `start` resolves. */
  endStream(): void {
    this.#connection?.endCopyFrom();
  }

  /** Does not wait for a Postgres that has stopped answering. */
  cutConnection(): void {
    this.#connection?.stream.destroy();
  }

  override parse(buffer: Buffer): Pgoutput.Message {
    try {
      const message = super.parse(buffer);
      // Values stay as Postgres wrote them: who needs them typed knows better which types.
      if (message.tag === 'relation') for (const column of message.columns) column.parser = keepText;
      return message;
    } catch (error) {
      this.#wanted.onUnreadable(error instanceof Error ? error : new Error(String(error)));
      return NOTHING;
    }
  }
}

function keepText(text: string): string {
  return text;
}

async function findPublications(client: Client, wanted: readonly string[]): Promise<string[]> {
  const names = wanted.map((name) => client.escapeLiteral(name)).join(', ');
  await client.query(SESSION);
  const { rows } = await client.query<{ level: string; found: string[] }>(
    `select current_setting('wal_level') as level,
       array(select pubname::text from pg_publication where pubname in (${names}) order by pubname) as found`,
  );
  const { level = '', found = [] } = rows[0] ?? {};
  if (level !== 'logical') throw new FeedSetupError('wal_level', `wal_level is ${level}`);
  if (found.length === 0) throw new FeedSetupError('publication', `none of the publications ${names} exists`);
  return found;
}

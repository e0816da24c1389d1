import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { DataStore, ERRORS, Upload } from '@tus/server';
import { toBlobKey } from '../blobs/blob-store.ts';
import { readOwner, type StorageCall } from '../open-call.ts';
import {
  appendPart,
  findUpload,
  insertUpload,
  type NewUpload,
  type ResumableUpload,
  removeUpload,
  sumUnfinished,
} from '../records/resumable-uploads.ts';
import { writeObject } from '../records/write-object.ts';
import { forgetBlobs, type StorageDeps } from '../storage-deps.ts';
import { storageError } from '../storage-error.ts';
import { findFileRules } from '../transfer/file-rules.ts';
import type { FileAddress } from '../transfer/media-type.ts';
import { closeUpload, finishUpload } from './finish-upload.ts';
import { type BodySource, splitBody } from './split-body.ts';
import { readUploadAddress, readUploadNotes } from './upload-notes.ts';

/** The platform's: after a day what was not finished is thrown away. */
export const UPLOAD_LIFETIME_MS = 86_400_000;
/** Bytes: whatever is killed, no more than this has to be sent again. */
const PART_BYTES = 8 * 1024 * 1024;
const MOST_PARTS = 1000;
const MOST_UNFINISHED = 100;

/** Who speaks in a request about a file. @throws StorageError when nobody may. */
export type OpenUpload = (address: FileAddress) => {
  readonly call: StorageCall;
  /** Whether a file of the name may be written over. */
  readonly upsert: boolean;
};

/**
 * Where the protocol's library keeps uploads: what is known of them in the database, so that every copy of the server knows it, their
 * bytes in the store of all files, a part at a time. One instance speaks for one request.
 */
export class UploadStore extends DataStore {
  override extensions = ['creation', 'creation-with-upload', 'termination', 'expiration'];
  readonly #deps: StorageDeps;
  readonly #open: OpenUpload;

  constructor(deps: StorageDeps, open: OpenUpload) {
    super();
    this.#deps = deps;
    this.#open = open;
  }

  override getExpiration(): number {
    return UPLOAD_LIFETIME_MS;
  }

  /** @throws StorageError when the caller may not write the file, it is too large or of a type that the bucket does not take. */
  override async create(upload: Upload): Promise<Upload> {
    const { id, size: length = 0, metadata = {} } = upload;
    const { bucket, name } = readUploadAddress(metadata);
    const { call, upsert } = this.#open({ bucket, name });
    const rules = await findFileRules(this.#deps, { bucket, name });
    if (length > rules.maxBytes) throw storageError.tooLarge();
    rules.requireMediaType(readUploadNotes(metadata).mimeType);
    const owner = readOwner(call.caller);
    const begun: NewUpload = {
      ...{ id, name, upsert, metadata, bucket_id: bucket, upload_length: length },
      ...{ role: call.caller.role, owner_id: owner },
    };
    await this.#rehearse(call, begun);
    await insertUpload(this.#deps.db, begun);
    if (length === 0) await finishUpload(this.#deps, call, await this.#require(id));
    return upload;
  }

  /** An upload whose last byte came when the server was killed is finished now: whoever asks for it is told the truth. */
  override async getUpload(id: string): Promise<Upload> {
    const found = await this.#require(id);
    const { call } = this.#speak(found);
    const isWhole = found.upload_offset === found.upload_length;
    if (found.completed_at === null && found.is_recorded) await closeUpload(this.#deps, found);
    else if (found.completed_at === null && isWhole) await finishUpload(this.#deps, call, found);
    return new Upload({
      id,
      size: found.upload_length,
      offset: found.is_recorded ? found.upload_length : found.upload_offset,
      metadata: { ...found.metadata },
      creation_date: found.created_at.toISOString(),
    });
  }

  /**
   * Keeps what comes, and what came of a body that broke off.
   * @returns how many bytes are kept by now.
   * @throws ERRORS.INVALID_OFFSET when another copy of the server has gone on with the upload; StorageError when the caller may not.
   */
  override async write(body: Readable, id: string, offset: number): Promise<number> {
    const upload = await this.#require(id);
    const { call } = this.#speak(upload);
    if (upload.completed_at !== null) return upload.upload_length;
    await this.#rehearse(call, upload);
    const source = splitBody(body);
    const kept = await this.#keepParts(source, upload, offset);
    if (source.failure !== undefined) throw source.failure;
    if (kept === upload.upload_length) await finishUpload(this.#deps, call, upload);
    return kept;
  }

  /** @throws ERRORS.INVALID_TERMINATION when the upload has become a file. */
  override async remove(id: string): Promise<void> {
    const found = await this.#require(id);
    this.#speak(found);
    if (found.completed_at !== null || found.is_recorded) throw ERRORS.INVALID_TERMINATION;
    for (const { bucket_id: bucket, parts } of await removeUpload(this.#deps.db, id))
      await forgetBlobs(
        this.#deps,
        parts.map((part) => toBlobKey(bucket, part)),
      );
  }

  async #require(id: string): Promise<ResumableUpload> {
    const found = await findUpload(this.#deps.db, id);
    if (!found) throw ERRORS.FILE_NOT_FOUND;
    return found;
  }

  /** Whoever did not begin an upload is told that there is none, whatever the address. */
  #speak({ bucket_id: bucket, name, role, owner_id: owner }: ResumableUpload): ReturnType<OpenUpload> {
    const opened = this.#open({ bucket, name });
    const { caller } = opened.call;
    if (caller.role !== role || readOwner(caller) !== owner) throw ERRORS.FILE_NOT_FOUND;
    return opened;
  }

  /**
   * Asks the caller's policies before bytes are kept. What the person's other uploads hold counts as if it were in this file: nobody
   * fills the disk with what they never finish.
   */
  async #rehearse(call: StorageCall, upload: NewUpload): Promise<void> {
    const { id, bucket_id: bucket, name, upsert, owner_id: owner, upload_length: length } = upload;
    const others = owner === null ? { count: 0, bytes: 0 } : await sumUnfinished(this.#deps.db, owner, id);
    if (others.count >= MOST_UNFINISHED) throw storageError.slowDown('Too many unfinished uploads');
    const { userMetadata } = readUploadNotes(upload.metadata);
    const metadata = { size: length + others.bytes };
    const wish = { bucket, name, owner, upsert, version: id, metadata, userMetadata };
    await call.rehearse((tx) => writeObject(tx, wish));
  }

  async #keepParts(source: BodySource, upload: ResumableUpload, offset: number): Promise<number> {
    const { upload_length: length, parts } = upload;
    let kept = offset;
    for (let count = parts.length; await source.hasMore(); count += 1) {
      if (count >= MOST_PARTS) throw storageError.tooManyParts();
      kept += await this.#keepPart(source, upload, { offset: kept, length });
    }
    return kept;
  }

  /** @returns its length in bytes. */
  async #keepPart(
    source: BodySource,
    { id, bucket_id: bucket }: ResumableUpload,
    { offset, length }: { readonly offset: number; readonly length: number },
  ): Promise<number> {
    const version = randomUUID();
    const key = toBlobKey(bucket, version);
    const body = Readable.from(source.take(PART_BYTES));
    const { size } = await this.#deps.blobs.write(key, body, { maxBytes: length - offset });
    // The last bytes of a body that broke off are asked for again: it may have been longer than it said.
    const isDoubtful = source.failure !== undefined && offset + size === length;
    if (!isDoubtful && (await appendPart(this.#deps.db, { id, offset, version, size }))) return size;
    await forgetBlobs(this.#deps, [key]);
    throw isDoubtful ? source.failure : ERRORS.INVALID_OFFSET;
  }
}

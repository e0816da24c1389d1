import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { PassThrough, type Readable } from 'node:stream';
import { Busboy, type BusboyHeaders } from '@fastify/busboy';
import { type StorageError, storageError } from '../storage-error.ts';
import { DEFAULT_CACHE_CONTROL, isHeaderText } from './build-file-headers.ts';
import { requireMediaType } from './media-type.ts';

export type UserMetadata = Readonly<Record<string, unknown>>;

/** What a client says about the file it sends. */
export type UploadNotes = {
  readonly mimeType: string;
  /** The value of the header with which the file is given out. */
  readonly cacheControl: string;
  /** How the bytes are packed already (`gzip`), if they are. */
  readonly contentEncoding: string | undefined;
  readonly userMetadata: UserMetadata | null;
};

export type IncomingUpload = {
  readonly body: Readable;
  readonly mimeType: string;
  /** Everything, also what came behind the file: ask when the body has been read. */
  readNotes(): Promise<UploadNotes>;
};

/**
 * Opens the file that a request brings: as its body, or as a part of a form.
 * @throws StorageError for a form that cannot be read or has no file, and a content type that is none.
 */
export async function readUpload(raw: IncomingMessage): Promise<IncomingUpload> {
  const isForm = /^multipart\/form-data/i.test(raw.headers['content-type'] ?? '');
  return isForm ? fromForm(await readForm(raw)) : fromBody(raw);
}

function fromBody(raw: IncomingMessage): IncomingUpload {
  const { headers } = raw;
  const notes: UploadNotes = {
    mimeType: requireMediaType(headers['content-type']),
    cacheControl: requireHeaderText('cache-control', headers['cache-control']) ?? DEFAULT_CACHE_CONTROL,
    contentEncoding: requireHeaderText('content-encoding', headers['content-encoding']),
    userMetadata: readMetadataHeader(headers),
  };
  return { body: detachBody(raw), mimeType: notes.mimeType, readNotes: async () => notes };
}

function fromForm({ file, mimeType: partType, fields, finished }: UploadedForm): IncomingUpload {
  const mimeType = requireMediaType(fields.get('contentType') || partType);
  return {
    body: file,
    mimeType,
    async readNotes() {
      await finished;
      const maxAge = fields.get('cacheControl');
      return {
        mimeType,
        cacheControl:
          requireHeaderText('cacheControl', maxAge && `max-age=${maxAge}`) ?? DEFAULT_CACHE_CONTROL,
        contentEncoding: requireHeaderText('contentEncoding', fields.get('contentEncoding')),
        userMetadata: readUserMetadata(fields.get('metadata') ?? fields.get('userMetadata')),
      };
    },
  };
}

/** What a client says and a header repeats; undefined where it says nothing. @throws StorageError for what no header can hold. */
export function requireHeaderText(
  name: string,
  value: string | undefined,
  most?: number,
): string | undefined {
  if (value === undefined || value === '') return undefined;
  if (!isHeaderText(value, most)) throw storageError.invalidParameter(name);
  return value;
}

/** What a client notes of a file in `x-metadata`: JSON in Base64. */
export function readMetadataHeader({ 'x-metadata': value }: IncomingHttpHeaders): UserMetadata | null {
  return readUserMetadata(
    typeof value === 'string' ? Buffer.from(value, 'base64').toString('utf8') : undefined,
  );
}

/** As on the platform, what is no JSON object counts as nothing. */
export function readUserMetadata(json: string | undefined): UserMetadata | null {
  try {
    const value: unknown = JSON.parse(json ?? 'null');
    return typeof value === 'object' && !Array.isArray(value)
      ? (value as Record<string, unknown> | null)
      : null;
  } catch {
    return null;
  }
}

/**
 * A request's body as a stream of its own: whoever stops reading it early does not close the connection on which the answer goes.
 * It fails when the sender goes away before the end.
 */
export function detachBody(raw: IncomingMessage): Readable {
  const body = new PassThrough();
  // It may fail before anybody reads it.
  body.on('error', () => undefined);
  raw.once('close', () => {
    if (!raw.complete) body.destroy(storageError.invalidRequest('The request was aborted'));
  });
  raw.pipe(body);
  return body;
}

export type UploadedForm = {
  readonly file: Readable;
  /** The file's own name, without folders, where the form says it. */
  readonly fileName: string | undefined;
  /** The file part's own, in lower case and without parameters. */
  readonly mimeType: string;
  /** Filled while the form arrives: complete once `finished` resolves. */
  readonly fields: ReadonlyMap<string, string>;
  /** Resolves when the file has been read and what came behind it, too. */
  readonly finished: Promise<void>;
};

/** A file needs a handful of fields; the platform's own limits. */
const LIMITS = { files: 1, fields: 10, fieldSize: 1_048_576, fieldNameSize: 100, headerPairs: 20 };

/**
 * Takes a form apart up to its file (official clients put it last, under the empty name), which then comes as the network brings it.
 * @throws StorageError for what is no form, and one without a file. A form that breaks off is an error of `file` and of `finished`.
 */
export function readForm(raw: IncomingMessage, limits: Partial<typeof LIMITS> = {}): Promise<UploadedForm> {
  const fields = new Map<string, string>();
  const opened = Promise.withResolvers<UploadedForm>();
  const finished = Promise.withResolvers<void>();
  // Whoever is refused before the end does not ask for it any more.
  finished.promise.catch(() => undefined);
  let file: Readable | undefined;

  const fail = (error: StorageError) => {
    raw.unpipe(form);
    opened.reject(error);
    finished.reject(error);
    file?.destroy(error);
  };
  const form = openForm(raw, limits);
  form.on('field', (name, value, _isNameCut, isValueCut) => {
    if (isValueCut)
      fail(storageError.tooLarge(`The field ${name.slice(0, 50)} exceeded the maximum allowed size`));
    else fields.set(name, value);
  });
  form.on('file', (_name, stream, fileName: string | undefined, _encoding, mimeType) => {
    file = stream;
    stream.on('error', (cause: Error) => fail(storageError.invalidRequest('The form is incomplete', cause)));
    opened.resolve({ file: stream, fileName, mimeType, fields, finished: finished.promise });
  });
  form.on('fieldsLimit', () => fail(storageError.invalidRequest('The form has too many fields')));
  form.on('error', (cause) => fail(storageError.invalidRequest('The form cannot be read', cause as Error)));
  form.on('finish', () => {
    opened.reject(storageError.noContent());
    finished.resolve();
  });
  raw.once('close', () => {
    if (!raw.complete) fail(storageError.invalidRequest('The request was aborted'));
  });
  raw.pipe(form);
  return opened.promise;
}

function openForm({ headers }: IncomingMessage, limits: Partial<typeof LIMITS>) {
  try {
    return new Busboy({ headers: headers as BusboyHeaders, limits: { ...LIMITS, ...limits } });
  } catch (cause) {
    throw storageError.invalidRequest('The form cannot be read', cause);
  }
}

import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { storageError } from '../storage-error.ts';
import { DEFAULT_CACHE_CONTROL, isHeaderText } from './build-file-headers.ts';
import { detachBody } from './detach-body.ts';
import { requireMediaType } from './media-type.ts';
import { readForm, type UploadedForm } from './read-form.ts';

/** What a client says about the file it sends. */
export type UploadNotes = {
  readonly mimeType: string;
  /** The value of the header with which the file is given out. */
  readonly cacheControl: string;
  /** How the bytes are packed already (`gzip`), if they are. */
  readonly contentEncoding: string | undefined;
  readonly userMetadata: Readonly<Record<string, unknown>> | null;
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
    userMetadata: readUserMetadata(decodeBase64(headers['x-metadata'])),
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
export function requireHeaderText(name: string, value: string | undefined): string | undefined {
  if (value === undefined || value === '') return undefined;
  if (!isHeaderText(value)) throw storageError.invalidParameter(name);
  return value;
}

function decodeBase64(value: string | readonly string[] | undefined): string | undefined {
  return typeof value === 'string' ? Buffer.from(value, 'base64').toString('utf8') : undefined;
}

/** As on the platform, what is no JSON object counts as nothing. */
function readUserMetadata(json: string | undefined): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(json ?? 'null');
    return typeof value === 'object' && !Array.isArray(value)
      ? (value as Record<string, unknown> | null)
      : null;
  } catch {
    return null;
  }
}

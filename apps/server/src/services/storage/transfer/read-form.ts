import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { Busboy, type BusboyHeaders } from '@fastify/busboy';
import { type StorageError, storageError } from '../storage-error.ts';

export type UploadedForm = {
  readonly file: Readable;
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
export function readForm(raw: IncomingMessage): Promise<UploadedForm> {
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
  const form = openForm(raw);
  form.on('field', (name, value, _isNameCut, isValueCut) => {
    if (isValueCut)
      fail(storageError.tooLarge(`The field ${name.slice(0, 50)} exceeded the maximum allowed size`));
    else fields.set(name, value);
  });
  form.on('file', (_name, stream, _fileName, _encoding, mimeType) => {
    file = stream;
    stream.on('error', (cause: Error) => fail(storageError.invalidRequest('The form is incomplete', cause)));
    opened.resolve({ file: stream, mimeType, fields, finished: finished.promise });
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

function openForm({ headers }: IncomingMessage) {
  try {
    return new Busboy({ headers: headers as BusboyHeaders, limits: LIMITS });
  } catch (cause) {
    throw storageError.invalidRequest('The form cannot be read', cause);
  }
}

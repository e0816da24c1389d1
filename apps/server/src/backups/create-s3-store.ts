import { createHash } from 'node:crypto';
import { BackupError } from '@linkoteca/backup/backup-error';
import type { S3Settings } from '../kernel/settings.ts';
import { BlobMissingError } from '../services/storage/blobs/blob-store.ts';
import { type AskS3, openS3, parseS3List } from '../services/storage/blobs/s3.ts';
import type { BackupStore } from './backup-store.ts';

/** Beside `linkoteca/`, where files lie: the sweep of files never comes here. */
const PREFIX = 'linkoteca-backups/';
/** Kept in memory while it travels. Ten thousand parts, as many as there may be, hold 156 GiB. */
const PART_BYTES = 16 * 1024 * 1024;
/** Of an upload the storage tells when it began, and not whether parts still come. */
const LONGEST_UPLOAD_MS = 86_400_000;

/** Backups in the object storage of `S3_*`, sent in parts while they are made. */
export function createS3BackupStore(settings: S3Settings, folder: string): BackupStore {
  const ask = openS3(settings);
  const prefix = `${PREFIX}${folder === '' || folder.endsWith('/') ? folder : `${folder}/`}`;
  const toPath = (name: string) => `${prefix}${name}`.split('/').map(encodeURIComponent).join('/');

  return {
    label: `s3:${prefix.slice(PREFIX.length)}`,

    async write(name, bytes) {
      const path = toPath(name);
      if (await exists(ask, path)) throw new BackupError(`s3:${name} já existe: escolha outro nome.`);
      const opened = await (await ask('POST', `${path}?uploads`)).text();
      const upload = encodeURIComponent(readTag(opened, 'UploadId'));
      try {
        const { size, parts } = await sendParts(ask, `${path}?uploadId=${upload}`, bytes);
        const list = parts.map(
          (tag, at) => `<Part><PartNumber>${at + 1}</PartNumber><ETag>${tag}</ETag></Part>`,
        );
        const body = Buffer.from(`<CompleteMultipartUpload>${list.join('')}</CompleteMultipartUpload>`);
        const answer = await (
          await ask('POST', `${path}?uploadId=${upload}`, { body, headers: sumUp(body) })
        ).text();
        // Like a copy, it may say "200" first and fail afterwards.
        if (answer.includes('<Error>')) throw new Error('object storage could not put the parts together');
        return size;
      } catch (error) {
        await ask('DELETE', `${path}?uploadId=${upload}`).catch(() => undefined);
        throw error;
      }
    },

    async *read(name) {
      try {
        const { body } = await ask('GET', toPath(name));
        for await (const piece of body ?? []) yield Buffer.from(piece);
      } catch (error) {
        if (error instanceof BlobMissingError)
          throw new BackupError(`s3:${name} não existe em ${PREFIX} do armazenamento de objetos.`, {
            cause: error,
          });
        throw error;
      }
    },

    async list() {
      const names: string[] = [];
      for (let token: string | undefined, isMore = true; isMore; ) {
        const query = new URLSearchParams({ 'list-type': '2', prefix });
        if (token !== undefined) query.set('continuation-token', token);
        const page = parseS3List(await (await ask('GET', `?${query}`)).text());
        names.push(
          ...page.objects.map(({ key }) => key.slice(prefix.length)).filter((name) => !name.includes('/')),
        );
        token = page.nextToken;
        isMore = token !== undefined;
      }
      return names;
    },

    async remove(name) {
      await ask('DELETE', toPath(name));
    },

    async removeUnfinished(before) {
      const answer = await (await ask('GET', `?${new URLSearchParams({ uploads: '', prefix })}`)).text();
      for (const [, upload = ''] of answer.matchAll(/<Upload>(.*?)<\/Upload>/gs)) {
        const longestEnd = new Date(readTag(upload, 'Initiated')).getTime() + LONGEST_UPLOAD_MS;
        if (longestEnd >= before.getTime()) continue;
        const [key, id] = [readTag(upload, 'Key'), readTag(upload, 'UploadId')];
        await ask('DELETE', `${toPath(key.slice(prefix.length))}?uploadId=${encodeURIComponent(id)}`);
      }
    },

    freeBytes: async () => undefined,
  };
}

async function exists(ask: AskS3, path: string): Promise<boolean> {
  try {
    await ask('HEAD', path);
    return true;
  } catch (error) {
    if (error instanceof BlobMissingError) return false;
    throw error;
  }
}

async function sendParts(ask: AskS3, path: string, bytes: AsyncIterable<Buffer>) {
  const parts: string[] = [];
  let waiting: Buffer[] = [];
  let [size, waitingBytes] = [0, 0];
  const send = async () => {
    const body = Buffer.concat(waiting);
    const answer = await ask('PUT', `${path}&partNumber=${parts.length + 1}`, { body, headers: sumUp(body) });
    await answer.arrayBuffer();
    parts.push(answer.headers.get('etag') ?? '');
    [waiting, waitingBytes] = [[], 0];
  };
  for await (const piece of bytes) {
    waiting.push(piece);
    waitingBytes += piece.length;
    size += piece.length;
    if (waitingBytes >= PART_BYTES) await send();
  }
  if (waitingBytes > 0 || parts.length === 0) await send();
  return { size, parts };
}

/** The storage takes nothing that was altered on its way. */
function sumUp(body: Buffer): Record<string, string> {
  return {
    'content-md5': createHash('md5').update(body).digest('base64'),
    'x-amz-content-sha256': createHash('sha256').update(body).digest('hex'),
  };
}

function readTag(xml: string, name: string): string {
  const text = new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1] ?? '';
  return text
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}

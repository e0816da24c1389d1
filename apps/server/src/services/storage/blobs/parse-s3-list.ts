import { Parser } from 'htmlparser2';
import type { ListedBlob } from './blob-store.ts';

export type S3ListPage = { readonly objects: readonly ListedBlob[]; readonly nextToken: string | undefined };

/** Reads an answer to ListObjectsV2 (Amazon S3 API reference). */
export function parseS3List(xml: string): S3ListPage {
  const objects: ListedBlob[] = [];
  const page: Record<string, string> = {};
  let object: Record<string, string> | undefined;
  let text = '';
  const parser = new Parser(
    {
      onopentagname(name) {
        text = '';
        if (name === 'Contents') object = {};
      },
      ontext(piece) {
        text += piece;
      },
      onclosetag(name) {
        if (name === 'Contents' && object) {
          const { Key: key = '', LastModified: modified = '' } = object;
          objects.push({ key, modifiedAt: new Date(modified) });
          object = undefined;
        } else (object ?? page)[name] = text;
        text = '';
      },
    },
    { xmlMode: true },
  );
  parser.end(xml);
  const isCut = page['IsTruncated'] === 'true';
  return { objects, nextToken: isCut ? page['NextContinuationToken'] : undefined };
}

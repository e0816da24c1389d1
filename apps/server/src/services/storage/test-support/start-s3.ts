import { AwsClient } from 'aws4fetch';
import { PROJECT_REF } from '../s3/authorize.ts';
import { type FilesBench, type Person, startFiles } from './start-files.ts';

/** The operator's. */
export const S3_KEYS = {
  accessKeyId: 'operador',
  secretAccessKey: 'um segredo para os testes, bem comprido',
};

export type S3Init = {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
};

export type S3Bench = {
  readonly bench: FilesBench;
  /** Two people, each with a folder of the own in `gavetas`. */
  readonly ana: Person;
  readonly bia: Person;
  toUrl(path: string): string;
  asOperator(path: string, init?: S3Init): Promise<Response>;
  as(person: Person, path: string, init?: S3Init): Promise<Response>;
};

/** The storage service with the operator's key to the S3 protocol. */
export async function startS3(): Promise<S3Bench> {
  const bench = await startFiles({ s3Keys: S3_KEYS });
  await bench.database.admin.query(`
    insert into storage.buckets (id, name) values ('gavetas', 'gavetas');
    create policy own_drawers on storage.objects for all to authenticated
      using (bucket_id = 'gavetas' and (storage.foldername(name))[1] = auth.uid()::text)
      with check (bucket_id = 'gavetas' and (storage.foldername(name))[1] = auth.uid()::text)`);
  const toUrl = (path: string) => `http://127.0.0.1:${bench.port}/storage/v1/s3${path}`;
  return {
    bench,
    ana: await bench.createPerson(),
    bia: await bench.createPerson(),
    toUrl,
    asOperator: (path, init) => sendS3(openS3Client(S3_KEYS), toUrl(path), init),
    as: ({ token }, path, init) => {
      const session = {
        accessKeyId: PROJECT_REF,
        secretAccessKey: bench.keyring.anonKey,
        sessionToken: token,
      };
      return sendS3(openS3Client(session), toUrl(path), init);
    },
  };
}

export function openS3Client(credentials: {
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken?: string;
}): AwsClient {
  return new AwsClient({ ...credentials, service: 's3', region: 'sa-east-1', retries: 0 });
}

export function sendS3(client: AwsClient, url: string, { body, ...init }: S3Init = {}): Promise<Response> {
  return client.fetch(url, { ...init, ...(body === undefined ? {} : { body: body as BodyInit }) });
}

export function put(body: string | Buffer, headers: Readonly<Record<string, string>> = {}): S3Init {
  return { method: 'PUT', body, headers };
}

/** The status of a refusal, and its code. */
export async function codeOf(answer: Response): Promise<readonly [number, string | undefined]> {
  return [answer.status, /<Code>(\w+)<\/Code>/.exec(await answer.text())?.[1]];
}

/** The texts of all elements of a name. */
export function readTags(xml: string, tag: string): readonly (string | undefined)[] {
  return [...xml.matchAll(new RegExp(`<${tag}>([^<]*)</${tag}>`, 'g'))].map(([, text]) => text);
}

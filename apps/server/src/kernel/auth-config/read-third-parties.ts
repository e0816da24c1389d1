import type { ThirdPartyIssuer } from '../third-party/third-party-issuers.ts';
import { type Environment, given, readPath, type Table, variableOf } from './read-key.ts';

export type ReadThirdParties = {
  readonly issuers: readonly ThirdPartyIssuer[];
  readonly faults: readonly string[];
};

type Field = {
  readonly key: string;
  readonly form: RegExp;
  readonly what: string;
  readonly isOptional?: true;
};
type ThirdParty = {
  readonly name: string;
  readonly fields: readonly Field[];
  /** By the texts of the fields, in their order. */
  readonly describe: (...texts: readonly string[]) => ThirdPartyIssuer;
};

const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i;

/** Each with the issuer that its tokens name. (Source: the platform's config.toml reference and its guides to third-party auth.) */
const THIRD_PARTIES: readonly ThirdParty[] = [
  {
    name: 'firebase',
    fields: [{ key: 'project_id', form: LABEL, what: 'o id de um projeto' }],
    // All projects share Google's keys: the audience tells them apart, too (Firebase, "Verify ID tokens").
    describe: (project = '') => ({ issuer: `https://securetoken.google.com/${project}`, audience: project }),
  },
  {
    name: 'auth0',
    fields: [
      { key: 'tenant', form: LABEL, what: 'o nome de um tenant' },
      { key: 'tenant_region', form: LABEL, what: 'uma região como us ou eu', isOptional: true },
    ],
    describe: (tenant = '', region = '') => ({
      issuer: `https://${[tenant, region].filter(Boolean).join('.')}.auth0.com/`,
    }),
  },
  {
    name: 'aws_cognito',
    fields: [
      {
        key: 'user_pool_id',
        form: /^[\w-]{1,55}_[A-Za-z0-9]{1,55}$/,
        what: 'o id de um grupo de usuários',
      },
      { key: 'user_pool_region', form: LABEL, what: 'uma região, em minúsculas' },
    ],
    describe: (pool = '', region = '') => ({ issuer: `https://cognito-idp.${region}.amazonaws.com/${pool}` }),
  },
  {
    name: 'clerk',
    fields: [
      {
        key: 'domain',
        form: /^(?:clerk(?:\.[a-z0-9-]+){2,}|(?:[a-z0-9-]+\.)+clerk\.accounts\.dev)$/,
        what: 'o domínio da instância, sem https://',
      },
    ],
    describe: (domain = '') => ({ issuer: `https://${domain}` }),
  },
  {
    name: 'workos',
    fields: [
      {
        key: 'issuer_url',
        form: /^(?:https:\/\/[^\s/?#@]+|http:\/\/(?:127\.0\.0\.1|localhost)(?::\d+)?)(?:\/[^\s?#]*)?$/,
        what: 'um endereço https:// (http:// só neste computador)',
      },
    ],
    describe: (url = '') => ({ issuer: url }),
  },
];

/** Whose tokens are accepted beside our own: `[auth.third_party.*]` of the file, over it the variables of the platform's command line. */
export function readThirdParties(file: Table, environment: Environment): ReadThirdParties {
  const faults: string[] = [];
  const issuers: ThirdPartyIssuer[] = [];
  for (const { name, fields, describe } of THIRD_PARTIES) {
    const place = `auth.third_party.${name}`;
    const read = (key: string) =>
      given(environment, variableOf(`${place}.${key}`)) ?? readPath(file, `${place}.${key}`, environment);
    const enabled = read('enabled') ?? 'false';
    if (enabled !== 'true' && enabled !== 'false') faults.push(`${place}.enabled deve ser true ou false`);
    if (enabled !== 'true') continue;
    const texts = fields.map(({ key }) => read(key) ?? '');
    const wrong = fields.filter(
      ({ form, isOptional }, at) => !(isOptional && texts[at] === '') && !form.test(texts[at] ?? ''),
    );
    for (const { key, what } of wrong) faults.push(`${place}.${key} deve ser ${what}`);
    if (wrong.length === 0) issuers.push(describe(...texts));
  }
  return { issuers, faults };
}

/** Keys of `[auth.third_party.*]` that are followed. */
export const THIRD_PARTY_KEYS: readonly string[] = THIRD_PARTIES.flatMap(({ name, fields }) =>
  ['enabled', ...fields.map(({ key }) => key)].map((key) => `auth.third_party.${name}.${key}`),
);

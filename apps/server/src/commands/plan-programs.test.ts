import { expect, test } from 'vitest';
import { planPrograms } from './plan-programs.ts';

const BACK = 'https://leitor.br/volta';

test.each([
  [[], { kind: 'list' }],
  [['--remove', 'id'], { kind: 'remove', id: 'id' }],
  [
    ['--add', 'Leitor', '--redirect', BACK, '--redirect', 'http://127.0.0.1/volta'],
    {
      kind: 'add',
      body: {
        client_name: 'Leitor',
        client_uri: undefined,
        redirect_uris: [BACK, 'http://127.0.0.1/volta'],
        token_endpoint_auth_method: 'none',
      },
    },
  ],
  [
    ['--add', 'Leitor', '--redirect', BACK, '--site', 'https://leitor.br', '--secret'],
    {
      kind: 'add',
      body: {
        client_name: 'Leitor',
        client_uri: 'https://leitor.br',
        redirect_uris: [BACK],
        token_endpoint_auth_method: 'client_secret_basic',
      },
    },
  ],
])('reads %j', (args, plan) => expect(planPrograms(args)).toEqual(plan));

test.each([
  [['Leitor']],
  [['--add']],
  [['--redirect', BACK]],
  [['--secret']],
  [['--remove', 'id', '--add', 'Leitor']],
  [['--apagar', 'id']],
])('makes nothing of %j', (args) => expect(planPrograms(args)).toBeUndefined());

import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { describeDatabaseUrl } from './describe-database-url.ts';

type Parameters = Readonly<
  Record<'host' | 'port' | 'user' | 'password' | 'database' | 'options' | 'ssl', unknown>
>;

/** As the driver reads it. */
function readAddress(address: string): Parameters {
  return (new pg.Client(address) as unknown as { connectionParameters: Parameters }).connectionParameters;
}

describe('the address of the database for functions', () => {
  it('leads through the socket of the embedded database, as a role that acts as the service', () => {
    const address = describeDatabaseUrl({
      host: '/tmp/a b/socket',
      port: 5432,
      user: 'authenticator',
      database: 'postgres',
    });
    expect(readAddress(address)).toMatchObject({
      host: '/tmp/a b/socket',
      port: 5432,
      user: 'authenticator',
      database: 'postgres',
      options: '-c role=service_role',
    });
  });

  it('keeps what an external address says of the connection, and not its account', () => {
    const source =
      'postgresql://owner:secret@db.example.com:6543/app?sslmode=disable&options=-c%20geqo%3Doff&user=owner';
    const address = describeDatabaseUrl(
      { host: 'db.example.com', port: 6543, user: 'authenticator', password: 'a/b@c:d?e', database: 'app' },
      source,
    );
    expect(address).not.toContain('owner');
    expect(address).not.toContain('secret');
    expect(readAddress(address)).toMatchObject({
      host: 'db.example.com',
      port: 6543,
      user: 'authenticator',
      password: 'a/b@c:d?e',
      database: 'app',
      ssl: false,
      options: '-c geqo=off -c role=service_role',
    });
  });

  it('may name an IPv6 address', () => {
    const address = describeDatabaseUrl({
      host: '::1',
      port: 5433,
      user: 'authenticator',
      database: 'postgres',
    });
    expect(new URL(address)).toMatchObject({ hostname: '[::1]', port: '5433' });
  });
});

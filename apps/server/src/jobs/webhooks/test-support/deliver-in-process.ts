import { connect } from 'node:net';
import pg from 'pg';
import { Registry } from 'prom-client';
import { createLogger } from '../../../kernel/create-logger.ts';
import { runOnce } from '../../create-job.ts';
import { createMessagePost } from '../post-message.ts';
import { declareWebhooks } from '../webhook-job.ts';

/** Started as a process of its own, to be killed: delivers once, to a receiver at a local port. */
const { database, port } = JSON.parse(String(process.env['DELIVERY'])) as {
  readonly database: pg.PoolConfig;
  readonly port: number;
};
const job = declareWebhooks({
  db: { pool: new pg.Pool(database) },
  post: createMessagePost({
    resolve: async () => ['93.184.215.14'],
    connect: async () => connect({ host: '127.0.0.1', port }),
  }),
  metrics: new Registry(),
  logger: createLogger('silent'),
});
await runOnce(job);

import { join } from 'node:path';
import { findRunningPostgres } from '@linkoteca/embedded-postgres/find-running-postgres';
import pg from 'pg';

const LINKS = 10_000;
/** In a tenth of the titles each. */
const WORDS = ['Bolo', 'Viagem', 'Casa', 'Projeto', 'Livro', 'Filme', 'Música', 'Receita', 'Curso', 'Jogo'];

/**
 * Gives a person the plan pro and a category of 10,000 links, straight into the embedded database.
 * @returns the category's id
 */
export async function fillLibrary(dataFolder: string, userId: string): Promise<string> {
  const connection = findRunningPostgres(join(dataFolder, 'postgres'));
  if (connection === undefined) throw new Error(`no database runs on ${dataFolder}`);
  const client = new pg.Client(connection);
  await client.connect();
  try {
    await client.query(`update profiles set plan = 'pro' where id = $1`, [userId]);
    const { rows } = await client.query<{ id: string }>(
      `with folder as (insert into folders (name, user_id) values ('Medida', $1) returning id)
       insert into categories (name, folder_id, user_id) select 'Medida', id, $1 from folder returning id`,
      [userId],
    );
    const categoryId = rows[0]?.id ?? '';
    await client.query(
      `insert into links (url, title, description, category_id, user_id)
       select 'https://exemplo.com.br/' || n, ($4::text[])[1 + n % 10] || ' de medida ' || n, 'Descrição ' || n, $2, $1
       from generate_series(1, $3) as n`,
      [userId, categoryId, LINKS, WORDS],
    );
    await client.query('analyze');
    return categoryId;
  } finally {
    await client.end();
  }
}

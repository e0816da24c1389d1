type Cause = {
  readonly codes: readonly string[];
  /** As other programs write it; a permission may be missing elsewhere than in the folder, so it is not among them. */
  readonly words?: string;
  readonly describe: (folder: string) => string;
};

const CAUSES: readonly Cause[] = [
  {
    codes: ['ENOSPC'],
    words: 'No space left on device',
    describe: (folder) => `O disco da pasta de dados ${folder} está cheio: libere espaço e inicie de novo.`,
  },
  {
    codes: ['EDQUOT'],
    words: 'Disk quota exceeded',
    describe: (folder) =>
      `A cota de disco da pasta de dados ${folder} acabou: aumente-a, ou libere espaço, e inicie de novo.`,
  },
  {
    codes: ['EROFS'],
    words: 'Read-only file system',
    describe: (folder) =>
      `A pasta de dados ${folder} está em um sistema de arquivos só de leitura: monte-o com escrita (se ele mudou sozinho, examine o disco com dmesg), ou escolha outra com DATA_DIR.`,
  },
  {
    codes: ['EIO'],
    words: 'Input/output error',
    describe: (folder) =>
      `O disco da pasta de dados ${folder} falha ao ler ou escrever: examine-o (dmesg) antes de iniciar de novo, e tenha o backup à mão.`,
  },
  {
    codes: ['EACCES', 'EPERM'],
    describe: (folder) =>
      `Sem permissão de escrita na pasta de dados ${folder}: mude o dono dela, ou escolha outra com DATA_DIR.`,
  },
  {
    codes: ['ENOTDIR', 'EEXIST'],
    describe: (folder) =>
      `No lugar da pasta de dados ${folder}, ou de uma pasta acima dela, há um arquivo: mova-o, ou escolha outra com DATA_DIR.`,
  },
  {
    codes: ['EBUSY'],
    describe: (folder) =>
      `A pasta ${folder} é um ponto de montagem: monte o volume na pasta de DATA_DIR, e não dentro dela.`,
  },
  {
    codes: ['EXDEV'],
    describe: (folder) =>
      `${folder} não pode ser movida para o seu lugar, que fica em outro disco ou ponto de montagem: monte o volume na pasta de DATA_DIR, e não dentro dela.`,
  },
];

/**
 * Why a file below a folder of ours could not be made, by its real cause, as one line in Portuguese that says what to do.
 * @param cause an error of the file system, or what another program wrote.
 * @returns undefined when the cause is none of the known ones.
 */
export function describeFolderFailure(folder: string, cause: unknown): string | undefined {
  const code = (cause as NodeJS.ErrnoException | undefined)?.code ?? '';
  const text = typeof cause === 'string' ? cause : '';
  return CAUSES.find(
    ({ codes, words }) => codes.includes(code) || (words !== undefined && text.includes(words)),
  )?.describe(folder);
}

/** Why the embedded database cannot run. `message` is one line in Portuguese that says what to do. */
export class PostgresStartError extends Error {
  override readonly name = 'PostgresStartError';
}

import { expect, test, vi } from 'vitest';
import { EditConflict, RowGone, RowUnread } from './edit-conflict.ts';
import { writeAgainstVersion } from './write-against-version.ts';

interface Row {
  readonly name: string;
  readonly note: string | null;
  readonly shared: boolean;
  readonly updated_at: string;
}

const opened: Row = { name: 'Redes', note: null, shared: false, updated_at: '1' };

/** A store of one row that writes as the table API does: where the version is the one named. */
function store(row: Row | null) {
  const state = { row };
  const write = vi.fn(async (version: string) => {
    if (state.row?.updated_at !== version) return null;
    state.row = { ...state.row, name: 'Minha', updated_at: `${version}+` };
    return state.row;
  });
  const read = vi.fn(async () => state.row);
  const save = () =>
    writeAgainstVersion<Row>({ base: opened, wanted: { name: 'Minha', note: null }, write, read });
  return { state, write, read, save };
}

test('an unchanged row is written in one request, and the answer carries the new version', async () => {
  const { save, read } = store(opened);
  expect(await save()).toEqual({ ...opened, name: 'Minha', updated_at: '1+' });
  expect(read).not.toHaveBeenCalled();
});

test('a row whose edited fields changed is left alone', async () => {
  const current = { ...opened, name: 'Outra', updated_at: '2' };
  const { state, save, write } = store(current);
  const refused = await save().catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(EditConflict);
  expect((refused as EditConflict<Row>).current).toEqual(current);
  expect(state.row).toEqual(current);
  expect(write).toHaveBeenCalledTimes(1);
});

test('also when the changed field is one that this edit leaves as it was', async () => {
  await expect(store({ ...opened, note: 'nova', updated_at: '2' }).save()).rejects.toBeInstanceOf(
    EditConflict,
  );
});

test('a row that changed in other ways alone is written on top', async () => {
  const { state, save } = store({ ...opened, shared: true, updated_at: '2' });
  await save();
  expect(state.row).toEqual({ ...opened, name: 'Minha', shared: true, updated_at: '2+' });
});

test('a row that already is as wanted counts as written', async () => {
  const { save, write } = store({ ...opened, name: 'Minha', updated_at: '2' });
  expect(await save()).toMatchObject({ name: 'Minha', updated_at: '2' });
  expect(write).toHaveBeenCalledTimes(1);
});

test('a row that never holds still ends as a conflict, not as an endless round', async () => {
  const { state, save, write, read } = store({ ...opened, updated_at: '2' });
  let version = 2;
  read.mockImplementation(async () => {
    const seen = state.row;
    version += 1;
    state.row = { ...opened, updated_at: String(version) };
    return seen;
  });
  await expect(save()).rejects.toBeInstanceOf(EditConflict);
  expect(write).toHaveBeenCalledTimes(3);
});

test('a row that is gone, and one that cannot be read, are told apart', async () => {
  await expect(store(null).save()).rejects.toBeInstanceOf(RowGone);
  const { save, read } = store(null);
  read.mockRejectedValue(new TypeError('Failed to fetch'));
  await expect(save()).rejects.toBeInstanceOf(RowUnread);
});

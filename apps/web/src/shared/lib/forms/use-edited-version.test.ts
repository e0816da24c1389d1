import { act, renderHook } from '@testing-library/react';
import { expect, test } from 'vitest';
import { EditConflict } from '../writes/edit-conflict.ts';
import { useEditedVersion } from './use-edited-version.ts';

const opened = { name: 'Minha' };
const current = { name: 'De outra aba' };

/** A form whose save has met another version. */
function meetConflict() {
  const { result } = renderHook(() => useEditedVersion(opened));
  act(() => void result.current.takeConflict(new EditConflict(current)));
  expect(result.current.conflict).toBe(current);
  return result;
}

test('who has seen the other version saves against that', () => {
  const form = meetConflict();
  act(() => form.current.leaveConflict());
  expect([form.current.conflict, form.current.base()]).toEqual([null, current]);
});

test('who could not be asked has not: the next save meets it anew', () => {
  const form = meetConflict();
  act(() => form.current.forgetConflict());
  expect([form.current.conflict, form.current.base()]).toEqual([null, opened]);
});

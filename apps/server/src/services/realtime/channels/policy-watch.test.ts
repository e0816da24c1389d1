import { expect, test } from 'vitest';
import type { Channel } from './channel.ts';
import { createPolicyWatch } from './policy-watch.ts';

const channelOf = (sub: string, presence = true): Channel =>
  ({
    token: { caller: { role: 'authenticated', claims: { sub } } },
    reads: { broadcast: true, presence },
  }) as unknown as Channel;

/** A watch over these channels, which have joined, and the questions that it asks, each answered by the test. */
function watchOver(...channels: readonly Channel[]) {
  const asked: Channel[] = [];
  const answers: (() => void)[] = [];
  const watch = createPolicyWatch((channel) => {
    asked.push(channel);
    return new Promise((resolve) => answers.push(resolve));
  });
  for (const channel of channels) {
    watch.begin(channel);
    watch.joined(channel);
  }
  const answer = async () => {
    answers.shift()?.();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { watch, asked, answer };
}

test('whoever is named is asked about once, one after the other', async () => {
  const [ana, bia, caio] = [channelOf('ana'), channelOf('bia'), channelOf('caio')];
  const { watch, asked, answer } = watchOver(ana, bia, caio);
  watch.changed(new Set(['ana', 'caio']));
  watch.changed(new Set(['caio']));
  expect(asked).toEqual([ana]);
  await answer();
  expect(asked).toEqual([ana, caio]);
  await answer();
  expect(asked).toEqual([ana, caio]);
  // The next change is asked about anew, and nothing of the last.
  watch.changed(new Set(['bia']));
  expect(asked).toEqual([ana, caio, bia]);
});

test('what changes while one is asked about is asked about again', async () => {
  const ana = channelOf('ana');
  const { watch, asked, answer } = watchOver(ana);
  watch.changed(new Set(['ana']));
  watch.changed(new Set(['ana']));
  await answer();
  expect(asked).toEqual([ana, ana]);
});

test('whoever has left is not asked about, nor whoever sees nobody', async () => {
  const [ana, bia, caio] = [channelOf('ana'), channelOf('bia'), channelOf('caio', false)];
  const { watch, asked, answer } = watchOver(ana, bia, caio);
  watch.changed(null);
  watch.end(bia);
  await answer();
  watch.end(ana);
  watch.changed(null);
  expect(asked).toEqual([ana]);
});

test('whoever joins while another is asked about is asked about as well', async () => {
  const [ana, again] = [channelOf('ana'), channelOf('ana')];
  const { watch, asked, answer } = watchOver(ana);
  watch.begin(again);
  watch.changed(new Set(['ana']));
  expect(asked).toEqual([ana]);
  watch.joined(again);
  await answer();
  expect(asked).toEqual([ana, again]);
  await answer();
  expect(asked).toEqual([ana, again]);
});

import { expect, test } from 'vitest';
import { sharedEmbedSnippet } from './sharing.ts';

test('the snippet frames the embed page, and a hostile name stays a title', () => {
  const snippet = sharedEmbedSnippet('https://links.example.com', {
    id: 'f81d4fae-7dec-41d0-a765-00a0c91e6bf6',
    name: `"><script>'&`,
  });
  expect(snippet).toBe(
    '<iframe src="https://links.example.com/shared/script--B1Prn3sQdCnZQCgyR5r9g/embed" title="&quot;&gt;&lt;script&gt;&#39;&amp;" width="100%" height="480" style="border:0" loading="lazy"></iframe>',
  );
});

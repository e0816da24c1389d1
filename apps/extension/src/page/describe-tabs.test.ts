import { expect, test } from 'vitest';
import { describeTabs } from './describe-tabs.ts';

test('tabs of the web, in their order, each page once', () => {
  const tabs = [
    { url: 'https://a.example/', title: 'A' },
    { url: 'chrome://settings', title: 'Opções' },
    { title: 'Ninguém sabe' },
    { url: 'https://b.example/x', title: 'B' },
    { url: 'https://www.a.example/?utm_source=x#y', title: 'A de novo' },
    { url: 'javascript:alert(1)' },
  ];
  expect(describeTabs(tabs, () => 'id').map(({ url, title }) => [url, title])).toEqual([
    ['https://a.example/', 'A'],
    ['https://b.example/x', 'B'],
  ]);
});

test('two hundred at most, each under an id of its own', () => {
  const many = Array.from({ length: 300 }, (_, index) => ({ url: `https://a.example/${index}` }));
  const captures = describeTabs(many);
  expect(captures).toHaveLength(200);
  expect(new Set(captures.map(({ id }) => id)).size).toBe(200);
});

import type { Page } from '@playwright/test';
import type { Figure } from './benchmark.ts';
import { DESK, openBrowser, openWindow, signInOnScreen, slowDown } from './open-browser.ts';
import { openLibrary } from './open-library.ts';
import { median } from './summarise-latencies.ts';
import { timeToPaint, watchPaints } from './watch-paints.ts';

const ROUNDS = 7;
/** Milliseconds to the next paint, at full speed and on a processor four times slower. */
const GOALS = [
  { slowdown: 1, goal: 100 },
  { slowdown: 4, goal: 300 },
];

type Interaction = {
  readonly name: string;
  /** Does it once, on a page that shows a category of 10,000 links; returns the milliseconds to the next paint. */
  readonly once: (page: Page, round: number) => Promise<number>;
};

const TERMS = ['receita', 'música', 'viagem', 'python', 'notícia', 'banco', 'jogo'];

const INTERACTIONS: readonly Interaction[] = [
  {
    name: 'open a category of 10,000 links',
    once: async (page) => {
      await openDashboard(page);
      const took = await timeToPaint(page, () => categoryInTree(page).click());
      await firstLink(page).waitFor();
      return took;
    },
  },
  {
    name: 'type a letter into the search, 10,000 links held',
    once: async (page, round) => {
      const box = page.getByRole('combobox', { name: /buscar/i });
      await box.click();
      const took = await timeToPaint(page, () =>
        box.pressSequentially(TERMS[round % TERMS.length] ?? '', { delay: 60 }),
      );
      await box.fill('');
      await page.keyboard.press('Escape');
      return took;
    },
  },
  {
    name: 'select all of 10,000 links, and none',
    once: async (page) => {
      await page.getByRole('button', { name: 'Selecionar', exact: true }).click();
      const all = page.getByRole('button', { name: 'Selecionar todos' });
      const on = await timeToPaint(page, () => all.click());
      const off = await timeToPaint(page, () => page.getByRole('button', { name: 'Limpar seleção' }).click());
      await page.getByRole('button', { name: 'Sair da seleção' }).click();
      return Math.max(on, off);
    },
  },
  {
    name: 'open the form of a new link',
    once: async (page) => {
      const took = await timeToPaint(page, () =>
        page.getByRole('button', { name: 'Adicionar Link' }).first().click(),
      );
      await page.getByRole('dialog').waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      return took;
    },
  },
];

/** How soon the screen answers a press, with 10,000 links in the category that is open. */
export async function measureInteractions(): Promise<readonly Figure[]> {
  const library = await openLibrary();
  const browser = await openBrowser();
  try {
    const context = await openWindow(browser, library.server, DESK);
    const page = await context.newPage();
    await watchPaints(page);
    await signInOnScreen(page, library.largest.email);
    await openCategory(page);
    await holdWholeCategory(page);
    const figures: Figure[] = [];
    for (const { slowdown, goal } of GOALS) {
      await slowDown(page, slowdown);
      for (const { name, once } of INTERACTIONS) {
        const times: number[] = [];
        for (let round = 0; round < ROUNDS; round += 1) times.push(await once(page, round));
        const took = median(times);
        figures.push({
          name: `${name}, to the next paint${slowdown === 1 ? '' : `, processor ${slowdown}× slower`}`,
          value: `${took} ms (worst of ${ROUNDS}: ${Math.max(...times)})`,
          goal: `< ${goal} ms`,
          met: took < goal,
        });
      }
      // In this order: a list that has just been opened still loads icons, and scrolling would be measured beside that.
      figures.push(await measureScrolling(page, slowdown));
      figures.push(await measureArrival(page, slowdown));
    }
    return figures;
  } finally {
    await browser.close();
    await library.close();
  }
}

/** From the press on a category to the frame that shows its links: the next paint may only show that it was heard. */
async function measureArrival(page: Page, slowdown: number): Promise<Figure> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    await openDashboard(page);
    const arrival = page.evaluate(
      () =>
        new Promise<number>((resolve) => {
          const wait = (pressedAt: number) => {
            if (document.querySelector('[data-link-id] article') === null)
              requestAnimationFrame(() => wait(pressedAt));
            else setTimeout(() => resolve(performance.now() - pressedAt));
          };
          addEventListener('click', ({ timeStamp }) => wait(timeStamp), { once: true, capture: true });
        }),
    );
    await categoryInTree(page).click();
    times.push(Math.round(await arrival));
  }
  return {
    name: `open a category of 10,000 links, until its links are painted${slowdown === 1 ? '' : `, processor ${slowdown}× slower`}`,
    value: `${median(times)} ms (worst of ${ROUNDS}: ${Math.max(...times)})`,
    goal: '',
  };
}

/** Frames a second while the wheel turns through the list for three seconds. */
async function measureScrolling(page: Page, slowdown: number): Promise<Figure> {
  await page.mouse.move(700, 500);
  const counting = page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        const start = performance.now();
        let frames = 0;
        const count = (now: number) => {
          frames += 1;
          if (now - start >= 3_000) resolve((frames * 1_000) / (now - start));
          else requestAnimationFrame(count);
        };
        requestAnimationFrame(count);
      }),
  );
  for (let turn = 0; turn < 60; turn += 1) {
    await page.mouse.wheel(0, 240);
    await page.waitForTimeout(40);
  }
  const rate = await counting;
  await page.evaluate(() => window.scrollTo(0, 0));
  return {
    name: `frames a second while scrolling 10,000 links${slowdown === 1 ? '' : `, processor ${slowdown}× slower`}`,
    value: rate.toFixed(0),
    goal: slowdown === 1 ? '≥ 55' : '',
    ...(slowdown === 1 ? { met: rate >= 55 } : {}),
  };
}

async function openDashboard(page: Page): Promise<void> {
  await page
    .getByRole('link', { name: /Linkoteca/ })
    .first()
    .click();
  await page.waitForURL('**/dashboard');
}

function categoryInTree(page: Page) {
  return page.getByRole('treeitem', { level: 2 }).first();
}

function firstLink(page: Page) {
  return page.getByRole('article').first();
}

async function openCategory(page: Page): Promise<void> {
  await page.getByRole('treeitem', { level: 1 }).first().click();
  await categoryInTree(page).click();
  await firstLink(page).waitFor();
}

/** Scrolls to the end until the browser holds every link of the category. */
async function holdWholeCategory(page: Page): Promise<void> {
  const isLoadingMore = page.getByText('Carregando mais links...');
  while ((await isLoadingMore.count()) > 0) {
    await page.keyboard.press('End');
    await page.mouse.move(700, 500);
    await page.mouse.wheel(0, 200_000);
    await page.waitForTimeout(100);
  }
  await page.mouse.wheel(0, -10_000_000);
  await firstLink(page).waitFor();
}

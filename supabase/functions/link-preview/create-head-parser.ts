import { Parser } from 'htmlparser2';

/** What the head of a page says of itself, as written there. Of each the first that is not blank counts. */
export type HeadFacts = {
  title?: string;
  description?: string;
  ogTitle?: string;
  ogDescription?: string;
  twitterTitle?: string;
  twitterDescription?: string;
  ogImage?: string;
  twitterImage?: string;
  /** Of `<link rel=image_src>`, which is older than the others. */
  linkedImage?: string;
  charset?: string;
};

/** Whether what a head has said so far is all that one asks. */
export type SaysEnough = (facts: HeadFacts) => boolean;

export type HeadParser = {
  readonly facts: HeadFacts;
  write(html: string): void;
  /** The page ended: what is still open counts. */
  end(): void;
  /** Whether more text could add nothing: the head is over, or it has said all that we ask. */
  isDone(): boolean;
};

const META_FACTS: Readonly<Record<string, keyof HeadFacts>> = {
  description: 'description',
  'og:title': 'ogTitle',
  'og:description': 'ogDescription',
  'twitter:title': 'twitterTitle',
  'twitter:description': 'twitterDescription',
  'og:image': 'ogImage',
  'og:image:url': 'ogImage',
  'og:image:secure_url': 'ogImage',
  'twitter:image': 'twitterImage',
  'twitter:image:src': 'twitterImage',
};

const saysWhatItIs: SaysEnough = ({ ogTitle, ogDescription }) =>
  ogTitle !== undefined && ogDescription !== undefined;

/** Reads a page piece by piece up to the end of its head. */
export function createHeadParser(saysEnough: SaysEnough = saysWhatItIs): HeadParser {
  const facts: HeadFacts = {};
  let isOver = false;
  /** The text of the `<title>` we are in. A drawing's title (`<svg><title>`) is not the page's. */
  let title: string | undefined;
  let drawings = 0;

  const keep = (fact: keyof HeadFacts, text: string | undefined) => {
    if (!isOver && facts[fact] === undefined && text !== undefined && text.trim() !== '') facts[fact] = text;
  };
  const parser = new Parser({
    onopentag(name, attributes) {
      if (name === 'body') isOver = true;
      else if (name === 'svg') drawings += 1;
      else if (name === 'title' && drawings === 0) title = '';
      else if (name === 'meta') readMeta(attributes, keep);
      else if (name === 'link' && attributes['rel']?.toLowerCase() === 'image_src')
        keep('linkedImage', attributes['href']);
    },
    ontext(text) {
      if (title !== undefined) title += text;
    },
    onclosetag(name) {
      if (name === 'title') {
        keep('title', title);
        title = undefined;
      } else if (name === 'svg') drawings -= 1;
      else if (name === 'head') isOver = true;
    },
  });

  return {
    facts,
    write: (html) => parser.write(html),
    end: () => parser.end(),
    isDone: () => isOver || saysEnough(facts),
  };
}

type Keep = (fact: keyof HeadFacts, text: string | undefined) => void;

function readMeta(attributes: Readonly<Record<string, string>>, keep: Keep): void {
  const { content } = attributes;
  keep('charset', attributes['charset']);
  if (attributes['http-equiv']?.toLowerCase() === 'content-type') keep('charset', readCharset(content ?? ''));
  // Sites mix the two attributes up.
  for (const name of [attributes['property'], attributes['name']]) {
    const fact = META_FACTS[name?.trim().toLowerCase() ?? ''];
    if (fact) keep(fact, content);
  }
}

/** The charset of a content type, without quotes. */
export function readCharset(contentType: string): string | undefined {
  return /;\s*charset\s*=\s*["']?\s*([^"';\s]+)/i.exec(contentType)?.[1];
}

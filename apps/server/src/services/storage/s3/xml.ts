import type { FastifyReply } from 'fastify';
import { Parser } from 'htmlparser2';
import { storageError } from '../storage-error.ts';

/** A piece of an answer: text, or elements by their names; a list is the same element several times. */
export type XmlValue = string | number | boolean | XmlElements | readonly XmlElements[];
export type XmlElements = { readonly [name: string]: XmlValue | undefined };

const NAMESPACE = 'http://s3.amazonaws.com/doc/2006-03-01/';

export function writeXml(root: string, content: XmlElements, namespace = NAMESPACE): string {
  const attribute = namespace === '' ? '' : ` xmlns="${namespace}"`;
  return `<?xml version="1.0" encoding="UTF-8"?>\n<${root}${attribute}>${writeElements(content)}</${root}>`;
}

export function sendXml(reply: FastifyReply, root: string, content: XmlElements): FastifyReply {
  return reply.type('application/xml; charset=utf-8').send(writeXml(root, content));
}

function writeElements(elements: XmlElements): string {
  return Object.entries(elements)
    .map(([name, value]) => {
      if (value === undefined) return '';
      if (Array.isArray(value))
        return value.map((one: XmlElements) => `<${name}>${writeElements(one)}</${name}>`).join('');
      const inner =
        typeof value === 'object' ? writeElements(value as XmlElements) : escapeText(String(value));
      return `<${name}>${inner}</${name}>`;
    })
    .join('');
}

/** Characters that XML cannot hold at all become what stands for them. */
function escapeText(text: string): string {
  return text
    .toWellFormed()
    .replace(/[^\P{Cc}\t\n\r]|[\ufffe\uffff]/gu, '\ufffd')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

/**
 * The elements of a name in a request's body, each with the texts of its own elements. (S3's bodies are lists of such.)
 * @throws StorageError for more than `most` of them, where there is none, and for what is no XML
 */
export function readXmlList(
  xml: string,
  name: string,
  most: number,
): readonly Readonly<Record<string, string>>[] {
  const found: Record<string, string>[] = [];
  let open: Record<string, string> | undefined;
  let text = '';
  const parser = new Parser(
    {
      onopentagname(tag) {
        text = '';
        if (tag === name) open = {};
      },
      ontext(piece) {
        text += piece;
      },
      onclosetag(tag) {
        if (tag === name && open) {
          found.push(open);
          open = undefined;
        } else if (open) open[tag] = text;
        text = '';
      },
    },
    { xmlMode: true },
  );
  parser.end(xml);
  // Neither XML nor the database holds the character NUL.
  if (found.length === 0 || found.length > most || xml.includes('\0')) throw storageError.malformedXml();
  return found;
}

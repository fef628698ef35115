/**
 * What others answer as text, in the encoding that they say: a mark at its beginning, the header, the declaration of XML,
 * an element at the beginning of HTML. UTF-8 where they say none, or one that nobody knows.
 */
import { declaredEncoding, markedEncoding, openDecoder } from '@sevenfold/text/encodings';
import { attributesOf, nextMarkup } from '@sevenfold/text/markup';

/** Whoever says it within HTML says it in here. */
const HEAD_BYTES = 1_024;

export function decode(bytes: Buffer, contentType: string): string {
  const encoding = markedEncoding(bytes) ?? charsetIn(contentType) ?? encodingWithin(bytes, contentType);
  return (openDecoder(encoding ?? 'utf-8') ?? new TextDecoder()).decode(bytes);
}

const charsetIn = (contentType: string): string | undefined =>
  /;\s*charset\s*=\s*["']?([^\s;"']+)/i.exec(contentType)?.[1];

/** JSON says nothing of it; what its texts hold is of other things. */
function encodingWithin(bytes: Buffer, contentType: string): string | undefined {
  const head = bytes.toString('latin1', 0, HEAD_BYTES);
  const isHtml = /html/.test(contentType) && /^\s*</.test(head);
  const encoding = declaredEncoding(head) ?? (isHtml ? encodingOfMeta(head) : undefined);
  // What can be read byte by byte is no UTF-16, whatever it says.
  return encoding !== undefined && /^utf-?16/i.test(encoding) ? 'utf-8' : encoding;
}

function encodingOfMeta(head: string): string | undefined {
  for (let tag = nextMarkup(head, 0); tag; tag = nextMarkup(head, tag.end)) {
    if (tag.kind !== 'open' || tag.name !== 'meta') continue;
    const named = new Map(attributesOf(head, tag).map(({ name, value }) => [name, value ?? '']));
    const isType = named.get('http-equiv')?.toLowerCase() === 'content-type';
    const found = named.get('charset') ?? (isType ? charsetIn(named.get('content') ?? '') : undefined);
    if (found !== undefined) return found;
  }
  return undefined;
}

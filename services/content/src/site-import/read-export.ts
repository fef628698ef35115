/**
 * Reads a site export (WXR: RSS with elements of its own) as a stream, one record at a time, however large the file.
 * It knows the format and nothing of this site; element prefixes are taken as written, versions 1.0 to 1.2 differ
 * only in namespaces. Tags that stand where the format has none are part of the text around them.
 */
import { type Tag, openMarkup } from './markup';
import { CutShort, type Mended, readText } from './read-text';
import type { ExportedRecord, ExportedSite } from './exported';
import { type Node, toRecord } from './records';

/** Elements that are one record each; everything above them is only passed through. */
const RECORDS: ReadonlySet<string> = new Set(['wp:author', 'wp:category', 'wp:tag', 'wp:term', 'item']);
/** Elements inside of records that hold others. */
const PARTS: ReadonlySet<string> = new Set(['wp:comment', 'wp:postmeta', 'wp:commentmeta', 'wp:termmeta']);
const OUTER: ReadonlySet<string> = new Set(['rss', 'channel']);
/** One of these ends whatever was left open before it. */
const isFrame = (name: string): boolean => RECORDS.has(name) || PARTS.has(name) || OUTER.has(name);

/** Names that only fields of the format have. */
const FIELD = /^(?:wp|dc|content|excerpt):/;

/** Characters of one record. Beyond it nothing could be done with it but fill the memory. */
const MOST_TEXT = 64 * 1024 * 1024;

/** The file stops before its end; everything before the line was read. */
export class ExportEnds extends Error {
  constructor(
    readonly file: string,
    readonly line: number,
    cause?: unknown,
  ) {
    super(`${file} ends in the middle, at line ${line}. What came before is here.`, { cause });
    this.name = 'ExportEnds';
  }
}

/** Yields the records of a file in its order. Throws ExportEnds where the file is cut off, and where it is no export. */
export async function* readExport(
  file: string,
  mended: Mended = { foreignBytes: 0, controls: 0 },
): AsyncGenerator<ExportedRecord> {
  const reader = openReader();
  let cut: unknown;
  try {
    for await (const piece of readText(file, mended)) {
      reader.write(piece);
      yield* reader.take();
    }
  } catch (error) {
    if (!(error instanceof CutShort)) throw error;
    cut = error;
  }
  reader.end();
  yield* reader.take();
  if (!reader.isExport()) throw new Error(`${file} is not a site export: it has no wp:wxr_version.`);
  if (cut !== undefined || reader.isOpen()) throw new ExportEnds(file, reader.line(), cut);
}

interface Reader {
  readonly write: (piece: string) => void;
  readonly end: () => void;
  /** The records that are complete, each once. */
  readonly take: () => ExportedRecord[];
  readonly line: () => number;
  readonly isOpen: () => boolean;
  readonly isExport: () => boolean;
}

function openReader(): Reader {
  const ready: ExportedRecord[] = [];
  const stack: Node[] = [];
  const site: ExportedSite = { kind: 'site', title: '', description: '', url: '' };
  let hasVersion = false;
  let announced = false;
  let size = 0;

  const top = (): Node | undefined => stack.at(-1);
  const addText = (text: string): void => {
    const node = top();
    // White space between records belongs to nobody, and there is much of it.
    if (!node || OUTER.has(node.name)) return;
    size += text.length;
    if (size <= MOST_TEXT) node.text += text;
  };
  const push = ({ name, attributes, line }: Tag): void => {
    if (RECORDS.has(name)) size = 0;
    stack.push({ name, attributes, line, text: '', children: [] });
  };
  const pop = (): void => {
    const node = stack.pop() as Node;
    const parent = top();
    if (parent?.name === 'channel') ofChannel(node);
    else if (parent) parent.children.push(node);
  };
  const ofChannel = (node: Node): void => {
    const text = node.text.trim();
    if (node.name === 'title') site.title = text;
    if (node.name === 'description') site.description = text;
    if (node.name === 'wp:base_blog_url' && text !== '') site.url = text;
    if (node.name === 'link' && site.url === '') site.url = text;
    if (node.name === 'wp:wxr_version') hasVersion = true;
    if (!RECORDS.has(node.name)) return;
    if (!announced) ready.push({ ...site });
    announced = true;
    ready.push(toRecord(node, size > MOST_TEXT));
  };
  /** Ends what is open above the depth. */
  const unwind = (depth: number): void => {
    while (stack.length > depth) pop();
  };
  const depthOf = (name: string): number => stack.findLastIndex((node) => node.name === name);

  const openTag = (tag: Tag): void => {
    // No text has such tags: what was open before was never closed.
    if (FIELD.test(tag.name) && top() && !isFrame((top() as Node).name)) pop();
    const node = top();
    if (isFrame(tag.name)) {
      // A record inside of a record: the one before was never closed.
      const channel = depthOf('channel');
      if (RECORDS.has(tag.name) && channel >= 0) unwind(channel + 1);
      else if (PARTS.has(tag.name)) while (top() && !isFrame((top() as Node).name)) pop();
    } else if (!node || !isFrame(node.name)) return void (node && addText(tag.source));
    push(tag);
    if (tag.kind === 'empty') pop();
  };
  const closeTag = (tag: Tag): void => {
    const depth = depthOf(tag.name);
    if (depth < 0 || (depth < stack.length - 1 && !isFrame(tag.name))) return addText(tag.source);
    unwind(depth);
  };
  const markup = openMarkup({
    tag: (tag) => (tag.kind === 'close' ? closeTag(tag) : openTag(tag)),
    text: addText,
  });
  return {
    write: markup.write,
    end: markup.end,
    take: () => ready.splice(0),
    line: () => markup.line,
    isOpen: () => stack.length > 0,
    isExport: () => hasVersion,
  };
}

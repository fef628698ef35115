/*
 * Writes a stream of text, inline tags and block-level tags as HTML with paragraphs: blank lines part
 * paragraphs, single line ends become `<br />`, block-level tags stand on lines of their own and are never
 * wrapped. It looks at each piece once and keeps a stack of open blocks; it does not correct the author's HTML.
 */

export interface Writer {
  /** Text between tags, already HTML. */
  text(html: string): void;
  blankLine(): void;
  /** Anything that flows within a line; `visible` pieces are worth a paragraph of their own. */
  inline(html: string, visible: boolean): void;
  lineBreak(tag: string): void;
  openBlock(name: string, tag: string): void;
  closeBlock(name: string, tag: string): void;
  /** A finished block that stays as it is. */
  block(html: string): void;
  finish(): string;
}

interface Frame {
  name: string;
  kind: Kind;
  /** Whether loose text inside is wrapped in paragraphs. */
  wraps: boolean;
}

// What may stand directly inside: paragraphs and blocks, only inline content, or only certain blocks.
type Kind = 'flow' | 'line' | 'structure';

const LINE_BLOCKS = new Set('p h1 h2 h3 h4 h5 h6 caption dt figcaption legend summary'.split(' '));
const STRUCTURE_BLOCKS = new Set('table thead tbody tfoot tr colgroup ul ol dl menu dir hgroup'.split(' '));
const VOID_BLOCKS = new Set(['hr', 'col']);

/** A writer that makes paragraphs. */
export function paragraphWriter(): Writer {
  const out: string[] = [];
  const frames: Frame[] = [{ name: '', kind: 'flow', wraps: true }];
  const openCount = new Map<string, number>();
  let lineStart = true;
  // The run of inline content that is being collected.
  let line: string[] = [];
  let visible = false;
  let pendingBreak = false;
  let pendingSplit = false;
  let afterBreakTag = false;

  const top = (): Frame => frames[frames.length - 1]!;

  function write(html: string, newLine: boolean): void {
    out.push(newLine ? html + '\n' : html);
    lineStart = newLine;
  }

  function append(html: string): void {
    if (pendingSplit) {
      flush(false);
      write('</p>', true);
      write('<p>', false);
    }
    if (pendingBreak && line.length > 0) line.push(visible && !afterBreakTag ? '<br />\n' : '\n');
    pendingBreak = false;
    afterBreakTag = false;
    line.push(html);
  }

  function flush(wrap: boolean): void {
    const content = line.join('').trim();
    if (content && wrap && visible) write(`<p>${content}</p>`, true);
    else if (content) write(content, false);
    line = [];
    visible = pendingBreak = pendingSplit = afterBreakTag = false;
  }

  function push(name: string): void {
    const kind = LINE_BLOCKS.has(name) ? 'line' : STRUCTURE_BLOCKS.has(name) ? 'structure' : 'flow';
    frames.push({ name, kind, wraps: name === 'blockquote' });
    openCount.set(name, (openCount.get(name) ?? 0) + 1);
  }

  function pop(): string {
    const { name } = frames.pop()!;
    openCount.set(name, openCount.get(name)! - 1);
    return name;
  }

  /** A block cannot stand inside a paragraph: browsers end the paragraph there, and so do we. */
  function endParagraph(): void {
    flush(top().wraps);
    if (top().name !== 'p') return;
    pop();
    write('</p>', true);
  }

  function startLine(): void {
    if (!lineStart) write('', true);
  }

  return {
    text(html) {
      const lines = html.split('\n');
      if (top().kind === 'structure' && !html.trim()) return;
      lines.forEach((part, index) => {
        if (index > 0) pendingBreak = line.length > 0;
        let words = part;
        if (index > 0) words = words.trimStart();
        if (index < lines.length - 1) words = words.trimEnd();
        if (!words) return;
        // White space at either end of a paragraph is trimmed; it must not bring a pending break with it.
        if ((pendingBreak || pendingSplit) && !words.trim()) return;
        append(words);
        visible ||= words.trim() !== '';
      });
    },

    blankLine() {
      const frame = top();
      if (frame.kind === 'flow') {
        if (visible) frame.wraps = true;
        flush(frame.wraps);
      } else if (frame.name === 'p' && visible) {
        pendingSplit = true;
      } else if (frame.kind === 'line') {
        pendingBreak = line.length > 0;
      }
    },

    inline(html, isVisible) {
      append(html);
      visible ||= isVisible;
    },

    lineBreak(tag) {
      pendingBreak = false;
      append(tag);
      afterBreakTag = true;
    },

    openBlock(name, tag) {
      endParagraph();
      startLine();
      if (VOID_BLOCKS.has(name)) {
        write(tag, true);
        return;
      }
      write(tag, false);
      push(name);
    },

    closeBlock(name, tag) {
      if (!openCount.get(name)) {
        flush(top().wraps);
        if (name !== 'p') write(tag, true);
        return;
      }
      flush(top().wraps);
      for (let closed = pop(); closed !== name; closed = pop()) {
        if (closed === 'p') write('</p>', true);
      }
      write(tag, true);
    },

    block(html) {
      endParagraph();
      startLine();
      write(html, true);
    },

    finish() {
      flush(top().wraps);
      if (top().name === 'p') write('</p>', true);
      const html = out.join('').trim();
      return html && html + '\n';
    },
  };
}

/** A writer that keeps lines as they are. */
export function plainWriter(): Writer {
  const out: string[] = [];
  const keep = (html: string): void => void out.push(html);
  return {
    text: keep,
    blankLine: () => keep('\n\n'),
    inline: keep,
    lineBreak: keep,
    openBlock: (_name, tag) => keep(tag),
    closeBlock: (_name, tag) => keep(tag),
    block: keep,
    finish() {
      const html = out.join('').trim();
      return html && html + '\n';
    },
  };
}

/** A writer for whom nothing is worth being written. */
export const silentWriter: Writer = {
  text: () => undefined,
  blankLine: () => undefined,
  inline: () => undefined,
  lineBreak: () => undefined,
  openBlock: () => undefined,
  closeBlock: () => undefined,
  block: () => undefined,
  finish: () => '',
};

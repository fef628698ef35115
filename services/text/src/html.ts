/*
 * Makes HTML from people we do not trust safe to show, and escapes text for HTML. Every sanitizer writes its
 * output anew: only tags and attributes of a list (html-rules.ts), values quoted, every other `<` as an entity. No element
 * whose content browsers read by other rules (script, style, textarea, svg …) is on any list, so a browser
 * reads the output as we did. A sanitizer's own output passes through it unchanged.
 */

import { decode } from 'html-entities';
import { LONGEST_ENTITY, escapeAmpersands } from './entities';
import {
  attributesOf,
  endOfRawElement,
  isVoidTag,
  nextMarkup,
  textOf,
  type Attribute,
  type Markup,
} from './markup';
import { INVISIBLE, isSafeUrl } from './safe-url';
import { STEP, type Steps, atOnce } from './steps';
import { stripControl } from './text';
import {
  type Rules,
  CODE_TAGS,
  URL_ATTRIBUTES,
  RICH,
  INLINE,
  FORM,
  TITLE,
  STYLE_PROPERTIES,
  STYLE_FUNCTIONS,
  STYLE_GRADIENTS,
  STYLE_VALUE,
} from './html-rules';

const DELIMITER = /^<!--\s+\/?wp:[a-z][a-z\d_-]*(?:\/[a-z][a-z\d_-]*)?\s+(?:(\{[^]*\})\s+)?\/?-->$/;

/** For bodies by people without the right to unfiltered HTML: the broad set of tags of an article. */
export function sanitizeRich(html: string): string {
  return sanitize(html, RICH);
}

/** The same in steps. */
export function sanitizingRich(html: string): Steps<string> {
  return sanitizing(html, RICH);
}

/** For comments and term descriptions: a few inline tags, links to http, https, mailto and relative only. */
export function sanitizeInline(html: string): string {
  return sanitize(html, INLINE);
}

/** For titles: inline formatting only. */
export function sanitizeTitle(html: string): string {
  return sanitize(html, TITLE);
}

/** For what stands between the fields of a form: the tags of an article, labels and groups of fields, all closed. */
export function sanitizeForm(html: string): string {
  return sanitize(html, FORM);
}

/** Gives every link `rel="nofollow ugc"`, besides the words it has; all else stays as written. */
export const addNofollow = (html: string): string =>
  withOpenTags(html, ({ name }, attributesIn) => {
    const attributes = name === 'a' ? attributesIn() : [];
    return attributes.some((attribute) => attribute.name === 'href')
      ? withRel(attributes, ['nofollow', 'ugc'])
      : undefined;
  });

/** With addresses as they stand at `base`, for who reads it elsewhere; all else stays as written. */
export const withAddressesOf = (base: string, html: string): string =>
  withOpenTags(html, (_, attributesIn) => {
    const attributes = attributesIn();
    const whole = attributes.map((one) => wholeAddress(base, one));
    return whole.some(({ value }, index) => value !== attributes[index]?.value) ? whole : undefined;
  });

/** Each opening tag with the attributes that `change` wants it to have; undefined: as written. */
function withOpenTags(
  html: string,
  change: (tag: Markup, attributesIn: () => Attribute[]) => Attribute[] | undefined,
): string {
  const out: string[] = [];
  let at = 0;
  for (let found = nextMarkup(html, 0); found; found = nextMarkup(html, at)) {
    const tag = found;
    const changed = tag.kind === 'open' ? change(tag, () => attributesOf(html, tag)) : undefined;
    out.push(
      html.slice(at, tag.start),
      changed ? openTag(tag.name, changed) : html.slice(tag.start, tag.end),
    );
    at = tag.end;
  }
  return out.join('') + html.slice(at);
}

const LEADING = new Set(['href', 'src', 'poster']);
/** Of `srcset`: what stands before its width. */
const CANDIDATE = /(^|,\s*)([^\s,]+)/g;

function wholeAddress(base: string, { name, value }: Attribute): Attribute {
  if (value === undefined) return { name, value };
  const led = (address: string): string =>
    HAS_SCHEME.test(address) || !URL.canParse(address, base) ? address : new URL(address, base).href;
  const written = decodeAttribute(value).trim();
  const whole = LEADING.has(name)
    ? led(written)
    : name === 'srcset'
      ? written.replace(CANDIDATE, (_, before: string, address: string) => before + led(address))
      : written;
  return { name, value: whole === written ? value : escapeQuoted(whole) };
}

const HAS_SCHEME = /^[a-z][a-z\d+.-]*:/i;

/** Text without tags and comments; content of script and style dropped. Entities stay as written. */
export function stripTags(html: string): string {
  return textOf(stripControl(html));
}

/** For text between tags. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>]/g, (character) => ESCAPES[character]!);
}

/** For attribute values in either kind of quotes; as safe between tags. */
export function escapeAttribute(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ESCAPES[character]!);
}

/** As escapeAttribute, for text that may hold entities already: those stay. */
export function escapeOnce(text: string): string {
  return escapeAmpersands(text, '&#038;').replace(/[<>"']/g, escapeAttribute);
}

/** All named and numeric entities as characters. The result is text, not HTML. */
export function decodeEntities(html: string): string {
  return decode(html, { level: 'html5' });
}

const ESCAPES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#039;',
};

const sanitize = (html: string, rules: Rules): string =>
  html.includes('<') ? atOnce(sanitizing(html, rules)) : escapeStray(stripControl(html));

function* sanitizing(html: string, rules: Rules): Steps<string> {
  const source = stripControl(html);
  const out: string[] = [];
  const open: string[] = [];
  const openCount = new Map<string, number>();
  const unclosed = new Set<string>();
  let at = 0;
  let pauseAt = STEP;

  function closeUpTo(name: string | undefined): void {
    for (let last = open.pop(); last !== undefined; last = open.pop()) {
      openCount.set(last, openCount.get(last)! - 1);
      out.push(`</${last}>`);
      if (last === name) return;
    }
  }

  for (let found = nextMarkup(source, 0); found; found = nextMarkup(source, at)) {
    if (at >= pauseAt) {
      yield;
      pauseAt = at + STEP;
    }
    if (found.start - at > STEP) yield* escaping(source, at, found.start, out);
    else out.push(escapeStray(source.slice(at, found.start)));
    at = found.end;
    if (found.kind === 'comment') {
      if (rules.keepDelimiters) out.push(yield* safeDelimiter(source.slice(found.start, found.end)));
      continue;
    }
    const { name } = found;
    if (found.kind === 'open' && CODE_TAGS.has(name) && !unclosed.has(name)) {
      const { contentEnd, end } = endOfRawElement(source, name, at);
      // Searched for once only: a thousand openings without an end must not cost a thousand searches.
      if (contentEnd === end) unclosed.add(name);
      else {
        yield* escaping(source, at, contentEnd, out);
        at = end;
      }
      continue;
    }
    const allowed = rules.tags.get(name);
    if (!allowed) continue;
    if (found.kind === 'open') {
      out.push(openTag(name, safeAttributes(source, found, allowed, rules)));
      if (!rules.balance || isVoidTag(name)) continue;
      open.push(name);
      openCount.set(name, (openCount.get(name) ?? 0) + 1);
    } else if (!rules.balance) {
      if (!isVoidTag(name)) out.push(`</${name}>`);
    } else if (openCount.get(name)) {
      closeUpTo(name);
    }
  }
  yield* escaping(source, at, source.length, out);
  closeUpTo(undefined);
  return out.join('');
}

function safeAttributes(source: string, tag: Markup, allowed: Set<string>, rules: Rules): Attribute[] {
  const kept: Attribute[] = [];
  for (const { name, value } of attributesOf(source, tag)) {
    if (!allowed.has(name) && !rules.anyAttribute(name)) continue;
    const safe = value === undefined ? undefined : safeValue(name, value, rules);
    if (safe === undefined && value !== undefined) continue;
    kept.push({ name, value: safe });
  }
  // A page opened in a new window could otherwise steer the one it came from.
  const opensWindow = kept.some(({ name, value }) => name === 'target' && value);
  return opensWindow ? withRel(kept, ['noopener']) : kept;
}

/** The value to write (entities in place), undefined if the attribute must go. */
function safeValue(name: string, value: string, rules: Rules): string | undefined {
  if (URL_ATTRIBUTES.has(name)) {
    // Written as decoded here, so that what was judged is what browsers will see.

    const url = decodeAttribute(value)
      .replace(/[\u0000-\u001f\u007f]/g, '')
      .trim();
    return isSafeUrl(url, rules.schemes) ? escapeQuoted(url) : undefined;
  }
  if (name === 'srcset') {
    const candidates = decodeAttribute(value).trim();
    const safe = candidates.split(/[\s,]+/).every((part) => isSafeUrl(part, rules.schemes));
    return safe ? escapeQuoted(candidates) : undefined;
  }
  if (name === 'style') {
    const style = safeStyle(decodeAttribute(value));
    return style ? escapeQuoted(style) : undefined;
  }
  return escapeStray(value).replace(/"/g, '&quot;');
}

function decodeAttribute(value: string): string {
  return stripControl(decode(value, { level: 'html5', scope: 'attribute' }));
}

function escapeQuoted(text: string): string {
  return text.replace(/[&<>"]/g, (character) => ESCAPES[character]!);
}

function safeStyle(style: string): string {
  const kept: string[] = [];
  for (const declaration of style.split(';')) {
    const colon = declaration.indexOf(':');
    const property = declaration.slice(0, Math.max(colon, 0)).trim().toLowerCase();
    const value = declaration.slice(colon + 1).trim();
    if (!STYLE_PROPERTIES.has(property)) continue;
    const bare = value.replace(STYLE_FUNCTIONS, '0').replace(STYLE_GRADIENTS, '0');
    if (STYLE_VALUE.test(bare)) kept.push(`${property}: ${value}`);
  }
  return kept.join('; ');
}

// Where a text is cut: for its reader (with what the link says), or into pages. Nothing in it can end the comment.
const CUT = /^<!--(?:more(?:[^<>-]+(?:-[^<>-]+)*)?|noteaser|nextpage)-->$/;

/** A mark that cuts the text as it is, a block editor's delimiter with its settings made safe; '' for any other comment. */
function* safeDelimiter(comment: string): Steps<string> {
  if (CUT.test(comment)) return comment;
  const match = DELIMITER.exec(comment);
  if (!match) return '';
  const json = match[1];
  if (json === undefined) return comment;
  let clean: string;
  try {
    const settings: unknown = JSON.parse(json);
    clean = JSON.stringify(yield* safeSetting(settings));
    if (clean === JSON.stringify(settings) && !/--|[<>]/.test(json)) return comment;
  } catch {
    // No JSON, or nested deeper than the stack: nothing an editor wrote.
    return '';
  }
  // The same characters that the editor escapes: nothing in the settings can end the comment.
  const escaped = clean
    .replace(/--/g, '\\u002d\\u002d')
    .replace(/</g, '\\u003c')
    .replace(/>/g, '\\u003e')
    .replace(/&/g, '\\u0026')
    .replace(/\\"/g, '\\u0022');
  return comment.replace(json, () => escaped);
}

function* safeSetting(value: unknown): Steps<unknown> {
  if (typeof value === 'string') {
    const bare = value.replace(INVISIBLE, '');
    if (/^(?:(?:java|vb)script:|data:[\w.+-]*[/;,])/i.test(bare)) return '';
    return value.includes('<') ? yield* sanitizing(value, { ...RICH, keepDelimiters: false }) : value;
  }
  if (!value || typeof value !== 'object') return value;
  const safe: [string, unknown][] = [];
  for (const [key, item] of Object.entries(value)) safe.push([key, yield* safeSetting(item)]);
  return Array.isArray(value) ? safe.map(([, item]) => item) : Object.fromEntries(safe);
}

function withRel(attributes: Attribute[], words: string[]): Attribute[] {
  const rel = attributes.find((attribute) => attribute.name === 'rel')?.value ?? '';
  const all = new Set([...rel.split(/\s+/).filter(Boolean), ...words]);
  return [
    ...attributes.filter((attribute) => attribute.name !== 'rel'),
    { name: 'rel', value: [...all].join(' ') },
  ];
}

function openTag(name: string, attributes: Attribute[]): string {
  const written = attributes.map((attribute) =>
    attribute.value === undefined
      ? ` ${attribute.name}`
      : ` ${attribute.name}="${attribute.value.replace(/"/g, '&quot;')}"`,
  );
  return `<${name}${written.join('')}${isVoidTag(name) ? ' />' : '>'}`;
}

/** The text from `at` to `end`, in steps. */
function* escaping(source: string, at: number, end: number, out: string[]): Steps<void> {
  let from = at;
  while (end - from > STEP) {
    // What begins with the last ampersand may be an entity that ends behind the step.
    const ampersand = source.lastIndexOf('&', from + STEP - 1);
    const to = ampersand > from + STEP - LONGEST_ENTITY ? ampersand : from + STEP;
    out.push(escapeStray(source.slice(from, to)));
    from = to;
    yield;
  }
  out.push(escapeStray(source.slice(from, end)));
}

/** Text between tags as it was, but for characters that could be read as markup. */
function escapeStray(text: string): string {
  return escapeAmpersands(text).replace(/</g, '&lt;').replace(/>/g, '&gt;');
}

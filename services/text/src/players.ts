/*
 * Galleries, players and lists of them, as plain HTML that needs no script: pictures with their alternative texts, the
 * browser's own players, and a link wherever a browser has none.
 */

import { escapeAttribute, escapeOnce } from './html';
import { attributesOf, nextMarkup, textOf } from './markup';
import { settingsOf, type Shortcode } from './shortcodes';

/** A file of the library, as a gallery or a player shows it. */
export interface ShownFile {
  readonly id: number;
  readonly url: string;
  /** Address of its own page. */
  readonly page: string;
  readonly mime: string;
  /** HTML. */
  readonly title: string;
  readonly caption: string;
  /** Text. */
  readonly alt: string;
  /** Of pictures; what is not known is absent. */
  readonly width?: number;
  readonly height?: number;
  readonly sizes: Readonly<
    Record<string, { readonly url: string; readonly width: number; readonly height: number }>
  >;
}

export interface WantedFiles {
  readonly kind: 'image' | 'audio' | 'video';
  /** In their order; none: those that are attached to the text. */
  readonly ids: readonly number[];
  readonly exclude: readonly number[];
}

/** Those of the wanted that may be shown. */
export type FindFiles = (wanted: WantedFiles) => readonly ShownFile[];

const MOST_FILES = 100;
const ENDINGS = {
  audio: { mp3: 'audio/mpeg', m4a: 'audio/mp4', ogg: 'audio/ogg', wav: 'audio/wav', flac: 'audio/flac' },
  video: { mp4: 'video/mp4', m4v: 'video/mp4', webm: 'video/webm', ogv: 'video/ogg', mov: 'video/quicktime' },
} as const;

type Settings = ReadonlyMap<string, string>;

/** HTML of a gallery or player; undefined where nothing says what it is to show, and its text stands for it. */
export function playerOf(
  { name, settings, content }: Shortcode,
  find: FindFiles | undefined,
): string | undefined {
  const options = settingsOf(settings);
  switch (name) {
    case 'gallery':
      return find && gallery(options, find);
    case 'playlist':
      return find && playlist(options, find);
    case 'audio':
    case 'video':
      return single(name, options, content, find);
    default:
      return undefined;
  }
}

function wanted(options: Settings, kind: WantedFiles['kind']): WantedFiles {
  const list = options.get('ids') ?? options.get('include') ?? '';
  return { kind, ids: idsIn(list), exclude: idsIn(options.get('exclude') ?? '') };
}

/** Each once. */
const idsIn = (list: string): number[] =>
  [...new Set((list.match(/\d{1,15}/g) ?? []).map(Number))].filter((id) => id > 0).slice(0, MOST_FILES);

function ordered(options: Settings, files: readonly ShownFile[]): readonly ShownFile[] {
  return options.get('order')?.toUpperCase() === 'DESC' ? [...files].reverse() : files;
}

// ---- pictures ----------------------------------------------------------------------------------------------------

function gallery(options: Settings, find: FindFiles): string {
  const files = ordered(options, find(wanted(options, 'image')));
  if (files.length === 0) return '';
  const columns = /^[1-9]$/.exec(options.get('columns') ?? '')?.[0] ?? '3';
  const size = /^[a-z_]{1,20}$/.exec(options.get('size') ?? '')?.[0] ?? 'thumbnail';
  const items = files.map((file) => galleryItem(file, size, options.get('link') ?? ''));
  return `<div class="gallery gallery-columns-${columns} gallery-size-${size}">\n${items.join('\n')}\n</div>`;
}

function galleryItem(file: ShownFile, size: string, link: string): string {
  const shown = file.sizes[size] ?? file;
  const isLinked = link !== 'none';
  // A link needs a name: a picture without alternative text goes by its title.
  const alt = escapeAttribute(file.alt) || (isLinked ? escapeOnce(textOf(file.title)) : '');
  const measures = shown.width && shown.height ? ` width="${shown.width}" height="${shown.height}"` : '';
  const image = `<img src="${escapeOnce(shown.url)}"${measures} alt="${alt}" class="size-${size}" loading="lazy" decoding="async" />`;
  const target = escapeOnce(link === 'file' ? file.url : file.page);
  const caption = file.caption.trim();
  return (
    `<figure class="gallery-item">${isLinked ? `<a href="${target}">${image}</a>` : image}` +
    `${caption && `<figcaption class="wp-caption-text gallery-caption">${caption}</figcaption>`}</figure>`
  );
}

// ---- sound and film ----------------------------------------------------------------------------------------------

type Kind = 'audio' | 'video';
interface Source {
  readonly url: string;
  readonly mime?: string;
}

function single(
  kind: Kind,
  options: Settings,
  content: string,
  find: FindFiles | undefined,
): string | undefined {
  const named = sourcesIn(kind, options);
  if (named.length > 0) return player(kind, named, options, tracksIn(content));
  // An address that no browser should follow is text, as the author wrote it.
  if (isNamed(kind, options) || !find) return undefined;
  const [file] = find(wanted(new Map(), kind));
  return file ? player(kind, [file], options, '') : '';
}

const NAMES_OF = (kind: Kind): string[] => ['src', ...Object.keys(ENDINGS[kind])];
const isNamed = (kind: Kind, options: Settings): boolean => NAMES_OF(kind).some((name) => options.has(name));

const sourcesIn = (kind: Kind, options: Settings): Source[] =>
  NAMES_OF(kind).flatMap((name) => {
    const url = options.get(name)?.trim() ?? '';
    return isFileAddress(url) ? [{ url, mime: mimeOf(kind, url) }] : [];
  });

/** Of this site or of another one, over HTTP. */
const isFileAddress = (url: string): boolean => /^(?:https?:\/\/|\/(?!\/))[^\s<>"']+$/i.test(url);

function mimeOf(kind: Kind, url: string): string | undefined {
  const ending = /\.(\w{3,4})(?:[?#]|$)/.exec(url)?.[1]?.toLowerCase() ?? '';
  const endings: Readonly<Record<string, string>> = ENDINGS[kind];
  return Object.hasOwn(endings, ending) ? endings[ending] : undefined;
}

function player(kind: Kind, sources: readonly Source[], options: Settings, tracks: string): string {
  const attributes = [`class="wp-${kind}-shortcode"`];
  if (kind === 'video')
    for (const name of ['width', 'height']) {
      const pixels = /^[1-9]\d{0,4}/.exec(options.get(name) ?? '')?.[0];
      if (pixels) attributes.push(`${name}="${pixels}"`);
    }
  const poster = options.get('poster')?.trim() ?? '';
  if (kind === 'video' && isFileAddress(poster)) attributes.push(`poster="${escapeOnce(poster)}"`);
  attributes.push(
    `preload="${/^(?:none|metadata|auto)$/.exec(options.get('preload') ?? '')?.[0] ?? 'metadata'}"`,
  );
  for (const name of ['loop', 'autoplay', 'muted']) if (isOn(options.get(name))) attributes.push(name);
  const shown = sources.map(
    ({ url, mime }) => `<source src="${escapeOnce(url)}"${mime ? ` type="${escapeOnce(mime)}"` : ''} />`,
  );
  const [first] = sources;
  const link = first ? `<a href="${escapeOnce(first.url)}">${escapeOnce(first.url)}</a>` : '';
  return `<${kind} controls ${attributes.join(' ')}>${shown.join('')}${tracks}${link}</${kind}>`;
}

const isOn = (value: string | undefined): boolean =>
  value !== undefined && /^(?:on|1|true|yes)$/i.test(value);

const TRACK_ATTRIBUTES = new Set(['kind', 'srclang', 'label', 'default']);

/** Subtitles that stand between the opening and the closing shortcode. */
function tracksIn(content: string): string {
  const tracks: string[] = [];
  for (let found = nextMarkup(content, 0); found; found = nextMarkup(content, found.end)) {
    if (found.kind !== 'open' || found.name !== 'track') continue;
    const attributes = attributesOf(content, found);
    const src = attributes.find(({ name }) => name === 'src')?.value ?? '';
    if (!isFileAddress(src)) continue;
    const others = attributes
      .filter(({ name }) => TRACK_ATTRIBUTES.has(name))
      .map(({ name, value }) => ` ${name}="${escapeOnce(value ?? name)}"`);
    tracks.push(`<track src="${escapeOnce(src)}"${others.join('')} />`);
  }
  return tracks.join('');
}

function playlist(options: Settings, find: FindFiles): string {
  const kind = options.get('type') === 'video' ? 'video' : 'audio';
  const files = ordered(options, find(wanted(options, kind)));
  if (files.length === 0) return '';
  const items = files.map((file) => {
    const caption = file.caption.trim();
    return `<li><figure><figcaption>${file.title}${caption && ` ${caption}`}</figcaption>${player(kind, [file], new Map(), '')}</figure></li>`;
  });
  return `<ol class="wp-playlist wp-${kind}-playlist">\n${items.join('\n')}\n</ol>`;
}

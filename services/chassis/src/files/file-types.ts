/**
 * Which files may be uploaded: by the ending of their name and by their first bytes, which must agree. Types that a
 * browser would run or style pages with (scripts, style sheets) are in no row and therefore refused to everybody.
 */

export interface FileType {
  readonly mime: string;
  /** A picture that sharp reads; SVG is none, it is a document. */
  readonly raster: boolean;
  /** Only for users who may post unfiltered HTML, since the file can carry scripts. */
  readonly active: boolean;
}

/** What the first bytes say; several names may share one (a docx is a zip). */
type Content =
  | 'png'
  | 'jpeg'
  | 'gif'
  | 'webp'
  | 'avif'
  | 'pdf'
  | 'mp3'
  | 'ogg'
  | 'wav'
  | 'mp4'
  | 'matroska'
  | 'zip'
  | 'compound'
  | 'mpeg'
  | 'avi'
  | 'asf'
  | 'text'
  | 'unknown';

interface Row extends FileType {
  readonly endings: readonly string[];
  readonly content: Content;
}

const row = (endings: string, mime: string, content: Content, flags: Partial<FileType> = {}): Row => ({
  endings: endings.split(' '),
  mime,
  content,
  raster: false,
  active: false,
  ...flags,
});

const OFFICE = 'application/vnd.openxmlformats-officedocument';
const ROWS: readonly Row[] = [
  row('jpg jpeg jpe', 'image/jpeg', 'jpeg', { raster: true }),
  row('png', 'image/png', 'png', { raster: true }),
  row('gif', 'image/gif', 'gif', { raster: true }),
  row('webp', 'image/webp', 'webp', { raster: true }),
  row('avif', 'image/avif', 'avif', { raster: true }),
  row('pdf', 'application/pdf', 'pdf'),
  row('mp3', 'audio/mpeg', 'mp3'),
  row('ogg oga', 'audio/ogg', 'ogg'),
  row('wav', 'audio/wav', 'wav'),
  row('m4a', 'audio/mp4', 'mp4'),
  row('mp4 m4v', 'video/mp4', 'mp4'),
  row('mov', 'video/quicktime', 'mp4'),
  row('webm', 'video/webm', 'matroska'),
  row('ogv', 'video/ogg', 'ogg'),
  row('mpg mpeg', 'video/mpeg', 'mpeg'),
  row('avi', 'video/x-msvideo', 'avi'),
  row('wmv', 'video/x-ms-wmv', 'asf'),
  row('txt', 'text/plain', 'text'),
  row('csv', 'text/csv', 'text'),
  row('vtt', 'text/vtt', 'text'),
  row('zip', 'application/zip', 'zip'),
  row('docx', `${OFFICE}.wordprocessingml.document`, 'zip'),
  row('xlsx', `${OFFICE}.spreadsheetml.sheet`, 'zip'),
  row('pptx', `${OFFICE}.presentationml.presentation`, 'zip'),
  row('odt', 'application/vnd.oasis.opendocument.text', 'zip'),
  row('ods', 'application/vnd.oasis.opendocument.spreadsheet', 'zip'),
  row('odp', 'application/vnd.oasis.opendocument.presentation', 'zip'),
  row('doc', 'application/msword', 'compound'),
  row('xls', 'application/vnd.ms-excel', 'compound'),
  row('ppt', 'application/vnd.ms-powerpoint', 'compound'),
  row('svg', 'image/svg+xml', 'text', { active: true }),
  row('html htm', 'text/html', 'text', { active: true }),
];

const BY_ENDING = new Map(ROWS.flatMap((entry) => entry.endings.map((ending) => [ending, entry] as const)));
const MIME_TYPES = new Set(ROWS.map((entry) => entry.mime));

/** How many bytes of a file `contentOf` wants to see. */
export const HEAD_BYTES = 4096;

export const typeOfEnding = (ending: string): FileType | undefined => BY_ENDING.get(ending.toLowerCase());
export const isKnownMime = (mime: string): boolean => MIME_TYPES.has(mime);

/** `image` pictures; what the filter `media_type` and the field of that name mean. */
export const isRasterMime = (mime: string): boolean =>
  ROWS.some((entry) => entry.raster && entry.mime === mime);

export function endingOfMime(mime: string): string | undefined {
  return ROWS.find((entry) => entry.mime === mime)?.endings[0];
}

/** Whether the bytes are what the name promises. */
export function contentMatches(ending: string, head: Buffer): boolean {
  const wanted = BY_ENDING.get(ending.toLowerCase());
  if (!wanted || contentOf(head) !== wanted.content) return false;
  if (ending === 'vtt') return /^\ufeff?WEBVTT/.test(head.toString('utf8', 0, 16));
  if (wanted.mime === 'image/svg+xml') return /<svg[\s>]/i.test(head.toString('utf8'));
  return true;
}

/** Mime type of a picture by its bytes alone, for files that come without a trustworthy name. */
export function rasterMimeOf(head: Buffer): string | undefined {
  const content = contentOf(head);
  return ROWS.find((entry) => entry.raster && entry.content === content)?.mime;
}

const RIFF: Readonly<Record<string, Content>> = { WEBP: 'webp', WAVE: 'wav', 'AVI ': 'avi' };

function contentOf(head: Buffer): Content {
  const latin = head.toString('latin1', 0, 64);
  if (latin.startsWith('\x89PNG\r\n\x1a\n')) return 'png';
  if (latin.startsWith('\xff\xd8\xff')) return 'jpeg';
  if (/^GIF8[79]a/.test(latin)) return 'gif';
  if (latin.startsWith('RIFF')) {
    const kind = latin.slice(8, 12);
    return RIFF[kind] ?? 'unknown';
  }
  if (latin.slice(4, 8) === 'ftyp') return /^avi[fs]$/.test(latin.slice(8, 12)) ? 'avif' : 'mp4';
  // Old QuickTime files start with their data or an empty box instead of a type.
  if (/^(?:moov|mdat|wide|free|skip)$/.test(latin.slice(4, 8))) return 'mp4';
  if (latin.startsWith('OggS')) return 'ogg';
  if (latin.startsWith('\x1a\x45\xdf\xa3')) return 'matroska';
  if (latin.startsWith('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1')) return 'compound';
  if (/^\0\0\x01[\xba\xb3]/.test(latin)) return 'mpeg';
  if (latin.startsWith('\x30\x26\xb2\x75\x8e\x66\xcf\x11')) return 'asf';
  if (/^PK(?:\x03\x04|\x05\x06)/.test(latin)) return 'zip';
  if (latin.startsWith('ID3') || isMp3Frame(head)) return 'mp3';
  // The header of a PDF may come after some other bytes.
  if (head.subarray(0, 1024).includes('%PDF-')) return 'pdf';
  return isText(head) ? 'text' : 'unknown';
}

/** Sync word with a layer and a bit rate that exist; eleven set bits alone also start UTF-16 text. */
function isMp3Frame(head: Buffer): boolean {
  const [first = 0, second = 0, third = 0] = head;
  return (
    first === 0xff &&
    (second & 0xe0) === 0xe0 &&
    (second & 0x18) !== 0x08 &&
    (second & 0x06) !== 0 &&
    (third & 0xf0) !== 0xf0
  );
}

/** Text has no control characters but those of layout. Its encoding may be any: tables come in old ones, too. */
function isText(head: Buffer): boolean {
  return head.every(
    (byte) => byte >= 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0c || byte === 0x0d,
  );
}

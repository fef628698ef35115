/** Whether uploaded files may come by their number, size, name and declared type. Their content others judge. */

import type { MessageName } from '../forms/properties';
import { isRequired, type FormTag } from './form';
import type { UploadedFile } from './values';

const DEFAULT_LIMIT = 1024 * 1024;
const DEFAULT_TYPES =
  'jpg jpeg png gif webp pdf doc docx ppt pptx odt ods xls xlsx txt csv ogg m4a mov mp3 mp4 mpg wav avi wmv'.split(
    ' ',
  );
const MOST_FILES = 20;

/** Endings of pictures, sounds and films: a name with one of them must not come as something else. */
const MEDIA: Record<string, readonly string[]> = {
  image: 'jpg jpeg jpe png gif webp avif heic heif bmp tif tiff ico'.split(' '),
  audio: 'mp3 m4a aac ogg oga opus flac wav wma mid midi weba'.split(' '),
  video: 'mp4 m4v mov mpg mpeg ogv webm avi wmv mkv 3gp'.split(' '),
};
const FAMILY = new Map(
  Object.entries(MEDIA).flatMap(([family, endings]) => endings.map((end) => [end, family])),
);
// Containers of sound and film share their types.
const ALIKE = new Set(['audio', 'video']);

export function typesOf(tag: FormTag): readonly string[] {
  return tag.settings.fileTypes ?? DEFAULT_TYPES;
}

export function faultOfFiles(tag: FormTag, files: readonly UploadedFile[]): MessageName | undefined {
  if (files.length === 0) return isRequired(tag) ? 'invalid_required' : undefined;
  if (files.length > (tag.settings.flags.has('multiple') ? MOST_FILES : 1)) return 'upload_failed';
  const types = typesOf(tag);
  if (!files.every((file) => isAllowed(file, types))) return 'upload_file_type_invalid';
  const limit = tag.settings.limit ?? DEFAULT_LIMIT;
  return files.every((file) => file.bytes <= limit) ? undefined : 'upload_file_too_large';
}

function isAllowed(file: UploadedFile, types: readonly string[]): boolean {
  const ending = /\.([A-Za-z\d]{1,10})$/.exec(file.name)?.[1]?.toLowerCase() ?? '';
  const declared = file.type.toLowerCase().split(';', 1)[0]!.trim();
  if (contradicts(ending, declared)) return false;
  return types.some((type) => {
    if (!type.includes('/')) return type === ending;
    if (!type.endsWith('/*')) return type === declared;
    const family = type.slice(0, -2);
    // A type that anybody can declare is not enough where endings are known.
    return declared.startsWith(`${family}/`) && (!MEDIA[family] || FAMILY.get(ending) === family);
  });
}

/** A picture by name that is declared as text is neither. Programs that declare nothing are believed their names. */
function contradicts(ending: string, declared: string): boolean {
  const named = FAMILY.get(ending);
  const family = declared.split('/')[0]!;
  if (!named || declared === '' || family === 'application') return false;
  return family !== named && !(ALIKE.has(named) && ALIKE.has(family));
}

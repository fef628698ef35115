/** Reads the file name of a `Content-Disposition` header, in the plain form and in the one for other alphabets. */

/** Undefined when the header names no file. */
export function fileNameOf(header: string): string | undefined {
  const semicolon = header.indexOf(';');
  if (semicolon < 0 || !/^\s*[\w-]+\s*$/.test(header.slice(0, semicolon))) return undefined;
  const parameters = new Map<string, string>();
  const pattern = /;\s*([\w!#$&+.^`|~-]+\*?)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;"]*))/gy;
  pattern.lastIndex = semicolon;
  for (let match = pattern.exec(header); match; match = pattern.exec(header)) {
    const [, name = '', quoted, bare] = match;
    const value = quoted === undefined ? (bare ?? '').trim() : quoted.replace(/\\(.)/g, '$1');
    if (!parameters.has(name.toLowerCase())) parameters.set(name.toLowerCase(), value);
  }
  const name = decodeExtended(parameters.get('filename*')) ?? asUtf8(parameters.get('filename'));
  return name === undefined || name.trim() === '' ? undefined : name;
}

/** `UTF-8''na%C3%AFve.png`; a form that cannot be read gives way to the plain one. */
function decodeExtended(value: string | undefined): string | undefined {
  const match = /^([\w-]+)'[^']*'(.*)$/.exec(value ?? '');
  if (!match) return undefined;
  const [, charset = '', text = ''] = match;
  try {
    if (/^utf-8$/i.test(charset)) return decodeURIComponent(text);
    if (/^iso-8859-1$/i.test(charset))
      return text.replace(/%([0-9a-f]{2})/gi, (_, code: string) => String.fromCharCode(parseInt(code, 16)));
  } catch {
    // falls through
  }
  return undefined;
}

/** Node reads headers as Latin-1, while clients that send other letters as they are mean UTF-8. */
function asUtf8(value: string | undefined): string | undefined {
  if (value === undefined || !/[\x80-\xff]/.test(value)) return value;
  const text = Buffer.from(value, 'latin1').toString('utf8');
  return text.includes('\ufffd') ? value : text;
}

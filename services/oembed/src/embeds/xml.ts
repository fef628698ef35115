/** Answers as XML: one element for each field, nested as they are. */
const CONTROL = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

export const XML_TYPE = 'text/xml; charset=UTF-8';

export const toXml = (fields: Readonly<Record<string, unknown>>): string =>
  `<?xml version="1.0"?>\n<oembed>${elements(fields)}</oembed>`;

function elements(value: unknown): string {
  if (value === null) return '';
  if (typeof value !== 'object') return escape(String(value as string | number | boolean));
  const entries: [string, unknown][] = Array.isArray(value)
    ? value.map((one) => ['item', one])
    : Object.entries(value);
  return entries
    .filter(([, one]) => one !== undefined)
    .map(([name, one]) => [nameOf(name), elements(one)] as const)
    .map(([name, inner]) => `<${name}>${inner}</${name}>`)
    .join('');
}

/** Keys come from us, but some name what a client sent. */
const nameOf = (key: string): string => key.replace(/[^A-Za-z0-9_.-]/g, '_').replace(/^(?![A-Za-z_])/, '_');

const escape = (text: string): string =>
  text
    .replace(CONTROL, '')
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(/\r/g, '&#13;');

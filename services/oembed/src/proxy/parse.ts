/** What a provider answered, as fields, whatever it says its type is: JSON or XML, as oEmbed 1.0 has them. */
import { XMLParser } from 'fast-xml-parser';

export type Fields = Readonly<Record<string, unknown>>;

/** In characters, several times what is taken of its HTML (reduce.ts). Tags are read one by one, while others wait. */
const LONGEST_XML = 65_536;

const parser = new XMLParser({ ignoreAttributes: true, parseTagValue: false, ignoreDeclaration: true });

/** Undefined for all that is neither. */
export function parseOembed(text: string): Fields | undefined {
  const start = text.replace(/^\ufeff/, '').trimStart();
  try {
    if (start.startsWith('{')) return fieldsOf(JSON.parse(start));
    // Entities of its own are what nobody needs and what bombs are made of.
    if (start.startsWith('<') && start.length <= LONGEST_XML && !/<!(?:DOCTYPE|ENTITY)/i.test(start))
      return fieldsOf((parser.parse(start) as { oembed?: unknown }).oembed);
  } catch {
    // Whatever it is, it is none.
  }
  return undefined;
}

const fieldsOf = (value: unknown): Fields | undefined =>
  value !== null && typeof value === 'object' && !Array.isArray(value) ? (value as Fields) : undefined;

/** HTML as a browser reads it, for tests: elements with their attributes and text. */

import { parseFragment, type DefaultTreeAdapterTypes } from 'parse5';

export interface Element {
  name: string;
  attributes: Record<string, string>;
  /** All text inside. */
  text: string;
  children: Element[];
}

// Of characters that no markup is made of.
const HARMLESS = new Set(['control-character-in-input-stream', 'noncharacter-in-input-stream']);

/** Throws where a browser would have to guess. */
export function readHtml(html: string): Element[] {
  const faults: string[] = [];
  const fragment = parseFragment(html, {
    sourceCodeLocationInfo: true,
    onParseError: ({ code, startOffset }) => {
      if (!HARMLESS.has(code))
        faults.push(`${code}: ${html.slice(Math.max(0, startOffset - 60), startOffset + 20)}`);
    },
  });
  if (faults.length > 0) throw new Error(faults.join('\n'));
  return fragment.childNodes.flatMap(toElement);
}

/** An element and all inside it, in order. */
export function flat(elements: Element[]): Element[] {
  return elements.flatMap((element) => [element, ...flat(element.children)]);
}

function toElement(node: DefaultTreeAdapterTypes.ChildNode): Element[] {
  if (!('tagName' in node)) return [];
  return [
    {
      name: node.tagName,
      attributes: Object.fromEntries(node.attrs.map(({ name, value }) => [name, value])),
      text: textOf(node),
      children: node.childNodes.flatMap(toElement),
    },
  ];
}

function textOf(node: DefaultTreeAdapterTypes.ChildNode): string {
  if ('value' in node) return node.value;
  return 'childNodes' in node ? node.childNodes.map(textOf).join('') : '';
}

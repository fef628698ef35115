/** Writes a form as text again: reading that gives the same form. */

import type { Form, FormTag } from './form';

const CLOSING_QUOTES: Record<string, string> = { '“': '”', '„': '“', '‟': '”', '‘': '’', '‚': '‘', '‛': '’' };

export function printForm(form: Pick<Form, 'parts'>): string {
  return form.parts
    .map((part) => {
      if (part.kind === 'tag') return printTag(part.tag);
      return part.kind === 'escaped' ? `[${part.text}]` : part.text;
    })
    .join('');
}

function printTag(tag: FormTag): string {
  // The quotes stay: a value may hold the other kinds.
  const values = tag.values.map(({ text, quote }) => quote + text + (CLOSING_QUOTES[quote] ?? quote));
  const words = [tag.type + (tag.starred ? '*' : ''), tag.name, ...tag.options, ...values];
  const head = `[${words.filter(Boolean).join(' ')}]`;
  return tag.content === undefined ? head : `${head}${tag.content}[/${tag.type}]`;
}

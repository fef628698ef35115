/** What the text of a form means: read once for each version of it, in each process. */
import { openLru } from '@sevenfold/chassis/lru';
import type { Form } from '../tags/form';
import { parseForm } from '../tags/parse';
import type { FormRow } from './store';

export type Parsed = (form: Pick<FormRow, 'id' | 'version' | 'form'>) => Form;

const MOST = 500;

export function openParsed(): Parsed {
  const known = openLru<string, Form>({ most: MOST });
  return ({ id, version, form }) => {
    const key = `${id}/${version}`;
    const hit = known.get(key);
    if (hit) return hit;
    const parsed = parseForm(form);
    known.set(key, parsed);
    return parsed;
  };
}

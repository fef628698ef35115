/* Which names a mail template may use. */

import { mailFields, mailNameReader } from './mail-names';
import { parseForm } from './parse';

const form = parseForm(
  '[text* name][select topic "a|b"][quiz q "1|1"][submit "Go"][acceptance ok]y[/acceptance]',
);

it('fields that hold something to read', () => {
  expect(mailFields(form)).toEqual(['name', 'topic', 'ok']);
});

it.each([
  ['name', { kind: 'field', field: 'name' }],
  ['_raw_topic', { kind: 'raw', field: 'topic' }],
  ['_format_name', { kind: 'format', field: 'name' }],
  ['_site_title', { kind: 'special', name: '_site_title' }],
  ['q', undefined],
  ['other', undefined],
  ['_raw_other', undefined],
  ['_raw__site_title', undefined],
  ['constructor', undefined],
])('%s: %j', (name, expected) => {
  expect(mailNameReader(form)(name)).toEqual(expected);
});

/* Which names a mail template may use. */

import { mailFields } from './mail-names';
import { parseForm } from './parse';

const form = parseForm(
  '[text* name][select topic "a|b"][quiz q "1|1"][submit "Go"][acceptance ok]y[/acceptance]',
);

it('fields that hold something to read', () => {
  expect(mailFields(form).map(({ name }) => name)).toEqual(['name', 'topic', 'ok']);
});

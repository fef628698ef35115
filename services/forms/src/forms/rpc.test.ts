/** Forms over gRPC: rendered for a page. */
import type { Remote } from '@sevenfold/chassis/grpc/dial';
import { FormServiceService, type FormServiceServer } from '@sevenfold/proto/gen/sevenfold/forms/v1/form';
import { type FormsSite, startForms } from '../testing/service';

let site: FormsSite;
let remote: Remote<FormServiceServer>;
beforeAll(async () => {
  site = await startForms();
  remote = site.dial<FormServiceServer>(FormServiceService, 'gateway');
});
afterAll(async () => {
  remote.close();
  await site.stop();
});

const render = (id: number, more: object = {}) =>
  remote.renderForm({ id, query: {}, containerId: 0, position: 0, returnUrl: '', ...more });

test('a form stands ready in a page: where it posts to, from where, and the way back', async () => {
  const id = await site.makeForm({
    title: 'A "form"',
    form: '[text* your-name default:get][date when min:today]',
    additional_settings: 'autop: off',
  });
  const { html, title, unitTag, locale } = await render(id, {
    query: { 'your-name': 'Ann & "Bob"' },
    containerId: 7,
    position: 2,
    returnUrl: '/thanks',
  });
  expect([title, unitTag, locale]).toEqual(['A "form"', `contact-form-f${id}-p7-o2`, 'en_US']);
  for (const part of [
    `action="http://site.test/rest/contact-form/v1/contact-forms/${id}/feedback"`,
    `id="${unitTag}"`,
    `name="_contact_form_unit_tag" value="${unitTag}"`,
    'name="_contact_form_return_url" value="/thanks"',
    'name="_contact_form_container_post" value="7"',
  ])
    expect(html).toContain(part);
  expect(html).toContain('value="Ann &amp; &quot;Bob&quot;"');
  expect(html).not.toContain('<p>');
});

test('shows what a form is now, and each question with a token of its own', async () => {
  const id = await site.makeForm({ form: '[quiz q "1+1=?|2"]' });
  const before = (await render(id)).html;
  expect(before).toContain('1+1=?');
  await site.by('editor').post(`/contact-forms/${id}`, { form: '[text other]' });
  const after = (await render(id)).html;
  expect(after).toContain('name="other"');
  expect(after).not.toContain('1+1=?');
});

test('what is not there', async () => {
  await expect(render(999_999)).rejects.toMatchObject({ code: 'contact_form_not_found', status: 404 });
});

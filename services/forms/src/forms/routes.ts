/** Contact forms themselves: list, make, read, change, delete. */
import { type Resource, WRITE, reply, route } from '@sevenfold/chassis/http/route';
import * as shape from '@sevenfold/chassis/http/shapes';
import type { Deps } from '../deps';
import { errors } from '../errors';
import { configErrors } from '../tags/config-errors';
import { ITEM, loadForm } from './load';
import * as policy from './policy';
import { type ShownForm, presentForm, presentName } from './presenter';
import { MOST_FORMS, createArgs, formSchema, itemArgs, listAnswer, listArgs, updateArgs } from './schema';
import * as store from './store';
import { createForm, deleteForm, merged, newForm, updateForm } from './write';

/** Whoever sends a context other than `save` wants to see, not to keep. */
const isDryRun = ({ context }: { readonly context?: string | null }): boolean =>
  context !== undefined && context !== null && context !== 'save';

/** None are an empty list. */
function withErrors(form: Omit<ShownForm, 'configErrors'>, { siteUrl }: Deps): ShownForm {
  const found = configErrors(form, { siteUrl });
  return { ...form, configErrors: Object.keys(found).length > 0 ? found : [] };
}

export const forms: Resource<Deps> = {
  name: 'contact-forms',
  description: 'Contact forms.',
  routes: [
    route({
      methods: ['GET'],
      path: '/contact-forms',
      summary: 'List contact forms',
      description:
        'All contact forms by number, title, name and language; `per_page` and `offset` choose some.',
      args: listArgs,
      answers: { body: listAnswer },
      permission: policy.refuseList,
      handle: async ({ deps, args }) => {
        const { per_page: size = -1 } = args;
        const all = size < 1;
        const rows = await store.list(deps.db, {
          search: args.search,
          orderBy: args.orderby.toLowerCase(),
          descending: args.order.toLowerCase() === 'desc',
          limit: all ? MOST_FORMS : size,
          offset: all ? 0 : args.offset,
        });
        return reply.list(rows);
      },
      present: presentName,
    }),
    route({
      methods: ['POST'],
      path: '/contact-forms',
      summary: 'Create a contact form',
      description:
        'Creates a contact form; what is not sent is as in a new form. With a `context` other than `save` it is only shown, with 200, and not kept.',
      args: createArgs,
      // What is only shown, not kept.
      answers: { also: { 200: shape.itemOf(formSchema) } },
      schema: formSchema,
      permission: policy.refuseForm,
      handle: async ({ deps, args, sent, root }) => {
        if (sent.has('id')) throw errors.exists();
        const fields = merged(newForm(deps.siteUrl), args);
        if (isDryRun(args)) return reply.item(withErrors({ ...fields, id: null, slug: null }, deps));
        const row = await createForm(deps, fields);
        const location = `${root}/contact-form/v1/contact-forms/${row.id}`;
        return reply.created(withErrors({ ...row, slug: null }, deps), location);
      },
      present: presentForm,
    }),
    route({
      methods: ['GET'],
      path: ITEM,
      summary: 'Read a contact form',
      description: 'Answers a form with its mails, messages and settings.',
      args: itemArgs,
      schema: formSchema,
      load: loadForm,
      permission: policy.refuseForm,
      handle: ({ subject }) => reply.item<ShownForm>(subject),
      present: presentForm,
    }),
    route({
      methods: WRITE,
      path: ITEM,
      summary: 'Change a contact form',
      description:
        'Changes a form. With a `context` other than `save` it is only shown as it would be. What is wrong with its mails is told under `config_errors`.',
      args: updateArgs,
      schema: formSchema,
      load: loadForm,
      permission: policy.refuseForm,
      handle: async ({ deps, args, subject }) =>
        reply.item(
          withErrors(
            isDryRun(args)
              ? { ...subject, ...merged(subject, args) }
              : await updateForm(deps, subject.id, args),
            deps,
          ),
        ),
      present: presentForm,
    }),
    route({
      methods: ['DELETE'],
      path: ITEM,
      summary: 'Delete a contact form',
      description: 'Deletes a form for good; what came through it stays.',
      args: itemArgs,
      answers: {
        body: shape.object({ deleted: shape.described('It is gone for good.', shape.constant(true)) }),
      },
      load: loadForm,
      permission: policy.refuseForm,
      handle: async ({ deps, subject }) => {
        await deleteForm(deps, subject.id);
        return reply.plain({ deleted: true });
      },
    }),
  ],
};

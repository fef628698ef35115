/** What visitors submit, and the questions of a form that has lain in a cache. */
import type { IncomingMessage } from 'node:http';
import { wantsPage } from '@sevenfold/chassis/http/form-page';
import { type Reply, type Resource, anyone, reply, route } from '@sevenfold/chassis/http/route';
import { withSpool } from '@sevenfold/chassis/files/spool';
import type { Deps, FormsCall } from '../deps';
import { ITEM, loadForm } from '../forms/load';
import { itemArgs } from '../forms/schema';
import type { FormRow } from '../forms/store';
import { fieldsOf } from '../tags/form';
import { answerOf, questionsOf } from './answer';
import { errorPage, pageOf, wayBack } from './page';
import { type Posted, isMultipart, readPosted } from './posted';
import { feedbackAnswer, refillAnswer } from './schema';
import { submit } from './submit';

async function feedback(call: FormsCall<object, FormRow>): Promise<Reply<never>> {
  const { deps, subject: form, request, actor } = call;
  return withPosted(deps, form, request.raw, async (posted) => {
    const sender = { actor, request };
    const outcome = await submit(deps, sender, form, posted);
    if (!wantsPage(request.headers)) return reply.plain(answerOf(deps, form, outcome));
    const back = outcome.status === 'mail_sent' ? wayBack(deps, posted) : undefined;
    return back === undefined ? pageOf(deps, sender, form, posted, outcome) : reply.seeOther(back);
  });
}

/** Files live as long as the work. */
function withPosted<T>(
  deps: Deps,
  form: FormRow,
  request: IncomingMessage,
  work: (posted: Posted) => Promise<T>,
): Promise<T> {
  const files = fieldsOf(deps.parsed(form)).filter(({ type }) => type === 'file');
  const options = {
    fileFields: new Set(files.map(({ name }) => name)),
    limit: deps.config.FORM_LIMIT_BYTES,
  };
  const read = async (folder: string): Promise<T> => work(await readPosted(request, { ...options, folder }));
  return isMultipart(request) && files.length > 0 ? withSpool(read) : read('');
}

export const feedbackResource: Resource<Deps> = {
  name: 'feedback',
  description: 'What visitors submit.',
  routes: [
    route({
      methods: ['POST'],
      path: `${ITEM}/feedback`,
      summary: 'Submit a contact form',
      description:
        'Takes what a visitor filled in, by the names of the fields of the form, files as parts of a form. The answer is 200 whatever became of it: `status` and `invalid_fields` tell. Browsers that ask for HTML get a page instead.',
      args: itemArgs,
      sends: { form: true },
      // Pages for browsers tell by their status what JSON tells by its own.
      answers: { body: feedbackAnswer, types: ['text/html'], also: { 303: undefined }, refuses: [422] },
      load: loadForm,
      permission: anyone,
      body: 'stream',
      handle: feedback,
      answerError: ({ status, message }, { headers }) =>
        wantsPage(headers) ? errorPage(status, message) : undefined,
    }),
    route({
      methods: ['GET'],
      path: `${ITEM}/refill`,
      summary: 'Fresh quiz questions of a contact form',
      description:
        'New questions for a form that has lain in a cache, with the tokens that come back with their answers.',
      args: itemArgs,
      answers: { body: refillAnswer },
      load: loadForm,
      permission: anyone,
      handle: ({ deps, subject }) => {
        const questions = questionsOf(deps, subject);
        return reply.plain(Object.keys(questions).length === 0 ? [] : questions, 200, {
          'Cache-Control': 'no-store',
        });
      },
    }),
  ],
};

/** What the sender of a form is told, and what a form that has lain in a cache asks anew. */
import * as shape from '@sevenfold/chassis/http/shapes';

const question = shape.described('The question, and the token that comes back with its answer.', {
  type: 'array',
  prefixItems: [shape.text, shape.text],
  minItems: 2,
  maxItems: 2,
});

/** By the names of fields; no key where the form has none of the kind. */
const questions = {
  quiz: shape.described('Fresh quiz questions, by the names of fields.', shape.mapOf(question)),
  captcha: shape.described('Fresh captchas, by the names of fields.', shape.mapOf(question)),
};

const idref = shape.described('Id of the control in the page, or null.', { type: ['string', 'null'] });

const message = shape.described('What is wrong with it, for whoever sent it.', shape.text);

export const feedbackAnswer = shape.object(
  {
    into: shape.described('Selector of the form in its page, or empty.', shape.text),
    status: shape.described('What became of it.', {
      enum: [
        'mail_sent',
        'mail_failed',
        'validation_failed',
        'acceptance_missing',
        'spam',
        'aborted',
        'error',
      ],
    }),
    message: shape.described('The same in words of the form, for whoever sent it.', shape.text),
    invalid_fields: shape.described(
      'What has to be filled in otherwise.',
      shape.listOf(
        shape.object({
          field: shape.described('Name of the field.', shape.text),
          message,
          idref,
          error_id: shape.described('Id of the place in the page that shows the message.', shape.text),
        }),
      ),
    ),
    invalidFields: shape.described(
      'The same for older clients.',
      shape.listOf(
        shape.object({
          into: shape.described('Selector of the field in its page.', shape.text),
          message,
          idref,
        }),
      ),
    ),
    posted_data_hash: shape.described('Digest of what was sent.', shape.text),
    ...questions,
  },
  ...Object.keys(questions),
);

/** An empty list where the form asks nothing. */
export const refillAnswer = shape.either(shape.object(questions, ...Object.keys(questions)), shape.emptyList);

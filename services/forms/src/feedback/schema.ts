/** What the sender of a form is told, and what a form that has lain in a cache asks anew. */
import * as shape from '@sevenfold/chassis/http/shapes';

const question = shape.described('The question, and the token that comes back with its answer.', {
  type: 'array',
  prefixItems: [shape.text, shape.text],
  minItems: 2,
  maxItems: 2,
});

/** By the names of fields; no key where the form has none of the kind. */
const questions = { quiz: shape.mapOf(question), captcha: shape.mapOf(question) };

const idref = { type: ['string', 'null'] };

export const feedbackAnswer = shape.object(
  {
    into: shape.described('Selector of the form in its page, or empty.', shape.text),
    status: {
      enum: [
        'mail_sent',
        'mail_failed',
        'validation_failed',
        'acceptance_missing',
        'spam',
        'aborted',
        'error',
      ],
    },
    message: shape.text,
    invalid_fields: shape.listOf(
      shape.object({ field: shape.text, message: shape.text, idref, error_id: shape.text }),
    ),
    invalidFields: shape.listOf(shape.object({ into: shape.text, message: shape.text, idref })),
    posted_data_hash: shape.text,
    ...questions,
  },
  ...Object.keys(questions),
);

/** An empty list where the form asks nothing. */
export const refillAnswer = shape.either(shape.object(questions, ...Object.keys(questions)), shape.emptyList);

/** What submissions are answered as, for the document of the console's interface. */
import {
  type Shape,
  constant,
  described,
  either,
  integer,
  listOf,
  mapOf,
  number,
  object,
  orNull,
  text,
} from '@sevenfold/chassis/http/shapes';

const mail = (what: string): Shape =>
  described(
    what,
    object({
      state: described('What became of it: none, queued, sent or failed.', text),
      error: described('Why it failed, or for whom.', text),
    }),
  );

export const submission = object({
  id: described('Number of the submission.', integer),
  form: described(
    'The form that it came through.',
    object({
      id: described('Number of the form.', integer),
      title: described('Title of the form.', text),
    }),
  ),
  status: described('Folder that it lies in.', { type: 'string', enum: ['inbox', 'spam', 'trash'] }),
  submitted_at: described('When it came, ISO 8601 in UTC.', text),
  fields: described(
    'What was filled in, by field; lists where there are several.',
    mapOf(either(text, listOf(text))),
  ),
  files: described(
    'Files that came with it.',
    listOf(
      object({
        field: described('Field that it came in.', text),
        name: described('Name of the file.', text),
        type: described('Type of the file.', text),
        bytes: described('Its size.', integer),
      }),
    ),
  ),
  mail: mail('Its mail to those who run the site.'),
  mail_2: mail('Its second mail.'),
  spam: described(
    'What the spam filter says.',
    object({
      verdict: described('ham, spam or blatant; null before it is judged.', orNull(text)),
      score: described('How sure that is.', orNull(number)),
      evidence: described('What speaks for it.', listOf({ type: 'object', additionalProperties: true })),
    }),
  ),
  address: described('Network address that it came from.', text),
  user_agent: described('What its client said that it is.', text),
  referrer: described('Page before the one with the form.', text),
  url: described('Page with the form.', text),
});

export const submissionPage = object({
  submissions: described('The submissions of this page.', listOf(submission)),
  next: described('The `older_than` of the next page; null on the last.', orNull(integer)),
});

export const deletedSubmission = object({
  deleted: described('It is gone for good.', constant(true)),
  previous: described('What it was.', submission),
});

export const changed = object({
  changed: described('Numbers of those that lay elsewhere before.', listOf(integer)),
});

export const personalData = object({
  submissions: described('How many submissions there are, or were.', integer),
  files: described('How many files.', integer),
  mails: described('How many mails in the local mailbox.', integer),
});

/** What can be wrong with a form's settings, by the anchor under which our documentation tells of it. */

export const CODES = {
  'form-tag': '',
  'unavailable-name': 'A field of this name hides what scripts of the page need of the form.',
  'colon-in-name': 'Style sheets and scripts cannot easily name a field with a colon.',
  'unavailable-html': 'This is left out of forms; form tags make the controls.',
  'several-controls-in-label': 'A label names one control; here are several in one.',
  'html-in-message': 'Messages are plain text; this one has HTML in it, which would be shown as it is.',
  'maybe-empty': 'This can be empty when visitors leave out what they may leave out.',
  'invalid-mailbox': 'Not all of this are mailboxes, such as “Name <name@example.org>”.',
  'email-not-in-site-domain':
    'The sender is not of the site’s domain; many servers take such mail for forged.',
  'invalid-mail-header': 'Each line is a header that forms may set, as “Reply-To: [your-email]”.',
  'attachment-not-a-field':
    'Only files that visitors upload can be attached, named by their fields in brackets.',
} as const;

/** Notes an error in a section; `detail` goes before what is said of every such error. */
export type Note = (section: string, code: keyof typeof CODES, detail?: string) => void;

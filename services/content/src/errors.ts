/** The codes of the content service, and errors that several of its resources answer with; what only one needs is beside it. */
import {
  type ApiError,
  type CodeTable,
  type CommonCode,
  makersFor,
  namesOf,
} from '@sevenfold/chassis/errors';

/** Codes of errors that only this service answers with. */
export const codes = {
  comment_author_column_length: 'The name of the author is too long.',
  comment_author_email_column_length: 'The e-mail address of the author is too long.',
  comment_author_url_column_length: 'The web address of the author is too long.',
  comment_content_column_length: 'The comment is too long.',
  comment_duplicate: 'The same comment is there already.',
  comment_flood: 'Comments of one author come too fast.',
  comment_spam: 'The spam filter takes the comment for spam beyond doubt.',
  duplicate_term_slug: 'Another term of the taxonomy has this slug.',
  empty_content: 'A post would have neither title nor text.',
  empty_term_name: 'A term would have no name.',
  existing_user_email: 'Another user logs in with this e-mail address.',
  existing_user_login: 'Another user logs in with this name.',
  rest_already_trashed: 'It is in the trash already.',
  rest_application_password_not_found: 'The user has no such application password.',
  rest_cannot_assign_sticky: 'The caller may not pin posts.',
  rest_cannot_create: 'The caller may not create such a thing.',
  rest_cannot_create_user: 'The caller may not create users.',
  rest_cannot_delete: 'The caller may not delete this.',
  rest_cannot_edit: 'The caller may not change this.',
  rest_cannot_edit_others: 'The caller may not give it to another author.',
  rest_cannot_edit_roles: 'The caller may not give roles.',
  rest_cannot_manage_application_passwords: 'The caller may not manage these application passwords.',
  rest_cannot_manage_sessions: 'The caller may not manage these sessions.',
  rest_cannot_publish: 'The caller may not give this status.',
  rest_cannot_read: 'The caller may not read this.',
  rest_cannot_read_post: 'The caller may not read the post that the comments are about.',
  rest_cannot_read_status: 'The caller may not see this status.',
  rest_cannot_read_type: 'The caller may not see this post type.',
  rest_cannot_update: 'The caller may not change terms.',
  rest_cannot_view: 'The caller may not see this in the edit context.',
  rest_comment_author_data_required: 'A comment needs name and e-mail address of its author.',
  rest_comment_author_invalid: 'The author of a comment is no user.',
  rest_comment_closed: 'The post is closed for comments.',
  rest_comment_content_invalid: 'The comment says nothing.',
  rest_comment_draft_post: 'Drafts cannot be commented on.',
  rest_comment_exists: 'A new comment cannot be given an id.',
  rest_comment_invalid_author: 'The caller may not name another author.',
  rest_comment_invalid_author_ip: 'The caller may not name the network address of the author.',
  rest_comment_invalid_id: 'There is no such comment.',
  rest_comment_invalid_post_id: 'There is no such post to comment on.',
  rest_comment_invalid_status: 'The caller may not set the status of a comment.',
  rest_comment_invalid_type: 'There is no such kind of comment.',
  rest_comment_login_required: 'Only users who are logged in may comment.',
  rest_comment_trash_post: 'Posts in the trash cannot be commented on.',
  rest_forbidden_context: 'The caller may not see this in the asked context.',
  rest_forbidden_orderby: 'The caller may not order by this.',
  rest_forbidden_param: 'The caller may not use some of the arguments.',
  rest_forbidden_status: 'The caller may not list this status.',
  rest_forbidden_who: 'The caller may not ask for authors.',
  rest_invalid_author: 'There is no such author.',
  rest_invalid_comment_type: 'There is no such kind of comment.',
  rest_invalid_field: 'Two fields do not go together.',
  rest_no_search_term_defined: 'The order by relevance needs a search.',
  rest_not_logged_in: 'Nobody is logged in.',
  rest_orderby_include_missing_include: 'The order by include needs include.',
  rest_post_exists: 'A new item cannot be given an id.',
  rest_post_incorrect_password: 'The password of the post is wrong.',
  rest_post_invalid_id: 'There is no such post, page or attachment.',
  rest_post_invalid_page_number: 'The list has no such page.',
  rest_post_invalid_parent: 'There is no such parent.',
  rest_range_not_satisfiable: 'The file has no such range.',
  rest_session_not_found: 'The user has no such session, or it has ended.',
  rest_source_refused: 'Files are not fetched from this address.',
  rest_source_too_large: 'The file at the address is too large.',
  rest_source_unreachable: 'The file at the address cannot be fetched.',
  rest_status_invalid: 'There is no such status.',
  rest_taxonomy_invalid: 'There is no such taxonomy.',
  rest_taxonomy_not_hierarchical: 'Terms of this taxonomy have no parents.',
  rest_term_invalid: 'There is no such term.',
  rest_too_many_attempts: 'Too many wrong passwords came from one address.',
  rest_trash_not_supported: 'It has no trash: only force=true deletes it.',
  rest_type_invalid: 'There is no such post type.',
  rest_upload_cut_off: 'The upload ended before all of it had arrived.',
  rest_upload_hash_mismatch: 'The upload is not what its digest says.',
  rest_upload_invalid_disposition: 'Content-Disposition cannot be read.',
  rest_upload_no_content_disposition: 'The upload has no file name.',
  rest_upload_no_data: 'There is no file in the request.',
  rest_upload_not_found: 'There is no such file.',
  rest_upload_sideload_error: 'The file cannot be taken.',
  rest_upload_too_many_pixels: 'The picture has too many pixels.',
  rest_upload_unknown_error: 'The upload could not be stored.',
  rest_user_cannot_delete: 'The caller may not delete users.',
  rest_user_cannot_view: 'The caller may not see this user.',
  rest_user_exists: 'A new user cannot be given an id.',
  rest_user_invalid_argument: 'An argument of a user cannot be changed.',
  rest_user_invalid_email: 'Another user logs in with this e-mail address.',
  rest_user_invalid_id: 'There is no such user.',
  rest_user_invalid_password: 'The password cannot be used.',
  rest_user_invalid_reassign: 'The posts cannot be given to this user.',
  rest_user_invalid_role: 'A role cannot be given or taken.',
  rest_user_invalid_slug: 'Another user has this slug.',
  rest_user_invalid_username: 'The log-in name cannot be used.',
  rest_user_last_administrator: 'The site would be left without an administrator.',
  term_exists: 'There is a term of this name already.',
  too_many_application_passwords: 'The user has as many application passwords as there may be.',
  too_many_webhooks: 'The site has as many webhooks as there may be.',
  webhook_delivery_not_found: 'The webhook has no such delivery.',
  webhook_disabled: 'The webhook is disabled: nothing is sent.',
  webhook_not_found: 'There is no such webhook.',
  webhook_secret_lost: 'The secret of the webhook is stored under one that is no longer configured.',
  webhook_secret_not_storable: 'No secret is configured under which that of a webhook could be stored.',
} as const satisfies CodeTable;
export type Code = keyof typeof codes | CommonCode;
export const { apiError, argumentError, deny } = makersFor(codes);

/** Of one argument. */
export interface CodedFault {
  readonly param: string;
  readonly code: Code;
  readonly message: string;
}

/** The first fault speaks; all of them are named in the data. */
export function faulty(status: number, faults: readonly CodedFault[]): ApiError {
  const { code, message } = faults[0] as CodedFault;
  return apiError(code, status, message, { data: { ...namesOf(faults) } });
}

export const errors = {
  postNotFound: () => apiError('rest_post_invalid_id', 404, 'There is no such post.'),
  trashNotSupported: (what: string) =>
    apiError(
      'rest_trash_not_supported',
      501,
      `A ${what} cannot be moved to the trash. Send force=true to delete it for good.`,
    ),
};

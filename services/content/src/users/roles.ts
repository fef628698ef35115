/** Roles and what each may do. A capability is the only thing policies ask for; roles are names for sets of them. */
const reader = ['read'] as const;
const contributor = [
  ...reader,
  'edit_posts',
  'delete_posts',
  'edit_events',
  'delete_events',
  'assign_categories',
  'assign_post_tags',
  'edit_post_tags',
] as const;
const author = [
  ...contributor,
  'upload_files',
  'publish_posts',
  'edit_published_posts',
  'delete_published_posts',
  'publish_events',
  'edit_published_events',
  'delete_published_events',
] as const;
const editor = [
  ...author,
  'moderate_comments',
  'manage_categories',
  'edit_categories',
  'delete_categories',
  'manage_post_tags',
  'delete_post_tags',
  'unfiltered_html',
  'edit_others_posts',
  'delete_others_posts',
  'read_private_posts',
  'edit_private_posts',
  'delete_private_posts',
  'edit_pages',
  'publish_pages',
  'edit_published_pages',
  'edit_others_pages',
  'edit_private_pages',
  'read_private_pages',
  'delete_pages',
  'delete_published_pages',
  'delete_others_pages',
  'delete_private_pages',
  'edit_others_events',
  'delete_others_events',
  'read_private_events',
  'edit_private_events',
  'delete_private_events',
  'manage_forms',
] as const;
const administrator = [
  ...editor,
  'list_users',
  'create_users',
  'edit_users',
  'delete_users',
  'promote_users',
  'manage_options',
  'manage_imports',
  'manage_spamfilter',
  'manage_seo',
] as const;

export const roles = {
  administrator,
  editor,
  author,
  contributor,
  subscriber: reader,
} as const;

export type Role = keyof typeof roles;

export const isRole = (name: string): name is Role => Object.hasOwn(roles, name);

/** Union of what the roles may do. */
export function capabilitiesOf(names: readonly string[]): Set<string> {
  return new Set(names.flatMap((name) => (isRole(name) ? [...roles[name]] : [])));
}

/** Names of the roles that have the capability. */
export const rolesThatMay = (capability: string): Role[] =>
  (Object.keys(roles) as Role[]).filter((role) => (roles[role] as readonly string[]).includes(capability));

/** A capability as answers name it: one right over all of the calendar is three there, one for each of its types. */
export const shownCapabilities = (capability: string): string[] =>
  capability.endsWith('_events')
    ? ['events', 'venues', 'organizers'].map((kind) => capability.replace(/events$/, `calendar_${kind}`))
    : [capability];

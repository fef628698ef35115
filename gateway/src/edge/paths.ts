/** Below which paths the gateway has rooms of its own; all others are the site's. */
export const REST = '/rest';
export const UPLOADS = '/uploads/';

const ROOMS = /^\/(?:rest|openapi|console|forms|uploads)(?:[/.]|$)/;

export const isSiteAddress = (path: string): boolean => !ROOMS.test(path);

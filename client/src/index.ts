export { createClient, type Client, type ClientOptions } from './client.ts';
export type { Credentials, Tokens } from './credentials.ts';
export { SevenfoldError, type OwnCode } from './errors.ts';
export type { components, operations, paths } from './gen/document.ts';
export type { Listing, Page, Walk } from './listing.ts';
export type { CallOptions, Relation } from './resources.ts';
export { type LogIn, logIn } from './sessions.ts';
export type { SendOptions } from './transport.ts';
export type { UploadOptions, UploadProgress, UploadSource } from './upload.ts';

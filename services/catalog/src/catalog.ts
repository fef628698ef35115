/**
 * The one table of services. Whatever names them all (the gateway's addresses, the local stack's processes and
 * databases, the tests of what all declare) is derived from it or checked against it: a new service is its folder and a
 * row here. Knows what a service is from outside, never what it does.
 */

export type Role = 'api' | 'worker';

/**
 * What a process is given besides what all get:
 * database: its own database; uploads: the folder of uploaded files, which the public sees; files: a private folder for all
 * processes of the service; administrator: the first account to make; public: it listens on the public address;
 * addresses: where the others answer HTTP; sealing: the secret under which it stores keys and secrets of outside services;
 * tokens: the secret that signs access tokens.
 */
export type Need =
  'database' | 'uploads' | 'files' | 'administrator' | 'public' | 'addresses' | 'sealing' | 'tokens';

export interface ProcessRow {
  readonly role: Role;
  readonly needs: readonly Need[];
  /** It answers many, or works through much: memory is not saved where that takes time. */
  readonly isBusy?: true;
}

export interface ServiceRow {
  /** Its package is `@sevenfold/<name>`; its variables, its database and its processes go by this name. */
  readonly name: string;
  /** Below `/rest/`. */
  readonly namespace: string;
  /** Below the repository; the program is dist/program.js in it. */
  readonly folder: string;
  readonly processes: readonly ProcessRow[];
  /** The services that it asks over gRPC, by name. */
  readonly calls: readonly string[];
  /** Where its interfaces are unless the environment says otherwise. Each has its own, so all fit on one machine. */
  readonly ports: { readonly http: number; readonly grpc: number };
}

/** In the order in which the site index lists the namespaces. */
export const services = [
  {
    name: 'oembed',
    namespace: 'oembed/1.0',
    folder: 'services/oembed',
    processes: [{ role: 'api', needs: [] }],
    calls: ['calendar', 'content'],
    ports: { http: 8007, grpc: 9007 },
  },
  {
    name: 'calendar',
    namespace: 'calendar/events/v1',
    folder: 'services/calendar',
    processes: [
      { role: 'api', needs: ['database'], isBusy: true },
      { role: 'worker', needs: ['database'], isBusy: true },
    ],
    calls: ['content', 'oembed'],
    ports: { http: 8002, grpc: 9002 },
  },
  {
    name: 'imports',
    namespace: 'calendar/event-aggregator/v1',
    folder: 'services/imports',
    processes: [
      { role: 'api', needs: ['database'], isBusy: true },
      { role: 'worker', needs: ['database'], isBusy: true },
    ],
    calls: ['calendar'],
    ports: { http: 8003, grpc: 9003 },
  },
  {
    name: 'forms',
    namespace: 'contact-form/v1',
    folder: 'services/forms',
    processes: [
      { role: 'api', needs: ['database', 'files'] },
      { role: 'worker', needs: ['database', 'files'] },
    ],
    calls: ['content', 'spamfilter'],
    ports: { http: 8004, grpc: 9004 },
  },
  {
    name: 'spamfilter',
    namespace: 'spamfilter/v1',
    folder: 'services/spamfilter',
    processes: [
      { role: 'api', needs: ['database', 'sealing'] },
      { role: 'worker', needs: ['database', 'sealing'] },
    ],
    calls: [],
    ports: { http: 8005, grpc: 9005 },
  },
  {
    name: 'seo',
    namespace: 'seo/v1',
    folder: 'services/seo',
    processes: [
      { role: 'api', needs: ['database'] },
      { role: 'worker', needs: ['database'] },
    ],
    calls: ['content', 'calendar'],
    ports: { http: 8006, grpc: 9006 },
  },
  {
    name: 'content',
    namespace: 'core/v2',
    folder: 'services/content',
    processes: [
      { role: 'api', needs: ['database', 'uploads', 'administrator', 'sealing'], isBusy: true },
      { role: 'worker', needs: ['database', 'uploads', 'sealing'] },
    ],
    // Its workers read what its readers see.
    calls: ['calendar', 'content', 'forms', 'imports', 'oembed', 'spamfilter'],
    ports: { http: 8001, grpc: 9001 },
  },
] as const satisfies readonly ServiceRow[];

export type ServiceName = (typeof services)[number]['name'];

const keepsData = ({ processes }: ServiceRow): boolean =>
  processes.some(({ needs }) => needs.includes('database'));

/** Those with a database of their own. */
export const databaseServices: readonly ServiceName[] = services.filter(keepsData).map(({ name }) => name);

/** In front of them all; it has no namespace and nobody calls it. */
export const gateway = {
  name: 'gateway',
  folder: 'gateway',
  processes: [{ role: 'api', needs: ['uploads', 'public', 'addresses', 'tokens'], isBusy: true }],
} as const satisfies Omit<ServiceRow, 'namespace' | 'calls' | 'ports'>;

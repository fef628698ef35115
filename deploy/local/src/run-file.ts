import type { DatabaseService } from './databases';

/** What `DATA_DIR/run.json` holds while the stack runs, for tools and tests on the same machine. */
export interface RunFile {
  readonly pid: number;
  /** Tells this process from a later one with the same id. */
  readonly identity: string;
  readonly gateway: string;
  readonly siteUrl: string;
  readonly redis: string;
  readonly databases: Partial<Record<DatabaseService, string>>;
  readonly services: Record<string, { readonly http: string; readonly grpc?: string }>;
  /** The ids of the processes by name, PostgreSQL and Redis included when they are ours. */
  readonly processes: Record<string, number>;
  readonly secretsFile: string;
  readonly uploadsDir: string;
  /** Each service that keeps files has a folder of its name in it. */
  readonly filesDir: string;
  readonly logsDir: string;
}

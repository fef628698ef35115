/**
 * A client of PostgreSQL that fails as it connects, and nowhere else. The library reads the files that an address names (`sslrootcert`,
 * `sslcert`, `sslkey`) where a client is made, and throws there: for one that is away for a moment the process would end.
 */
import { Client, type ClientConfig } from 'pg';
import { isPostgresError, isUnreached, unreached } from '../errors';

type Told = (error: Error | null) => void;

export class Session extends Client {
  declare private unreadable?: Error;

  constructor(config: ClientConfig) {
    try {
      super(config);
    } catch (error) {
      super({ ...config, connectionString: undefined });
      this.unreadable = error as Error;
    }
  }

  override connect(): Promise<Client>;
  override connect(callback: Told): void;
  override connect(callback?: Told): Promise<Client> | void {
    const { unreadable } = this;
    if (callback) {
      const told: Told = (error) => callback(error && told503(error));
      return unreadable ? process.nextTick(told, unreadable) : super.connect(told);
    }
    const connecting = unreadable ? Promise.reject(unreadable) : super.connect();
    return (connecting as Promise<Client>).catch((error: Error) => {
      throw told503(error);
    });
  }
}

/** Certificates that nobody believes, or that are not there, are an outage like a server that is away. */
const told503 = (error: Error): Error =>
  isPostgresError(error) || isUnreached(error) ? error : unreached(error);

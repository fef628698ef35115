/**
 * Encryption between processes, by configuration: certificates are PEM files that the variables name, read once at the
 * start. Without any of them gRPC is plain, as on one machine or in a network of one's own.
 */
import { readFileSync } from 'node:fs';
import { type ChannelCredentials, ServerCredentials, credentials } from '@grpc/grpc-js';
import { type ConfigOf, ConfigError, type grpcTlsVariables, type redisVariables } from './config';

export interface GrpcTls {
  /** With both a process can serve, and proves who it is when it calls. */
  readonly cert?: Buffer;
  readonly key?: Buffer;
  /** Who may sign the certificates of the other side; then callers need one as well. */
  readonly ca?: Buffer;
}

type GrpcTlsConfig = Partial<ConfigOf<typeof grpcTlsVariables>>;

/** Undefined when none of the variables is set. Throws one ConfigError with all faults. */
export function readGrpcTls(config: GrpcTlsConfig): GrpcTls | undefined {
  const faults: string[] = [];
  const file = (name: keyof GrpcTlsConfig): Buffer | undefined => readPem(name, config[name], faults);
  const [cert, key, ca] = [file('GRPC_TLS_CERT'), file('GRPC_TLS_KEY'), file('GRPC_TLS_CA')];
  if (!config.GRPC_TLS_CERT !== !config.GRPC_TLS_KEY)
    faults.push('GRPC_TLS_CERT and GRPC_TLS_KEY go together');
  if (faults.length > 0) throw new ConfigError(faults);
  return cert || ca ? { cert, key, ca } : undefined;
}

/** The authority that signed the certificate of a `rediss://` server; undefined where the system's own will do. */
export function readRedisCa(config: Partial<ConfigOf<typeof redisVariables>>): Buffer | undefined {
  const faults: string[] = [];
  const ca = readPem('REDIS_TLS_CA', config.REDIS_TLS_CA, faults);
  if (faults.length > 0) throw new ConfigError(faults);
  return ca;
}

function readPem(name: string, file: string | undefined, faults: string[]): Buffer | undefined {
  if (!file) return undefined;
  try {
    return readFileSync(file);
  } catch (error) {
    faults.push(`${name}: ${(error as Error).message}`);
    return undefined;
  }
}

export const clientCredentials = (tls: GrpcTls | undefined): ChannelCredentials =>
  tls
    ? credentials.createSsl(tls.ca ?? null, tls.key ?? null, tls.cert ?? null)
    : credentials.createInsecure();

export function serverCredentials(tls: GrpcTls | undefined): ServerCredentials {
  if (!tls) return ServerCredentials.createInsecure();
  const { cert, key, ca } = tls;
  if (!cert || !key)
    throw new ConfigError(['GRPC_TLS_CERT and GRPC_TLS_KEY are needed by whoever serves gRPC with TLS']);
  return ServerCredentials.createSsl(ca ?? null, [{ cert_chain: cert, private_key: key }], ca !== undefined);
}

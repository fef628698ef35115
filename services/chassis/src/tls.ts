/**
 * Encryption between processes, by configuration: certificates are PEM files that the variables name. Those for gRPC are
 * looked at again and again (certificates.ts), as they are made anew while processes run; connections that are there stay.
 * Without any of them gRPC is plain, as on one machine or in a network of one's own.
 */
import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import { type ChannelCredentials, ServerCredentials, credentials, experimental } from '@grpc/grpc-js';
import { type Pems, followPems } from './certificates';
import { type ConfigOf, ConfigError } from './config';
import type { Log } from './log';
import type { grpcTlsVariables, redisVariables } from './variables';

export interface GrpcTls extends Pems {
  /** Tells of newer ones. */
  readonly provider: experimental.CertificateProvider;
}

type GrpcTlsConfig = Partial<ConfigOf<typeof grpcTlsVariables>>;

/** Undefined when none of the variables is set. Throws one ConfigError with all faults; those of files that are made anew later go to the log. */
export function readGrpcTls(config: GrpcTlsConfig, log?: Log): GrpcTls | undefined {
  const faults: string[] = [];
  const file = (name: keyof GrpcTlsConfig): Buffer | undefined => readPem(name, config[name], faults);
  const ca = readAuthority('GRPC_TLS_CA', config.GRPC_TLS_CA, faults);
  const pems: Pems = { cert: file('GRPC_TLS_CERT'), key: file('GRPC_TLS_KEY'), ca };
  if (!config.GRPC_TLS_CERT !== !config.GRPC_TLS_KEY)
    faults.push('GRPC_TLS_CERT and GRPC_TLS_KEY go together');
  if (faults.length > 0) throw new ConfigError(faults);
  if (!pems.cert && !pems.ca) return undefined;
  // Nobody would be reached with these, and the library says so with each try, without a name.
  const fault = faultOf(pems);
  if (fault !== undefined) throw new ConfigError([`GRPC_TLS_CERT and GRPC_TLS_KEY: ${fault}`]);
  const files = { cert: config.GRPC_TLS_CERT, key: config.GRPC_TLS_KEY, ca: config.GRPC_TLS_CA };
  return { ...pems, provider: followPems(files, pems, log) };
}

/** The authority that signed the certificate of a `rediss://` server; undefined where the system's own will do. */
export function readRedisCa(config: Partial<ConfigOf<typeof redisVariables>>): Buffer | undefined {
  const faults: string[] = [];
  const ca = readAuthority('REDIS_TLS_CA', config.REDIS_TLS_CA, faults);
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

/** What is no certificate is taken for an authority without a word, and then nobody is believed. */
function readAuthority(name: string, file: string | undefined, faults: string[]): Buffer | undefined {
  const pem = readPem(name, file, faults);
  try {
    if (pem) new X509Certificate(pem);
  } catch (error) {
    faults.push(`${name}: ${(error as Error).message}`);
  }
  return pem;
}

/** Undefined where certificate and key are readable and fit together. */
function faultOf({ cert, key }: Pems): string | undefined {
  try {
    createSecureContext({ cert, key });
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

export function clientCredentials(tls: GrpcTls | undefined): ChannelCredentials {
  if (!tls) return credentials.createInsecure();
  const { ca, cert, key, provider } = tls;
  // The library takes those that the system trusts only as they are at a start.
  return ca
    ? experimental.createCertificateProviderChannelCredentials(provider, cert ? provider : null)
    : credentials.createSsl(null, key ?? null, cert ?? null);
}

export function serverCredentials(tls: GrpcTls | undefined): ServerCredentials {
  if (!tls) return ServerCredentials.createInsecure();
  const { cert, key, ca, provider } = tls;
  if (!cert || !key)
    throw new ConfigError(['GRPC_TLS_CERT and GRPC_TLS_KEY are needed by whoever serves gRPC with TLS']);
  // NOTE The library names its first two arguments the other way round: what is first has the certificate of this process.
  return experimental.createCertificateProviderServerCredentials(
    provider,
    ca ? provider : null,
    ca !== undefined,
  );
}

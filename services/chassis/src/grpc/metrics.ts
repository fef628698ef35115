/** How long gRPC calls take and how they end, on either side; a stream is one call, from its beginning to its end. */
import { status } from '@grpc/grpc-js';
import { Histogram } from 'prom-client';

const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60];

const clientSeconds = new Histogram({
  name: 'grpc_client_duration_seconds',
  help: 'Time from the start of a call to another service to the end of its answer',
  labelNames: ['service', 'method', 'code'],
  buckets,
});

const serverSeconds = new Histogram({
  name: 'grpc_server_duration_seconds',
  help: 'Time from the arrival of a call to the end of its answer',
  labelNames: ['method', 'code'],
  buckets,
});

/** Answers what is to be called once with the code at the end. */
export function clientCall(service: string, path: string): (code: status) => void {
  const end = clientSeconds.startTimer({ service, method: path.slice(1) });
  return (code) => void end({ code: status[code] });
}

/** Answers what is to be called once with the code at the end; it answers the seconds that have passed. */
export function serverCall(path: string): (code: status) => number {
  const end = serverSeconds.startTimer({ method: path.slice(1) });
  return (code) => end({ code: status[code] });
}

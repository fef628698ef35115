/**
 * A control plane in a folder of its own, on free ports of 127.0.0.1: etcd, API server, controllers, scheduler, and kwok for three
 * nodes and their pods. Whatever ends this process ends all of them, a kill that cannot be caught included (on Linux).
 */
import { spawn, spawnSync } from 'node:child_process';
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import https from 'node:https';
import net from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

const START_MS = 180_000;
const ANSWER_MS = 30_000;
const END_MS = 10_000;
const ZONES = ['a', 'b', 'c'];
const hasParentSignal = spawnSync('setpriv', ['--pdeathsig', 'KILL', 'true']).status === 0;

async function freePorts(count) {
  const servers = Array.from({ length: count }, () => net.createServer().listen(0, '127.0.0.1'));
  await Promise.all(servers.map((server) => once(server, 'listening')));
  const ports = servers.map((server) => server.address().port);
  await Promise.all(servers.map((server) => once(server.close(), 'close')));
  return ports;
}

/** `tools`: what clusterTools answers; `stages`: further ones for kwok. */
export async function startPlane(tools, stages) {
  const home = mkdtempSync(path.join(tmpdir(), 'sevenfold-cluster-'));
  const file = (name) => path.join(home, name);
  const children = [];
  const stop = () => stopAll(children, home);
  // Nothing else may stay behind when this process ends without having been asked to.
  process.on('exit', () => {
    for (const { child } of children) child.kill('SIGKILL');
    rmSync(home, { recursive: true, force: true });
  });
  const run = (name, args) => {
    const log = openSync(file(`${name}.log`), 'a');
    const [command, ...more] = [
      ...(hasParentSignal ? ['setpriv', '--pdeathsig', 'KILL'] : []),
      tools.program(name),
    ];
    const child = spawn(command, [...more, ...args], { stdio: ['ignore', log, log], cwd: home });
    closeSync(log);
    // One that cannot be started at all never ends.
    const ended = new Promise((resolve) => child.once('exit', resolve).once('error', resolve));
    children.push({ name, child, ended });
  };
  const logs = () =>
    children.map(
      ({ name }) =>
        `--- ${name}\n${readFileSync(file(`${name}.log`), 'utf8')
          .split('\n')
          .slice(-15)
          .join('\n')}`,
    );
  try {
    const [clients, peers, port] = await freePorts(3);
    const token = randomBytes(24).toString('hex');
    const plane = {
      home,
      kubeconfig: file('kubeconfig'),
      url: `https://127.0.0.1:${port}`,
      token,
      ca: file('certificates/apiserver.crt'),
    };
    writeKeys(file, plane);
    run('etcd', etcdArgs(file('etcd'), clients, peers));
    run('kube-apiserver', apiserverArgs(file, clients, port));
    await untilReady(plane, children);
    run('kube-controller-manager', controllerArgs(file));
    run('kube-scheduler', [`--kubeconfig=${file('kubeconfig')}`, '--leader-elect=false', '--secure-port=0']);
    run('kwok', [
      `--kubeconfig=${file('kubeconfig')}`,
      '--manage-all-nodes=true',
      '--node-port=0',
      ...[...tools.stages, ...stages].map((one) => `--config=${one}`),
    ]);
    await Promise.all(ZONES.map((zone) => create(plane, '/api/v1/nodes', nodeOf(zone))));
    return { ...plane, stop, logs };
  } catch (error) {
    console.error(logs().join('\n'));
    await stop();
    throw error;
  }
}

const hasEnded = ({ pid, exitCode, signalCode }) =>
  pid === undefined || exitCode !== null || signalCode !== null;

async function stopAll(children, home) {
  for (const { child, ended } of children.reverse()) {
    if (hasEnded(child)) continue;
    child.kill('SIGTERM');
    const killing = setTimeout(() => child.kill('SIGKILL'), END_MS);
    await ended;
    clearTimeout(killing);
  }
  rmSync(home, { recursive: true, force: true });
}

function writeKeys(file, { url, token, ca, kubeconfig }) {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  writeFileSync(file('accounts.key'), privateKey.export({ type: 'pkcs8', format: 'pem' }));
  writeFileSync(file('accounts.pub'), publicKey.export({ type: 'spki', format: 'pem' }));
  writeFileSync(file('tokens.csv'), `${token},admin,admin,system:masters\n`);
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'tests', cluster: { server: url, 'certificate-authority': ca } }],
    users: [{ name: 'admin', user: { token } }],
    contexts: [{ name: 'tests', context: { cluster: 'tests', user: 'admin' } }],
    'current-context': 'tests',
  };
  writeFileSync(kubeconfig, JSON.stringify(config));
}

const etcdArgs = (data, clients, peers) => {
  const [own, others] = [`http://127.0.0.1:${clients}`, `http://127.0.0.1:${peers}`];
  return [
    `--data-dir=${data}`,
    `--listen-client-urls=${own}`,
    `--advertise-client-urls=${own}`,
    `--listen-peer-urls=${others}`,
    `--initial-advertise-peer-urls=${others}`,
    `--initial-cluster=default=${others}`,
    // Nothing of it has to outlive the machine.
    '--unsafe-no-fsync',
    '--log-level=warn',
  ];
};

const apiserverArgs = (file, clients, port) => [
  `--etcd-servers=http://127.0.0.1:${clients}`,
  `--secure-port=${port}`,
  '--bind-address=127.0.0.1',
  `--cert-dir=${file('certificates')}`,
  '--service-account-issuer=https://kubernetes.default.svc',
  `--service-account-key-file=${file('accounts.pub')}`,
  `--service-account-signing-key-file=${file('accounts.key')}`,
  '--service-cluster-ip-range=10.96.0.0/16',
  '--authorization-mode=RBAC',
  `--token-auth-file=${file('tokens.csv')}`,
];

const controllerArgs = (file) => [
  `--kubeconfig=${file('kubeconfig')}`,
  `--service-account-private-key-file=${file('accounts.key')}`,
  '--leader-elect=false',
  '--secure-port=0',
  // A machine with much to do must not pass for a node that is lost.
  '--node-monitor-grace-period=600s',
  // What usually takes minutes of watching, in seconds.
  '--horizontal-pod-autoscaler-sync-period=1s',
  '--horizontal-pod-autoscaler-initial-readiness-delay=1s',
  '--horizontal-pod-autoscaler-cpu-initialization-period=1s',
];

const nodeOf = (zone) => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: {
    name: `node-${zone}`,
    annotations: { 'kwok.x-k8s.io/node': 'fake' },
    labels: {
      'kubernetes.io/hostname': `node-${zone}`,
      'kubernetes.io/os': 'linux',
      'topology.kubernetes.io/zone': zone,
    },
  },
  status: {
    allocatable: { cpu: '200', memory: '1Ti', pods: '1000' },
    capacity: { cpu: '200', memory: '1Ti', pods: '1000' },
  },
});

/** Of the API server, whose certificate it makes itself while it starts. Answers status and text; 0 while it is not there. */
export function ask({ url, token }, route, body) {
  return new Promise((resolve) => {
    const request = https.request(`${url}${route}`, {
      method: body ? 'POST' : 'GET',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      rejectUnauthorized: false,
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    request.on('error', (error) => resolve({ status: 0, text: error.message }));
    request.on('response', (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part) => (text += part));
      response.on('error', (error) => resolve({ status: 0, text: error.message }));
      response.on('end', () => resolve({ status: response.statusCode, text }));
    });
    request.end(body && JSON.stringify(body));
  });
}

/** Throws unless it is made. */
export async function create(plane, route, body) {
  const { status, text } = await ask(plane, route, body);
  if (status !== 201) throw new Error(`${route} was answered with ${status}: ${text}`);
}

async function untilReady(plane, children) {
  const end = Date.now() + START_MS;
  while ((await ask(plane, '/readyz')).text !== 'ok') {
    const gone = children.find(({ child }) => hasEnded(child));
    if (gone) throw new Error(`${gone.name} has ended`);
    if (Date.now() > end) throw new Error('the API server does not become ready');
    await pause(250);
  }
}

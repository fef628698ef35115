/**
 * A control plane of Kubernetes as programs of this machine: built from the module proxy of Go, of fixed versions, once, into
 * the cache folder. Nothing but Go is needed, no container and no image; Go itself checks the sums of all modules.
 */
import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { KUBERNETES, cache, hasGo, place } from './chart-tools.mjs';

// The newest that is built against the same minor version, whose packages are then built once for both.
const KWOK = 'v0.7.0';
// What Kubernetes has in folders of its own repository and publishes as modules with the same number.
const STAGED = `api apiextensions-apiserver apimachinery apiserver cli-runtime client-go cloud-provider
  cluster-bootstrap code-generator component-base component-helpers controller-manager cri-api cri-client
  csi-translation-lib dynamic-resource-allocation endpointslice externaljwt kms kube-aggregator
  kube-controller-manager kube-proxy kube-scheduler kubectl kubelet metrics mount-utils pod-security-admission
  sample-apiserver sample-cli-plugin sample-controller`.split(/\s+/);
const PROGRAMS = {
  // Of the version that Kubernetes itself is built against.
  etcd: 'go.etcd.io/etcd/server/v3',
  kubectl: 'k8s.io/kubernetes/cmd/kubectl',
  'kube-scheduler': 'k8s.io/kubernetes/cmd/kube-scheduler',
  'kube-controller-manager': 'k8s.io/kubernetes/cmd/kube-controller-manager',
  'kube-apiserver': 'k8s.io/kubernetes/cmd/kube-apiserver',
};
// How simulated nodes and pods live, as kwok itself describes it.
const STAGES = {
  'node-initialize.yaml': 'node/fast',
  'node-heartbeat.yaml': 'node/heartbeat',
  'pod-ready.yaml': 'pod/fast',
  'pod-complete.yaml': 'pod/fast',
  'pod-delete.yaml': 'pod/fast',
};

const folder = path.join(cache, `cluster-${KUBERNETES}-kwok-${KWOK}`);
const programs = [...Object.keys(PROGRAMS), 'kwok'];
const inFolder = (name) => path.join(folder, name);

/** A module that requires one other; whatever that takes, Go adds while it builds. */
function writeModule(name, requirement) {
  const home = path.join(folder, 'modules', name);
  mkdirSync(home, { recursive: true });
  const staging = KUBERNETES.replace(/^v1\./, 'v0.');
  const lines = [
    `module ${name}`,
    'go 1.24.0',
    `require ${requirement}`,
    ...STAGED.map((one) => `replace k8s.io/${one} => k8s.io/${one} ${staging}`),
  ];
  if (!existsSync(path.join(home, 'go.mod')))
    writeFileSync(path.join(home, 'go.mod'), `${lines.join('\n')}\n`);
  return home;
}

/** The programs tell their version by these; helm compares it with what the chart asks for. */
function linkerFlags() {
  const [major, minor] = KUBERNETES.slice(1).split('.');
  const said = { gitVersion: KUBERNETES, gitMajor: major, gitMinor: minor, gitTreeState: 'clean' };
  const version = ['k8s.io/component-base/version', 'k8s.io/client-go/pkg/version'].flatMap((where) =>
    Object.entries(said).map(([name, value]) => `-X ${where}.${name}=${value}`),
  );
  return ['-s', '-w', ...version].join(' ');
}

function build(home, name, from) {
  place(inFolder(name), (draft) => {
    console.log(`${name} is built, once; on a machine with two cores this takes minutes`);
    const flags = ['-mod=mod', '-buildvcs=false', '-ldflags', linkerFlags(), '-o', draft];
    execFileSync('go', ['build', ...flags, from], {
      cwd: home,
      stdio: 'inherit',
      env: { ...process.env, CGO_ENABLED: '0' },
    });
  });
}

function copyStages(home) {
  const { Dir } = JSON.parse(
    execFileSync('go', ['mod', 'download', '-json', `sigs.k8s.io/kwok@${KWOK}`], { cwd: home }),
  );
  for (const [file, from] of Object.entries(STAGES))
    place(inFolder(file), (draft) => copyFileSync(path.join(Dir, 'kustomize/stage', from, file), draft));
}

/** Undefined where Go is missing and something has still to be built. Throws where Go itself fails. */
export function clusterTools() {
  const made = { folder, stages: Object.keys(STAGES).map(inFolder), program: inFolder };
  if ([...programs.map(inFolder), ...made.stages].every(existsSync)) return made;
  if (!hasGo()) return undefined;
  const kubernetes = writeModule('kubernetes', `k8s.io/kubernetes ${KUBERNETES}`);
  for (const [name, from] of Object.entries(PROGRAMS)) build(kubernetes, name, from);
  const kwok = writeModule('kwok', `sigs.k8s.io/kwok ${KWOK}`);
  build(kwok, 'kwok', 'sigs.k8s.io/kwok/cmd/kwok');
  copyStages(kwok);
  return made;
}

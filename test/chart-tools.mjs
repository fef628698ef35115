/**
 * What checking the chart takes and npm has not: helm, and the schemas of Kubernetes and of what extends it, from the module
 * proxy of Go, of fixed versions. All of it is kept in the cache folder, so Go is needed only once.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, renameSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';

const HELM = 'v3.19.0';
export const KUBERNETES = 'v1.33.4';
const SCHEMAS = {
  [`k8s.io/kubernetes@${KUBERNETES}`]: ['api/openapi-spec/swagger.json'],
  'sigs.k8s.io/gateway-api@v1.3.0': ['config/crd/standard/gateway.networking.k8s.io_httproutes.yaml'],
  'github.com/cert-manager/cert-manager@v1.18.2': ['deploy/crds/crd-certificates.yaml'],
  'github.com/kedacore/keda/v2@v2.17.2': ['config/crd/bases/keda.sh_scaledobjects.yaml'],
  'github.com/prometheus-operator/prometheus-operator@v0.85.0': [
    'podmonitors',
    'servicemonitors',
    'prometheusrules',
  ].map((kind) => `example/prometheus-operator-crd/monitoring.coreos.com_${kind}.yaml`),
};

export const cache = process.env.SEVENFOLD_CACHE || path.join(homedir(), '.cache', 'sevenfold');
export const hasGo = () => spawnSync('go', ['version']).status === 0;

/** Put in place whole, so that what is there is right, whoever else does the same. */
export function place(target, make) {
  if (existsSync(target)) return;
  mkdirSync(path.dirname(target), { recursive: true });
  const draft = `${target}.${process.pid}`;
  make(draft);
  renameSync(draft, target);
}

function installHelm(target) {
  place(target, (draft) => {
    console.log(`helm ${HELM} is built, once; this takes minutes`);
    const bin = path.join(path.dirname(draft), `bin-${process.pid}`);
    execFileSync('go', ['install', `helm.sh/helm/v3/cmd/helm@${HELM}`], {
      stdio: 'inherit',
      env: { ...process.env, GOBIN: bin },
    });
    renameSync(path.join(bin, 'helm'), draft);
  });
}

function fetchSchemas(folder) {
  return Object.entries(SCHEMAS).flatMap(([module, files]) => {
    const targets = files.map((file) => path.join(folder, module.replaceAll('/', '_'), path.basename(file)));
    if (!targets.every(existsSync)) {
      const told = execFileSync('go', ['mod', 'download', '-json', module], { cwd: cache });
      const { Dir } = JSON.parse(told);
      files.forEach((file, at) => place(targets[at], (draft) => copyFileSync(path.join(Dir, file), draft)));
    }
    return targets;
  });
}

/** Undefined where Go is missing and something has still to be fetched. */
export function chartTools() {
  const helm = path.join(cache, `helm-${HELM}`, 'helm');
  const folder = path.join(cache, 'kubernetes-schemas');
  mkdirSync(cache, { recursive: true });
  try {
    if (!hasGo() && !existsSync(helm)) return undefined;
    installHelm(helm);
    return { helm, schemas: fetchSchemas(folder) };
  } catch (error) {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  }
}

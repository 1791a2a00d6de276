/** Images and containers for tests, by podman, as they are made and run on a machine without a registry. */
import { spawnSync } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { until } from './until.ts';

const repository = fileURLToPath(new URL('../..', import.meta.url));

/** Debian without a registry, beneath everything. */
const SYSTEM = 'localhost/orrery-test-system';
/** In a virtual machine whose control groups are of both kinds crun fails, and without systemd the manager is cgroupfs. */
const ENGINE = ['--cgroup-manager', 'cgroupfs', '--runtime', 'runc'];
/** Those that podman takes by default are above what a machine may allow. */
const LIMITS = ['--ulimit', 'nofile=1024:1024', '--ulimit', 'nproc=1024:1024'];

interface Said {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function run(command: string, args: readonly string[], cwd = repository): Said {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd, encoding: 'utf8', maxBuffer: 1 << 26 });
  return { status, stdout: stdout ?? '', stderr: error?.message ?? stderr };
}

const podman = (...args: readonly string[]): Said => run('podman', [...ENGINE, ...args]);

/** @throws Error with what podman said when it failed. @returns its output. */
export function demand(...args: readonly string[]): string {
  const { status, stdout, stderr } = podman(...args);
  if (status !== 0) throw new Error(`podman ${args.join(' ')} ended with ${String(status)}:\n${stderr}`);
  return stdout.trim();
}

/** Why no container can be run here; undefined where it can. */
export function missingForContainers(): string | undefined {
  const missing = ['podman', 'runc', 'mmdebstrap'].filter((program) => run(program, ['--version']).status !== 0);
  if (missing.length > 0) return `there is no ${missing.join(', no ')}`;
  if (process.getuid?.() !== 0) return 'mmdebstrap and podman with these limits need root';
  if (podman('image', 'exists', SYSTEM).status !== 0) {
    const made = run('bash', [
      '-c',
      `set -o pipefail; mmdebstrap --variant=minbase --include=ca-certificates,libnss-wrapper bookworm - | podman import - ${SYSTEM}`,
    ]);
    if (made.status !== 0) return `Debian could not be fetched: ${made.stderr.slice(-300)}`;
  }
  const tried = podman('run', '--rm', '--network', 'none', ...LIMITS, SYSTEM, 'true');
  return tried.status === 0 ? undefined : `podman runs no container here: ${tried.stderr.slice(-300)}`;
}

/**
 * Builds the image from a clean clone, without network. The packages are those of this checkout, laid over the place where the base image has them: to copy
 * a gigabyte into an image first would only take time.
 */
export function buildImage(name: string, clone: string): void {
  const cloned = run('git', ['clone', '--quiet', repository, clone]);
  if (cloned.status !== 0) throw new Error(cloned.stderr);
  const packages = globSync(['node_modules', '*/node_modules', '*/*/node_modules'], { cwd: repository }).filter(
    (folder) => !folder.startsWith('node_modules/') && existsSync(join(repository, folder)),
  );
  const volumes = packages.flatMap((folder) => ['--volume', `${join(repository, folder)}:/orrery/${folder}:O`]);
  const base = ['--build-arg', `SYSTEM=${SYSTEM}`, '--build-arg', `BASE=${SYSTEM}`];
  const how = ['--format=docker', '--pull=never', '--network=none', '--layers=false', '--force-rm', ...LIMITS];
  demand('build', ...how, ...volumes, ...base, '--tag', name, '--file', join(clone, 'deploy/Containerfile'), clone);
}

export interface ContainerOptions {
  readonly name: string;
  readonly image: string;
  /** A volume for `/data`. */
  readonly volume: string;
  readonly network: 'host' | 'none';
  readonly env?: Readonly<Record<string, string>>;
  readonly flags?: readonly string[];
}

/** As strictly as an image can be run: nothing is written outside the volume, by a user without a name and without a right. */
export function startContainer({ name, image, volume, network, env = {}, flags = [] }: ContainerOptions): void {
  const strict = ['--read-only', '--user', '12345:12345', '--passwd=false', '--cap-drop=all', '--security-opt=no-new-privileges'];
  const settings = Object.entries(env).flatMap(([key, value]) => ['--env', `${key}=${value}`]);
  demand(
    'run',
    '--detach',
    '--name',
    name,
    '--network',
    network,
    '--volume',
    `${volume}:/data`,
    ...LIMITS,
    ...strict,
    ...settings,
    ...flags,
    image,
  );
}

export const logOf = (name: string): string => {
  const { stdout, stderr } = podman('logs', name);
  return stdout + stderr;
};

/** @returns the address that the exchange in it says it is ready at */
export const addressOf = (name: string): Promise<string> =>
  until(`the exchange in ${name} is ready`, () => {
    if (demand('inspect', '--format', '{{.State.Running}}', name) !== 'true') throw new Error(`it ended:\n${logOf(name)}`);
    return Promise.resolve(/Orrery is ready: (http:\/\/\S+)/.exec(logOf(name))?.[1]);
  });

/** @returns the exit code */
export const endOf = (name: string): Promise<number> =>
  until(`${name} has ended`, () => {
    const [running, code] = demand('inspect', '--format', '{{.State.Running}} {{.State.ExitCode}}', name).split(' ');
    return Promise.resolve(running === 'false' ? { code: Number(code) } : undefined);
  }).then(({ code }) => code);

export function removeAll({
  containers,
  volumes,
  images,
}: {
  containers: readonly string[];
  volumes: readonly string[];
  images: readonly string[];
}): void {
  podman('rm', '--force', '--ignore', '--time', '5', ...containers);
  for (const volume of volumes) podman('volume', 'rm', '--force', volume);
  for (const image of [...images, SYSTEM]) podman('rmi', '--force', image);
}

// One entry for every npm script: does all set-up that is missing, then runs the command under the pinned Node.
// Plain JavaScript without dependencies, because it runs first, under whatever Node the machine has.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { NODE_FLAGS } from './node-flags.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const cache = join(root, '.cache');
const say = (line) => process.stderr.write(`orrery: ${line}\n`);

function fail(sentence) {
  say(sentence);
  process.exit(1);
}

/** SHA-256 over the names and bytes of the files below the given paths. */
function fingerprint(paths) {
  const hash = createHash('sha256');
  const visit = (path) => {
    if (!existsSync(path)) return;
    if (!statSync(path).isDirectory()) {
      hash.update(path.slice(root.length)).update('\0').update(readFileSync(path)).update('\0');
      return;
    }
    for (const name of readdirSync(path).sort()) {
      if (name !== 'node_modules' && name !== 'dist') visit(join(path, name));
    }
  };
  for (const path of paths) visit(join(root, path));
  return hash.digest('hex');
}

/** Runs `make` unless it succeeded before with the same inputs and its result is still there. */
function once({ name, inputs, result, make }) {
  const stamp = join(cache, `${name}.stamp`);
  const wanted = fingerprint(inputs);
  if (existsSync(join(root, result)) && existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  make();
  mkdirSync(cache, { recursive: true });
  writeFileSync(stamp, wanted);
}

function run(command, args, options = {}) {
  const done = spawnSync(command, args, { cwd: root, stdio: ['ignore', 2, 2], ...options });
  if (done.error) fail(`${command} could not be started: ${done.error.message}`);
  return done.status ?? 1;
}

function ensureDependencies() {
  once({
    name: 'dependencies',
    inputs: ['package-lock.json'],
    result: 'node_modules',
    make() {
      say('installing dependencies: about a minute, the first time only');
      const status = run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']);
      if (status !== 0) fail('the dependencies could not be installed: see the lines above');
    },
  });
}

/** The pinned Node when there is one for this platform, else the current one if it is new enough. */
function pinnedNode() {
  const bundled = join(root, 'node_modules', `node-${process.platform}-${process.arch}`, 'bin', 'node');
  if (existsSync(bundled)) return bundled;
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > 22 || (major === 22 && minor >= 18)) return process.execPath;
  return fail(`Node 22.18 or newer is needed on ${process.platform}-${process.arch}; this is ${process.version}`);
}

function ensureTerminal(node) {
  once({
    name: 'terminal',
    inputs: [
      'package-lock.json',
      'core/units',
      'core/protocol',
      'core/rules',
      'core/views',
      'api',
      'contracts/src',
      'clients/sdk',
      'clients/terminal',
    ],
    result: 'clients/terminal/dist/index.html',
    make() {
      say('building the terminal');
      const status = run(node, [join(root, 'node_modules/vite/bin/vite.js'), 'build', '--logLevel', 'error'], {
        cwd: join(root, 'clients/terminal'),
        // Whatever is set around us: a test's own setting would build the heavy pages of development.
        env: { ...process.env, NODE_ENV: 'production' },
      });
      if (status !== 0) fail('the terminal could not be built: see the lines above');
    },
  });
}

/** Starts the program in the foreground and hands it the signals that were meant for us. */
function become(node, args, env = {}) {
  const path = `${dirname(node)}:${process.env.PATH ?? ''}`;
  const child = spawn(node, args, {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, PATH: path, NODE_COMPILE_CACHE: join(cache, 'compiled'), ...env },
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('error', (error) => fail(`the program could not be started: ${error.message}`));
  child.on('exit', (code, signal) => process.exit(code ?? (signal === 'SIGINT' ? 130 : 1)));
}

/** Where the caller stands, not where this program lies. */
const paths = (args) =>
  args.map((arg, index) => (arg.startsWith('-') || args[index - 1] === '--until' ? arg : resolve(process.env.INIT_CWD ?? '.', arg)));

const [command, ...rest] = process.argv.slice(2);
ensureDependencies();
const node = pinnedNode();
switch (command) {
  case 'start':
    // What only shows the settings serves no page.
    if (!rest.includes('--check')) ensureTerminal(node);
    become(node, [...NODE_FLAGS, 'exchange/src/main.ts', ...rest], { NODE_ENV: process.env.NODE_ENV ?? 'production' });
    break;
  case 'build':
    ensureTerminal(node);
    break;
  case 'test':
    ensureTerminal(node);
    become(node, ['tools/test.ts', ...rest]);
    break;
  case 'check':
    become(node, ['tools/check.ts', ...rest]);
    break;
  case 'bench':
    ensureTerminal(node);
    become(node, ['--expose-gc', 'bench/src/main.ts', ...rest]);
    break;
  case 'capacity':
    ensureTerminal(node);
    become(node, ['bench/src/capacity/main.ts', ...rest]);
    break;
  case 'cluster':
    ensureTerminal(node);
    become(node, ['tools/cluster.ts', ...rest]);
    break;
  case 'sim':
    become(node, ['simulator/src/main.ts', ...rest]);
    break;
  case 'torture':
    ensureTerminal(node);
    become(node, ['torture/src/main.ts', ...rest]);
    break;
  case 'mutate':
    become(node, ['tools/mutate.ts', ...rest]);
    break;
  case 'verify':
    become(node, ['services/sequencer/src/verify.ts', join(resolve(rest[0] ?? 'data'), 'history')]);
    break;
  case 'rebuild-history':
    become(node, [...NODE_FLAGS, 'exchange/src/rebuild-history.ts', ...rest], { NODE_ENV: process.env.NODE_ENV ?? 'production' });
    break;
  case 'docs':
    become(node, ['exchange/src/settings-page.ts']);
    break;
  case 'backup':
  case 'restore':
    become(node, [...NODE_FLAGS, `exchange/src/${command}.ts`, ...paths(rest)], { NODE_ENV: process.env.NODE_ENV ?? 'production' });
    break;
  default:
    fail(
      `unknown command ${command}: start, build, test, check, bench, capacity, sim, torture, mutate, verify, rebuild-history, docs, backup or restore`,
    );
}

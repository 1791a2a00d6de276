import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { checkSettings } from './check-settings.ts';
import { SETTING_SCHEMAS } from './settings.ts';
import {
  type ComposeFile,
  composeFlaws,
  composeOf,
  deployFiles,
  drawnSecrets,
  imageEnvironment,
  settingsIn,
  targetsIn,
  textOf,
  withFiles,
} from './testing/deploy-files.ts';

const secrets = drawnSecrets();

const SETTINGS = [...SETTING_SCHEMAS].flatMap(([name, { secret }]) => (secret === true ? [name, `${name}_FILE`] : [name]));
/** Of `deploy/image.sh`, which starts nothing. */
const NO_SETTINGS = ['ORRERY_ENGINE', 'ORRERY_DEBIAN'];
const strays = (text: string): readonly string[] => settingsIn(text).filter((name) => ![...SETTINGS, ...NO_SETTINGS].includes(name));

const ADDRESS = `0x${'12'.repeat(20)}`;
/** As the container sees it: variables are filled in. */
const filled = (environment: object): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(withFiles(environment, secrets)).map(([name, value]) => [name, value.replace(/^\$\{\w+:\?.*\}$/, ADDRESS)]),
  );
const accepted = { isUsable: true, hints: [] };
const check = (environment: object) => {
  const { isUsable, hints, lines } = checkSettings({ ...imageEnvironment(), ...filled(environment) });
  return isUsable ? { isUsable, hints } : { isUsable, hints, lines };
};

test.each(deployFiles())('deploy/%s names no setting that the program does not know', (path) => {
  expect(strays(textOf(path))).toEqual([]);
});

test('a setting that nothing knows is found, and so is the file of what is no secret', () => {
  expect(strays('ORRERY_PORT: 1\n  ORRERY_PRT: 2\n# ORRERY_SMTP_URL_FILE ORRERY_PORT_FILE=3')).toEqual(['ORRERY_PRT', 'ORRERY_PORT_FILE']);
});

const COMPOSE = deployFiles().filter((path) => /^compose.*\.yaml$/.test(path));
const compose = (path: string): ComposeFile => composeOf(textOf(path));
const ROLES = compose('compose.roles.yaml');

describe('compose', () => {
  test.each(COMPOSE)('deploy/%s has what it names, and names what it has', (path) => {
    expect(composeFlaws(compose(path))).toEqual([]);
  });

  test.each(COMPOSE)('the exchange starts with what deploy/%s gives it, as far as its settings decide it', (path) => {
    const ours = Object.entries(compose(path).services).filter(([, { image }]) => image === 'localhost/orrery');
    expect(ours.length).toBeGreaterThan(0);
    expect(ours.map(([name, { environment = {} }]) => [name, check(environment)])).toEqual(ours.map(([name]) => [name, accepted]));
  });

  test('each secret of the roles is drawn or written by hand, and no other', () => {
    const named = Object.values(ROLES.secrets ?? {}).map(({ file }) => file.replace('./secrets/', ''));
    expect(readdirSync(secrets).toSorted()).toEqual(named.toSorted());
  });

  test('the proxy, Prometheus and the secrets name services of the roles, at the ports that these have', () => {
    const given = readdirSync(secrets)
      .filter((name) => name.endsWith('-url'))
      .map((name) => readFileSync(join(secrets, name), 'utf8'));
    const targets = targetsIn([textOf('roles/Caddyfile'), textOf('roles/prometheus.yml'), ...given].join('\n'));
    const { ORRERY_PORT: port, ORRERY_METRICS_PORT: metrics } = imageEnvironment();
    const portsOf = ([name, { image }]: [string, { image: string }]) =>
      image === 'localhost/orrery' ? [`${name}:${port}`, `${name}:${metrics}`] : image.includes('postgres') ? [`${name}:5432`] : [];
    const reached = Object.entries(ROLES.services).flatMap(portsOf);
    expect(targets.filter((target) => !reached.includes(target))).toEqual([]);
    // Every program of ours is measured, and every one that serves calls is behind the proxy.
    const unmeasured = reached.filter((target) => target.endsWith(`:${metrics}`) && !textOf('roles/prometheus.yml').includes(target));
    const unserved = reached.filter((target) => /^gateway.*:8080$/.test(target) && !textOf('roles/Caddyfile').includes(target));
    expect([...unmeasured, ...unserved]).toEqual([]);
  });

  test('planted flaws are found', () => {
    const text = textOf('compose.roles.yaml');
    const flawsOf = (from: string | RegExp, to: string): readonly string[] => composeFlaws(composeOf(text.replace(from, to)));
    expect(flawsOf("volumes: ['heart-1:/data']", "volumes: ['heart-9:/data']")).toEqual([
      'volumes: heart-9 is used and not declared',
      'volumes: heart-1 is declared and not used',
    ]);
    expect(flawsOf('secrets: [nats-users]', 'secrets: []')).toEqual(['secrets: nats-users is declared and not used']);
    expect(flawsOf('console-code, rpc-url', 'console-code')).toEqual([
      'secrets: rpc-url is declared and not used',
      'gateway-1: rpc-url is named in the environment and not given',
      'gateway-2: rpc-url is named in the environment and not given',
    ]);
    expect(flawsOf("'443:443', ", "'443:443', '127.0.0.1:9090:1', ")).toEqual(['port 9090 is published twice']);
    expect(flawsOf('./roles/nats.conf', './roles/nats.cnf')).toEqual(['nats: ./roles/nats.cnf is not there']);
    expect(flawsOf('networks: [inside, edge]\n    ports', 'networks: [inside]\n    ports')).toEqual([
      'prometheus: it publishes ports, and is on networks that lead nowhere',
    ]);
    expect(flawsOf('heart-2: { condition', 'heart-3: { condition')).toEqual([
      'gateway-1: it waits for heart-3, which is no service',
      'gateway-2: it waits for heart-3, which is no service',
    ]);
  });
});

test('the unit of systemd starts with what it gives, and with what its comments show', () => {
  const lines = [...textOf('systemd/orrery.service').matchAll(/^#? *Environment=(.*)$/gm)].flatMap(([, line = '']) => line.split(' '));
  const environment = Object.fromEntries(lines.map((line) => line.split('=', 2)));
  expect(Object.keys(environment)).toEqual(['NODE_ENV', 'ORRERY_DATA', 'ORRERY_SMTP_URL_FILE']);
  const { isUsable, hints } = checkSettings(filled(environment));
  expect({ isUsable, hints }).toEqual(accepted);
});

/** The files of `deploy/`, as those read them who start what stands in them. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll } from 'vitest';
import { parse } from 'yaml';

export const DEPLOY = fileURLToPath(new URL('../../../deploy', import.meta.url));

/** Every file below `deploy/`, by its path there; not the secrets of somebody who has drawn them. */
export const deployFiles = (): readonly string[] =>
  (readdirSync(DEPLOY, { recursive: true }) as string[])
    .filter((path) => !path.startsWith('secrets') && statSync(join(DEPLOY, path)).isFile())
    .toSorted();

export const textOf = (path: string): string => readFileSync(join(DEPLOY, path), 'utf8');

export interface ComposeService {
  readonly image: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly networks?: readonly string[];
  readonly secrets?: readonly string[];
  /** `source:target` or `source:target:options`. */
  readonly volumes?: readonly string[];
  readonly ports?: readonly string[];
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly healthcheck?: object;
}

export interface ComposeFile {
  readonly services: Readonly<Record<string, ComposeService>>;
  readonly networks?: Readonly<Record<string, { readonly internal?: boolean } | null>>;
  readonly volumes?: Readonly<Record<string, object | null>>;
  readonly secrets?: Readonly<Record<string, { readonly file: string }>>;
}

/** @param text of the file; its merges of YAML are done */
export const composeOf = (text: string): ComposeFile => parse(text, { merge: true }) as ComposeFile;

/** What the image brings along. */
export const imageEnvironment = (): Readonly<Record<string, string>> => {
  const [, block = ''] = /^ENV ((?:.*\\\n)*.*)$/m.exec(textOf('Containerfile')) ?? [];
  return Object.fromEntries([...block.matchAll(/(\w+)=(\S+)/g)].map(([, name = '', value = '']) => [name, value]));
};

/** What is written by hand beside them. */
const BY_HAND = {
  'rpc-url': 'https://rpc.example.org',
  'operator-key': `0x${'ab'.repeat(32)}`,
  'deployer-key': `0x${'cd'.repeat(32)}`,
  'files-url': 'https://key:word@s3.example.org/files?region=eu-central-1',
  'smtp-url': 'smtps://name:word@mail.example.org',
};

/** @returns a folder of the secrets that an installation in roles has; it is removed after the tests of the file */
export function drawnSecrets(): string {
  const folder = mkdtempSync(join(tmpdir(), 'orrery-deploy-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const secrets = join(folder, 'secrets');
  execFileSync(join(DEPLOY, 'roles/secrets.sh'), [secrets]);
  for (const [name, text] of Object.entries(BY_HAND)) writeFileSync(join(secrets, name), text);
  return secrets;
}

/** An environment whose files of secrets lie in the folder. */
export const withFiles = (environment: object, secrets: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(environment).map(([name, value]) => [name, String(value).replace(/^(\/run\/secrets|%d)(\/orrery)?\//, `${secrets}/`)]),
  );

/** Names of settings that stand in a text, with those that are the name of a file. */
export const settingsIn = (text: string): readonly string[] => [...new Set(text.match(/\bORRERY_[A-Z0-9_]*[A-Z0-9]/g))];

/** Sentences about what a file of compose names and does not have, and about what it has and nothing uses. */
export function composeFlaws(file: ComposeFile): readonly string[] {
  const services = Object.entries(file.services);
  const declared = { networks: keysOf(file.networks), volumes: keysOf(file.volumes), secrets: keysOf(file.secrets) };
  const used = {
    networks: services.flatMap(([, { networks = [] }]) => networks),
    volumes: services
      .flatMap(([, { volumes = [] }]) => volumes.flatMap((each) => each.split(':')[0] ?? []))
      .filter((each) => !isPath(each)),
    secrets: services.flatMap(([, { secrets = [] }]) => secrets),
  };
  const kinds = ['networks', 'volumes', 'secrets'] as const;
  return [
    ...kinds.flatMap((kind) => without(used[kind], declared[kind]).map((name) => `${kind}: ${name} is used and not declared`)),
    ...kinds.flatMap((kind) => without(declared[kind], used[kind]).map((name) => `${kind}: ${name} is declared and not used`)),
    ...services.flatMap(([name, service]) => serviceFlaws(file, name, service)),
    ...twice(services.flatMap(([, { ports = [] }]) => ports.map(hostPortOf))).map((port) => `port ${port} is published twice`),
  ];
}

function serviceFlaws({ services, networks = {} }: ComposeFile, name: string, service: ComposeService): readonly string[] {
  const { image, environment = {}, secrets = [], volumes = [], ports = [], depends_on: before = {} } = service;
  const named = Object.values(environment)
    .filter((value) => value.startsWith(SECRETS))
    .map((value) => value.slice(SECRETS.length));
  const isInside = service.networks !== undefined && service.networks.every((each) => networks[each]?.internal === true);
  return [
    ...(/^[a-z0-9./-]+(:[a-z0-9.]+)?$/.test(image) ? [] : [`${image} is no image`]),
    ...without(named, secrets).map((secret) => `${secret} is named in the environment and not given`),
    ...volumes
      .flatMap((each) => each.split(':')[0] ?? [])
      .filter((path) => isPath(path) && !isThere(path))
      .map((path) => `${path} is not there`),
    ...Object.keys(before)
      .filter((other) => services[other] === undefined)
      .map((other) => `it waits for ${other}, which is no service`),
    ...Object.entries(before)
      .filter(([other, { condition }]) => condition === 'service_healthy' && services[other]?.healthcheck === undefined)
      .map(([other]) => `it waits for the health of ${other}, which has no check`),
    ...(isInside && ports.length > 0 ? ['it publishes ports, and is on networks that lead nowhere'] : []),
  ].map((flaw) => `${name}: ${flaw}`);
}

const SECRETS = '/run/secrets/';

/** Other services that a text names with a port, such as `heart-1:9464`. */
export const targetsIn = (text: string): readonly string[] => [...new Set(text.match(/\b[a-z]+-\d:\d{4}\b/g))];

const keysOf = (record: object | undefined): readonly string[] => Object.keys(record ?? {});
const without = (some: readonly string[], others: readonly string[]): readonly string[] =>
  [...new Set(some)].filter((each) => !others.includes(each));
const twice = (some: readonly string[]): readonly string[] => some.filter((each, at) => some.indexOf(each) !== at);
const isPath = (source: string): boolean => source.startsWith('.') || source.startsWith('/');
const isThere = (path: string): boolean => statSync(join(DEPLOY, path), { throwIfNoEntry: false })?.isFile() === true;
/** `127.0.0.1:9090:9090` is 9090, whatever the address. */
const hostPortOf = (port: string): string => `${port.split(':').at(-2)}${port.endsWith('/udp') ? '/udp' : ''}`;

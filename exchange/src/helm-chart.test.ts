import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { checkSettings } from './check-settings.ts';
import { DEPLOY, drawnSecrets, imageEnvironment, withFiles } from './testing/deploy-files.ts';

/** Helm 3 or 4. */
const HELM = process.env['ORRERY_HELM'] ?? 'helm';
const hasHelm = spawnSync(HELM, ['version'], { stdio: 'ignore' }).error === undefined;
const ADDRESS = `0x${'12'.repeat(20)}`;
const RELEASE = 'shop';

interface Pod {
  readonly metadata: { readonly labels: Readonly<Record<string, string>> };
  readonly spec: {
    readonly containers: readonly {
      readonly env: readonly { readonly name: string; readonly value: unknown }[];
      readonly ports: readonly { readonly name: string; readonly containerPort: number }[];
      readonly volumeMounts: readonly { readonly name: string }[];
      readonly readinessProbe: { readonly httpGet: { readonly path: string } };
    }[];
    readonly volumes: readonly {
      readonly name: string;
      readonly secret?: { readonly secretName: string; readonly items: readonly { readonly key: string; readonly path: string }[] };
    }[];
  };
}

interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly replicas: number;
    readonly template: Pod;
    readonly selector: { readonly matchLabels: object };
    readonly podSelector: { readonly matchLabels: object };
    readonly volumeClaimTemplates: readonly { readonly metadata: { readonly name: string } }[];
    readonly ports: readonly { readonly targetPort: string }[];
    readonly maxUnavailable: number;
  };
}

function helm(...settings: readonly string[]) {
  const flags = settings.flatMap((setting) => ['--set-string', setting]);
  return spawnSync(HELM, ['template', RELEASE, join(DEPLOY, 'helm'), ...flags], { encoding: 'utf8' });
}

function rendered(...settings: readonly string[]): readonly Manifest[] {
  const { status, stdout, stderr } = helm(...settings);
  if (status !== 0) throw new Error(stderr);
  return parseAllDocuments(stdout, { merge: true }).map((document) => document.toJS() as Manifest);
}

const ON_A_CHAIN = [
  `settings.ORRERY_PAUSER_ADDRESS=${ADDRESS}`,
  `settings.ORRERY_LISTER_ADDRESS=${ADDRESS}`,
  'settings.ORRERY_ENV=preview',
];

describe.skipIf(!hasHelm)('the chart', () => {
  const secrets = drawnSecrets();

  describe.each([
    ['one', ['layout=one'], [`${RELEASE} x1 /readyz`], { [RELEASE]: 0 }],
    [
      'roles',
      ['layout=roles', ...ON_A_CHAIN],
      [`${RELEASE}-heart x2 /livez`, `${RELEASE}-gateway x2 /readyz`],
      { [`${RELEASE}-heart`]: 1, [`${RELEASE}-gateway`]: 1 },
    ],
  ] as const)('in the layout %s', (_layout, settings, processes, budgets) => {
    const manifests = hasHelm ? rendered(...settings) : [];
    const of = (kind: string): readonly Manifest[] => manifests.filter((each) => each.kind === kind);
    const pods = of('StatefulSet').map(({ spec: { template, volumeClaimTemplates } }) => ({ ...template, volumeClaimTemplates }));
    const selected = (labels: object): readonly Pod[] =>
      pods.filter(({ metadata }) => Object.entries(labels).every(([name, value]) => metadata.labels[name] === value));

    test('has its processes, and a budget for each', () => {
      const shown = of('StatefulSet').map(({ metadata: { name }, spec: { replicas, template } }) => {
        return `${name} x${replicas} ${template.spec.containers[0]?.readinessProbe.httpGet.path}`;
      });
      expect(shown.toSorted()).toEqual([...processes].toSorted());
      const found = of('PodDisruptionBudget').map(({ metadata: { name }, spec }) => {
        expect(selected(spec.selector.matchLabels)).toHaveLength(1);
        return [name, spec.maxUnavailable] as const;
      });
      expect(Object.fromEntries(found)).toEqual(budgets);
    });

    test('starts with what each process gets, as far as its settings decide it', () => {
      for (const { spec } of pods) {
        const environment = Object.fromEntries(spec.containers[0]?.env.map(({ name, value }) => [name, String(value)]) ?? []);
        const { isUsable, hints, lines } = checkSettings({ ...imageEnvironment(), ...withFiles(environment, secrets) });
        expect({ isUsable, hints, ...(!isUsable && { lines }) }).toEqual({ isUsable: true, hints: [] });
      }
    });

    test('gives each process the files that its settings name, and no other', () => {
      for (const { spec } of pods) {
        const named = spec.containers[0]?.env.flatMap(({ value }) => String(value).match(/^\/run\/secrets\/orrery\/(.*)$/)?.[1] ?? []);
        const given = spec.volumes.flatMap(({ secret }) => secret?.items.map(({ key, path }) => `${key} ${path}`) ?? []);
        expect(given.toSorted()).toEqual(named?.map((name) => `${name} ${name}`).toSorted());
      }
    });

    test('mounts what is there, and names ports of the image', () => {
      const { ORRERY_PORT: http, ORRERY_METRICS_PORT: probes } = imageEnvironment();
      for (const { spec, volumeClaimTemplates } of pods) {
        const there = [...spec.volumes.map(({ name }) => name), ...volumeClaimTemplates.map(({ metadata }) => metadata.name)];
        expect(spec.containers[0]?.volumeMounts.map(({ name }) => name).toSorted()).toEqual(there.toSorted());
        for (const { name, containerPort } of spec.containers[0]?.ports ?? [])
          expect({ http, probes }).toHaveProperty(name, String(containerPort));
      }
    });

    test('serves the page by those that serve calls alone, and lets nobody else in', () => {
      const [service] = of('Service');
      const served = selected(service?.spec.selector ?? {});
      expect(served.map(({ spec }) => spec.containers[0]?.ports.map(({ name }) => name))).toEqual([['http', 'probes']]);
      expect(service?.spec.ports.map(({ targetPort }) => targetPort)).toEqual(['http']);
      expect(JSON.stringify(of('Ingress'))).toContain(`"service":{"name":"${service?.metadata.name}","port":{"name":"http"}}`);
      expect(of('NetworkPolicy').map(({ spec }) => selected(spec.podSelector.matchLabels).length)).toEqual([pods.length]);
    });
  });

  test('a layout that is none is refused', () => {
    expect(helm('layout=both').stderr).toContain('layout is one or roles, not both');
  });
});

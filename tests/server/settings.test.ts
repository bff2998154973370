import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { toPublicKeyLine } from '#server/platform/crypto/sealed-keys.ts';
import { SETTINGS, SettingsError, parseSettings, toLocalUrl } from '#server/settings.ts';

function problemsOf(env: Record<string, string>): readonly string[] {
  try {
    parseSettings(env);
  } catch (error) {
    if (error instanceof SettingsError) return error.problems;
    throw error;
  }
  return [];
}

describe('parseSettings', () => {
  test('requires nothing for a first run', () => {
    expect(parseSettings({})).toMatchObject({
      host: '127.0.0.1',
      port: 4321,
      siteUrl: 'http://127.0.0.1:4321',
      siteName: 'Otoichi',
      dataDir: resolve('data'),
      database: { kind: 'sqlite', file: resolve('data/site.sqlite') },
      storage: { kind: 'folder', path: resolve('data/files') },
      secretKey: null,
      previousSecretKey: null,
      personalInfoPublicKey: null,
      personalInfoKeyFile: resolve('data-keys/personal-info'),
      mail: { kind: 'folder', path: resolve('data/outbox') },
      mailFrom: { name: '', address: 'no-reply@example.test' },
      operatorEmail: 'no-reply@example.test',
      mailEhlo: '',
      mailBounces: '',
      apiOrigin: null,
      webOrigin: null,
      donationHost: 'ofuse.me',
      isMaintenance: false,
      adProviders: ['house'],
      trustedProxyHops: 0,
      hasRateLimits: true,
      logLevel: 'info',
      metrics: null,
    });
  });

  test('checks the account from which payouts are made, and does not repeat it', () => {
    expect(parseSettings({}).zengin).toMatchObject({ ZENGIN_BANK_CODE: '', ZENGIN_DEPOSIT_TYPE: '普通' });
    const env = { ZENGIN_CONSIGNOR_NAME: 'オトイチ(カ', ZENGIN_ACCOUNT_NUMBER: '0012345' };
    expect(parseSettings(env).zengin).toMatchObject(env);
    expect(
      problemsOf({ ZENGIN_ACCOUNT_NUMBER: '99887', ZENGIN_CONSIGNOR_NAME: '見本', ZENGIN_BANK_CODE: 'a' }),
    ).toHaveLength(3);
    expect(problemsOf({ ZENGIN_ACCOUNT_NUMBER: '99887' })[0]).not.toContain('99887');
  });

  test('publishes a contact and a policy for faults of security as addresses', () => {
    const contactOf = (SECURITY_CONTACT: string) => parseSettings({ SECURITY_CONTACT }).securityContact;
    expect(contactOf('Security+1%@Sounds.Example')).toBe('mailto:Security%2B1%25@sounds.example');
    expect(contactOf('https://sounds.example/報告')).toBe('https://sounds.example/%E5%A0%B1%E5%91%8A');
    for (const wrong of ['http://sounds.example', 'javascript:alert(1)', 'nobody', 'a@b.example\nContact: x'])
      expect(problemsOf({ SECURITY_CONTACT: wrong })[0]).toMatch(/^SECURITY_CONTACT is .*, but must be/);
    expect(parseSettings({ SECURITY_POLICY: 'https://a.example/b' }).securityPolicy).toBe(
      'https://a.example/b',
    );
    expect(problemsOf({ SECURITY_POLICY: 'a@b.example' })).toHaveLength(1);
  });

  test('treats an empty or blank value as not set', () => {
    expect(parseSettings({ PORT: '', SITE_NAME: '  ', API_ORIGIN: '', DATABASE_URL: '' })).toEqual(
      parseSettings({}),
    );
  });

  test('stores everything in the given data folder', () => {
    const { database, storage, mail, personalInfoKeyFile } = parseSettings({ DATA_DIR: '/srv/oto' });
    expect(personalInfoKeyFile).toBe('/srv/oto-keys/personal-info');
    expect(database).toEqual({ kind: 'sqlite', file: '/srv/oto/site.sqlite' });
    expect(storage).toEqual({ kind: 'folder', path: '/srv/oto/files' });
    expect(mail).toEqual({ kind: 'folder', path: '/srv/oto/outbox' });
  });

  test('makes backups only in a configured folder, which is not in the data folder', () => {
    expect(parseSettings({ BACKUP_EVERY_HOURS: '6' }).backups).toBeNull();
    const env = { DATA_DIR: '/srv/oto', BACKUP_DIR: '/mnt/backups' };
    expect(parseSettings(env).backups).toEqual({ folder: '/mnt/backups', everyHours: 1, keep: 7 });
    const changed = { ...env, BACKUP_EVERY_HOURS: '24', BACKUP_KEEP: '30' };
    expect(parseSettings(changed).backups).toEqual({ folder: '/mnt/backups', everyHours: 24, keep: 30 });
    expect(problemsOf({ ...env, BACKUP_DIR: '/srv/oto/backups' })[0]).toMatch(/BACKUP_DIR must lie outside/);
    expect(problemsOf({ ...env, BACKUP_EVERY_HOURS: '0' })[0]).toContain('BACKUP_EVERY_HOURS');
    expect(parseSettings(env).backupDrillDays).toBe(30);
    expect(parseSettings({ ...env, BACKUP_DRILL_DAYS: '0' }).backupDrillDays).toBe(0);
    expect(problemsOf({ ...env, BACKUP_DRILL_DAYS: '366' })[0]).toContain('BACKUP_DRILL_DAYS');
  });

  test('copies of backups need backups, a public key, and an access key that is not that of the site', () => {
    const line = toPublicKeyLine(generateKeyPairSync('x25519').publicKey);
    const env = {
      BACKUP_DIR: '/mnt/backups',
      BACKUP_URL: 's3://k:s@s3.example/copies',
      BACKUP_PUBLIC_KEY: line,
    };
    expect(parseSettings(env).backupCopies).toMatchObject({ bucket: { bucket: 'copies' }, publicKey: line });
    expect(parseSettings({ ...env, BACKUP_URL: '' }).backupCopies).toBeNull();
    for (const [changed, problem] of [
      [{ BACKUP_DIR: '' }, /BACKUP_URL needs BACKUP_DIR and BACKUP_PUBLIC_KEY/],
      [{ BACKUP_PUBLIC_KEY: '' }, /BACKUP_URL needs BACKUP_DIR and BACKUP_PUBLIC_KEY/],
      [{ BACKUP_PUBLIC_KEY: 'x' }, /backup make-key/],
      [{ BACKUP_URL: 's3://k:s@s3.example' }, /BACKUP_URL must name the endpoint and the bucket/],
      [
        { BACKUP_URL: 's3://s3.example/copies', S3_ACCESS_KEY_ID: 'k', S3_SECRET_ACCESS_KEY: 's' },
        /BACKUP_URL needs an access key of its own/,
      ],
    ] as const)
      expect(problemsOf({ ...env, ...changed })[0]).toMatch(problem);
  });

  test('starts one to 64 workers, whose metrics have ports of their own', () => {
    expect(parseSettings({}).workers).toBe(1);
    expect(parseSettings({ WORKERS: '64' }).workers).toBe(64);
    for (const WORKERS of ['0', '65', 'all']) expect(problemsOf({ WORKERS })[0]).toContain('WORKERS');
    const env = { WORKERS: '4', METRICS_PORT: '4318' };
    expect(problemsOf(env)[0]).toMatch(/METRICS_PORT must be the first of WORKERS ports/);
    expect(problemsOf({ WORKERS: '2', METRICS_PORT: '65535' })[0]).toContain('METRICS_PORT');
    expect(parseSettings({ ...env, PORT: '4322' }).metrics).toEqual({ host: '127.0.0.1', port: 4318 });
  });

  test('stores the keys of IDs in the configured place', () => {
    const env = { DATA_DIR: '/srv/oto', PERSONAL_INFO_KEY_FILE: '/mnt/keys/ids' };
    expect(parseSettings(env).personalInfoKeyFile).toBe('/mnt/keys/ids');
    const inside = { ...env, PERSONAL_INFO_KEY_FILE: '/srv/oto/keys/ids' };
    expect(() => parseSettings(inside)).toThrow(/PERSONAL_INFO_KEY_FILE must lie outside of DATA_DIR/);
  });

  test('accepts secret keys, and never repeats a wrong one', () => {
    const [secret, before] = [randomBytes(32), randomBytes(48)];
    const env = { SECRET_KEY: secret.toString('base64'), SECRET_KEY_PREVIOUS: before.toString('hex') };
    const { secretKey, previousSecretKey } = parseSettings(env);
    expect([secretKey?.export(), previousSecretKey?.export()]).toEqual([secret, before]);
    const short = {
      SECRET_KEY: 'hunter2-hunter2',
      SECRET_KEY_PREVIOUS: 'hunter2hunter2hunter2hunter2hunter2hunter2',
    };
    const problems = problemsOf(short);
    expect(problems.map((problem) => problem.split(' ')[0])).toEqual(['SECRET_KEY', 'SECRET_KEY_PREVIOUS']);
    expect(problems.join()).not.toContain('hunter2');
    expect(problems[0]).toContain('openssl rand -base64 32');
    expect(problemsOf({ SECRET_KEY_PREVIOUS: env.SECRET_KEY })).toEqual([
      'SECRET_KEY_PREVIOUS needs SECRET_KEY.',
    ]);
  });

  test('accepts the public key for IDs as a line or as PEM, and no private key', () => {
    const { publicKey, privateKey } = generateKeyPairSync('x25519');
    const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString();
    const [, line = ''] = pem.split('\n');
    for (const PERSONAL_INFO_PUBLIC_KEY of [line, pem, pem.replaceAll('\n', '\\n')]) {
      const { personalInfoPublicKey } = parseSettings({ PERSONAL_INFO_PUBLIC_KEY });
      expect(personalInfoPublicKey?.publicKey.equals(publicKey)).toBe(true);
    }
    const secret = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    const { publicKey: other } = generateKeyPairSync('ed25519');
    for (const PERSONAL_INFO_PUBLIC_KEY of [
      secret,
      secret.split('\n')[1] ?? '',
      other.export({ type: 'spki', format: 'pem' }).toString(),
      line.slice(4),
      `${line}AAAA`,
      'AAAA',
    ]) {
      const [problem = ''] = problemsOf({ PERSONAL_INFO_PUBLIC_KEY });
      expect(problem).toContain('PERSONAL_INFO_PUBLIC_KEY must be an X25519 public key');
      expect(problem).not.toContain(PERSONAL_INFO_PUBLIC_KEY);
    }
  });

  test('accepts addresses of external services', () => {
    const settings = parseSettings({
      DATABASE_URL: 'postgres://oto:secret@db/oto',
      DATABASE_REPLICA_URL: 'postgres://oto:secret@copy/oto',
      STORAGE_URL: 's3://key:se%2Fcret@s3.ap-northeast-1.amazonaws.com/bucket/site',
      SMTP_URL: 'smtp://mail:587',
    });
    expect(settings.database).toEqual({
      kind: 'postgres',
      url: 'postgres://oto:secret@db/oto',
      replicaUrl: 'postgres://oto:secret@copy/oto',
    });
    expect(settings.storage).toEqual({
      kind: 's3',
      bucket: {
        origin: 'https://s3.ap-northeast-1.amazonaws.com',
        region: 'ap-northeast-1',
        bucket: 'bucket',
        prefix: 'site/',
        accessKeyId: 'key',
        secretAccessKey: 'se/cret',
      },
    });
    expect(settings.mail).toEqual({ kind: 'smtp', url: 'smtp://mail:587' });
  });

  test('takes the key of a bucket from settings of its own', () => {
    const env = { S3_ACCESS_KEY_ID: 'key', S3_SECRET_ACCESS_KEY: 'secret' };
    const STORAGE_URL = 's3://127.0.0.1:9000/bucket?region=auto&tls=off';
    expect(parseSettings({ ...env, STORAGE_URL }).storage).toMatchObject({
      bucket: { origin: 'http://127.0.0.1:9000', region: 'auto', prefix: '', secretAccessKey: 'secret' },
    });
  });

  test.each([
    ['s3://bucket', /name the endpoint and the bucket/],
    ['s3://s3.example/bucket', /needs a key and a secret/],
    ['s3://key:hidden@s3.example/a b', /other characters/],
    ['s3://key:hidden@s3.example/bucket?acl=public', /only the options/],
    ['s3://key:hidden@s3.example/bucket?tls=maybe', /tls=on or tls=off/],
    ['s3://key:%zz@s3.example/bucket', /percent-encoded/],
  ])('refuses the bucket %s without repeating its secret', (STORAGE_URL, problem) => {
    const [line = ''] = problemsOf({ STORAGE_URL });
    expect(line).toMatch(/^STORAGE_URL/);
    expect(line).toMatch(problem);
    expect(line).not.toContain('hidden');
  });

  test('sends browsers to the bucket, and lets pages load files from there', () => {
    const bucket = { STORAGE_URL: 's3://key:hidden@10.0.0.2:9000/bucket?tls=off', MEDIA_REDIRECT: 'signed' };
    const inside = parseSettings(bucket);
    expect(inside.mediaRedirect).toEqual({ isSigned: true, origin: 'http://10.0.0.2:9000' });
    expect(inside.filesOrigin).toBe('http://10.0.0.2:9000');
    const env = { ...bucket, SITE_URL: 'https://oto.example', FILES_ORIGIN: 'https://files.oto.example' };
    expect(parseSettings(env)).toMatchObject({
      mediaRedirect: { isSigned: true, origin: 'https://files.oto.example' },
      filesOrigin: 'https://files.oto.example',
    });
    expect(parseSettings({ ...env, MEDIA_REDIRECT: 'public' }).mediaRedirect?.isSigned).toBe(false);
    const off = parseSettings({ ...env, MEDIA_REDIRECT: '' });
    expect([off.mediaRedirect, off.filesOrigin]).toEqual([null, null]);
    const external = parseSettings({ API_ORIGIN: 'https://api.example', FILES_ORIGIN: env.FILES_ORIGIN });
    expect(external.filesOrigin).toBe('https://files.oto.example');
  });

  test.each([
    [{}, /needs a bucket/],
    [{ STORAGE_URL: 's3://key:hidden@s3.example/bucket', MEDIA_REDIRECT: 'public' }, /needs FILES_ORIGIN/],
    [
      { STORAGE_URL: 's3://key:hidden@s3.example/bucket?tls=off', SITE_URL: 'https://oto.example' },
      /over https/,
    ],
    [{ MEDIA_REDIRECT: 'on' }, /one of off, signed, public/],
  ])('refuses a redirect that cannot work: %o', (env, problem) => {
    const [line = ''] = problemsOf({ MEDIA_REDIRECT: 'signed', ...env });
    expect(line).toMatch(/^MEDIA_REDIRECT/);
    expect(line).toMatch(problem);
    expect(line).not.toContain('hidden');
  });

  test('take mails that come back at an address with room for a token, and a name for EHLO', () => {
    const env = { MAIL_BOUNCES: 'bounces@OTO.example', MAIL_EHLO: 'mail.oto.example' };
    expect(parseSettings(env)).toMatchObject({
      mailBounces: 'bounces@oto.example',
      mailEhlo: 'mail.oto.example',
    });
    for (const wrong of [
      { MAIL_BOUNCES: 'returned-mails@oto.example' },
      { MAIL_EHLO: 'a b' },
      { MAIL_EHLO: 'x\r\nQUIT' },
    ])
      expect(problemsOf(wrong)).toHaveLength(1);
  });

  test.each([
    ['oto@oto.example', '', 'oto@oto.example'],
    ['音市 <oto@OTO.example>', '音市', 'oto@oto.example'],
    ['"Oto, Ichi" <oto@oto.example>', 'Oto, Ichi', 'oto@oto.example'],
    ['<oto@oto.example>', '', 'oto@oto.example'],
  ])('takes mails from %s', (given, name, address) => {
    const { mailFrom, operatorEmail } = parseSettings({ MAIL_FROM: given });
    expect(mailFrom).toEqual({ name, address });
    expect(operatorEmail).toBe(address);
  });

  test.each([
    'a@b.example, c@d.example',
    'Name <a@b.example> <c@d.example>',
    'Name <"a b"@c.example>',
    'Name\r\nBcc: x@y.example <a@b.example>',
    'a(comment)@b.example',
  ])('accepts only a single plain address as sender, not %j', (given) => {
    expect(problemsOf({ MAIL_FROM: given })).toHaveLength(1);
  });

  test('accepts only a one-line site name, because mail headers contain it', () => {
    expect(problemsOf({ SITE_NAME: 'Oto\r\nBcc: x@y.example' })).toHaveLength(1);
  });

  test('removes the slash at the end of an origin', () => {
    expect(parseSettings({ SITE_URL: 'https://oto.example/' }).siteUrl).toBe('https://oto.example');
  });

  test('has no own address before a free port is chosen', () => {
    expect(parseSettings({ PORT: '0' }).siteUrl).toBeNull();
  });

  test('takes a replica of PostgreSQL only', () => {
    const DATABASE_REPLICA_URL = 'postgres://oto:hunter2@copy/oto';
    expect(problemsOf({ DATABASE_REPLICA_URL })).toEqual([
      'DATABASE_REPLICA_URL needs DATABASE_URL: SQLite has no replicas.',
    ]);
    expect(parseSettings({ DATABASE_URL: 'postgres://db/oto' }).database).toMatchObject({ replicaUrl: null });
  });

  test('reports all problems together, by name', () => {
    const problems = problemsOf({
      PORT: '80000',
      SITE_URL: 'oto.example',
      API_ORIGIN: 'https://api.example/v1',
      MAINTENANCE: 'maybe',
      AD_PROVIDERS: 'house,banner',
      LOG_LEVEL: 'loud',
      TRUSTED_PROXY_HOPS: '-1',
      DATABASE_URL: 'mysql://db',
      MAIL_FROM: 'nobody',
      OPERATOR_EMAIL: 'a@example.test, b@example.test',
      DONATION_HOST: 'https://ofuse.me/x',
    });
    expect(problems.map((problem) => problem.split(' ')[0])).toEqual([
      'PORT',
      'SITE_URL',
      'DATABASE_URL',
      'MAIL_FROM',
      'OPERATOR_EMAIL',
      'API_ORIGIN',
      'DONATION_HOST',
      'MAINTENANCE',
      'AD_PROVIDERS',
      'TRUSTED_PROXY_HOPS',
      'LOG_LEVEL',
    ]);
  });

  test('reports the given and the expected value', () => {
    expect(problemsOf({ PORT: '4e3' })).toEqual([
      'PORT is "4e3", but must be a whole number from 0 to 65535.',
    ]);
  });

  test('bounds how long personal data is kept', () => {
    const defaults = { retainMessagesDays: 365, retainMailsDays: 30, retainIdentityDays: 365 };
    expect(parseSettings({})).toMatchObject(defaults);
    expect(parseSettings({ RETAIN_MAILS_DAYS: '7' }).retainMailsDays).toBe(7);
    expect(
      problemsOf({ RETAIN_MESSAGES_DAYS: '0', RETAIN_MAILS_DAYS: '366', RETAIN_IDENTITY_DAYS: '29' }),
    ).toHaveLength(3);
  });

  test('requires an ad unit for Google’s ads only', () => {
    expect(problemsOf({ AD_PROVIDERS: 'gpt,house' })).toEqual([
      'GPT_AD_UNIT is "", but must be an ad unit such as /1234567/rewarded.',
    ]);
    for (const GPT_AD_UNIT of ['rewarded', '/rewarded', '/12', '/12/a b', '/12/a"><script>', '//12/a']) {
      expect(problemsOf({ AD_PROVIDERS: 'gpt', GPT_AD_UNIT })).toHaveLength(1);
    }
    for (const GPT_AD_UNIT of ['/22639388115/rewarded_web_example', '/1234567,89/site/rewarded']) {
      expect(parseSettings({ AD_PROVIDERS: 'gpt', GPT_AD_UNIT }).gptAdUnit).toBe(GPT_AD_UNIT);
      expect(parseSettings({ GPT_AD_UNIT }).gptAdUnit).toBeNull();
    }
  });

  test('never repeats an address that may hold a password', () => {
    expect(problemsOf({ DATABASE_URL: 'mysql://root:hunter2@db' }).join()).not.toContain('hunter2');
  });

  test('.env.example lists every setting with its default', () => {
    const example = readFileSync('.env.example', 'utf8');
    const env = Object.fromEntries(
      [...example.matchAll(/^([A-Z0-9_]+)=(.*)$/gm)].map(([, name, value]) => [name, value]),
    );
    expect(parseSettings(env)).toEqual(parseSettings({}));
    expect(Object.keys(env)).toEqual(Object.keys(SETTINGS));
  });
});

test('toLocalUrl returns an address that can be opened', () => {
  expect(toLocalUrl('0.0.0.0', 80)).toBe('http://localhost:80');
  expect(toLocalUrl('::1', 80)).toBe('http://[::1]:80');
});

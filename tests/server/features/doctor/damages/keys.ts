import { chmod, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeSealingKey, toPublicKeyLine } from '#server/platform/crypto/sealed-keys.ts';
import type { RichSite } from '../rich-site.ts';
import type { Damage } from './damage.ts';
import { alter } from './files.ts';
import { deleteRows, updateRows } from '#support/databases/databases.ts';

const toKeys = ({ env }: RichSite) => `${env.DATA_DIR}-keys`;
const toPrivateKey = (site: RichSite) => join(toKeys(site), 'personal-info');
const toSecret = ({ env }: RichSite, name: string) => join(env.DATA_DIR, 'secrets', name);

export const KEY_DAMAGES: readonly Damage[] = [
  {
    name: 'the private key for IDs is lost while one waits',
    plant: (site) => rm(toPrivateKey(site)),
    finds: { 'identity keys': ['no-private-key'], 'waiting IDs': ['no-private-key'] },
  },
  {
    name: 'the folder of the private key is lost while no ID waits',
    async plant(site) {
      await rm(toKeys(site), { recursive: true });
      await deleteRows(site.database, 'personal_info_submissions');
      await updateRows(site.database, 'users', { personal_info_status: '' });
      for (const folder of ['personal-info', 'personal-info-keys'])
        await rm(join(site.env.DATA_DIR, 'files', folder), { recursive: true });
    },
    finds: { 'identity keys': ['no-private-key'] },
  },
  {
    name: 'the private key for IDs is replaced by another one',
    async plant(site) {
      await rm(toPrivateKey(site));
      makeSealingKey(toPrivateKey(site));
    },
    finds: { 'identity keys': ['other-key'], 'waiting IDs': ['no-private-key'] },
  },
  {
    name: 'the private key for IDs is damaged',
    plant: (site) => writeFile(toPrivateKey(site), 'no key'),
    finds: { 'identity keys': ['not-checked'], 'waiting IDs': ['not-checked'] },
  },
  {
    name: 'the public key for IDs is replaced by another one',
    async plant(site) {
      const { publicKey } = makeSealingKey(join(site.root, 'other'));
      const line = toPublicKeyLine(publicKey);
      await writeFile(
        toSecret(site, 'personal-info.pub'),
        `-----BEGIN PUBLIC KEY-----\n${line}\n-----END PUBLIC KEY-----\n`,
      );
    },
    finds: { 'identity keys': ['other-key'] },
  },
  {
    name: 'the folder of the data keys of IDs is lost',
    plant: ({ env }) => rm(join(env.DATA_DIR, 'files', 'personal-info-keys'), { recursive: true }),
    finds: { 'waiting IDs': ['no-data-key'] },
  },
  {
    name: 'a byte of the data key of an ID changes',
    plant: (site) => alter(site.toPath('personal-info-keys/waiting')),
    finds: { 'waiting IDs': ['damaged'] },
  },
  {
    name: 'a byte of the photograph of a waiting ID changes',
    plant: (site) => alter(site.toPath('personal-info/waiting')),
    finds: { 'waiting IDs': ['damaged'] },
  },
  {
    name: 'the folder of the secrets is lost',
    plant: ({ env }) => rm(join(env.DATA_DIR, 'secrets'), { recursive: true }),
    finds: { secrets: ['missing'] },
  },
  {
    name: 'a secret is lost',
    plant: (site) => rm(toSecret(site, 'file-signatures')),
    finds: { secrets: ['missing'] },
  },
  {
    name: 'a secret is cut off',
    plant: (site) => truncate(toSecret(site, 'access-tokens'), 10),
    finds: { secrets: ['damaged'] },
  },
  {
    name: 'the secrets were lost, and a start made new ones',
    plant: (site) => writeFile(toSecret(site, 'sessions'), Buffer.alloc(32, 7).toString('base64url')),
    finds: { secrets: ['other-secret'] },
  },
  {
    name: 'other users can read a secret',
    plant: (site) => chmod(toSecret(site, 'sessions'), 0o644),
    finds: { permissions: ['exposed'] },
    fix: 'removes the permission',
  },
];

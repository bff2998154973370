import { mkdir, readFile, rename, rm, truncate, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { overwrite } from '#support/files/damage.ts';
import { makeOlder } from '../doctor.ts';
import type { RichSite } from '../rich-site.ts';
import type { Damage } from './damage.ts';
import { insertRow } from '#support/databases/databases.ts';

/** Changes one byte, and neither size nor time. */
export async function alter(path: string): Promise<void> {
  const content = await readFile(path);
  const at = content.byteLength - 2;
  await writeFile(path, overwrite(content, at, Buffer.of(content.readUInt8(at) ^ 1)));
}

async function addOld(path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, 'unused');
  await makeOlder(path, 2);
}

const toSound = (site: RichSite) => site.toPath(`sounds/${site.sound.audio_key}`);
const toPicture = (site: RichSite) => site.toPath(`pictures/${site.pictureKey}/240.webp`);
const toMarker = (site: RichSite) => join(site.env.DATA_DIR, 'files', '.site-marker');

export const FILE_DAMAGES: readonly Damage[] = [
  {
    name: 'the file of a sound is lost',
    plant: (site) => rm(toSound(site)),
    finds: { 'missing files': ['missing'] },
  },
  {
    name: 'the file of a sound is cut off',
    plant: (site) => truncate(toSound(site), 5),
    finds: { 'missing files': ['other-size'] },
  },
  {
    name: 'a byte of the file of a sound changes',
    plant: (site) => alter(toSound(site)),
    finds: { 'altered files': ['altered'] },
  },
  {
    name: 'a picture is lost',
    plant: (site) => rm(toPicture(site)),
    finds: { 'missing files': ['missing'] },
  },
  {
    name: 'a picture is cut off',
    plant: (site) => truncate(toPicture(site), 20),
    finds: { 'altered files': ['altered'] },
  },
  {
    name: 'a byte of a picture changes',
    plant: (site) => alter(toPicture(site)),
    finds: {},
    outOfReach: 'no hash of it is stored',
  },
  {
    name: 'the file of a quality check is lost',
    plant: (site) => rm(site.toPath('quality-check/application-1')),
    finds: { 'missing files': ['missing'] },
  },
  {
    name: 'a byte of the file of a quality check changes',
    plant: (site) => alter(site.toPath('quality-check/application-1')),
    finds: { 'altered files': ['altered'] },
  },
  {
    name: 'the file of a notice is lost',
    plant: (site) => rm(site.toPath(site.noticeKey)),
    finds: { 'missing files': ['missing'] },
  },
  {
    name: 'the photograph of a waiting ID is lost',
    plant: (site) => rm(site.toPath('personal-info/waiting')),
    finds: { 'missing files': ['missing'] },
  },
  {
    name: 'a piece of an unfinished upload is lost',
    async plant(site) {
      const upload = { id: 'upload', user_id: site.artistId, size_bytes: 9, metadata: '', sound_id: null };
      const piece = {
        id: 'lost',
        upload_id: 'upload',
        start_byte: 0,
        size_bytes: 5,
        state: 'received',
      } as const;
      await insertRow(site.database, 'resumable_uploads', { ...upload, created_at: Date.now() });
      await insertRow(site.database, 'upload_pieces', { ...piece, state_since: Date.now() });
    },
    finds: {},
    outOfReach: 'the upload fails, and its browser sends it again',
  },
  {
    name: `a file remains that no row refers to`,
    plant: (site) => addOld(site.toPath(`sounds/${'0'.repeat(64)}`)),
    finds: { 'unknown files': ['unused'] },
    fix: 'deletes it',
  },
  {
    name: 'another program writes a file into the storage',
    plant: (site) => addOld(join(site.env.DATA_DIR, 'files', 'holiday.jpg')),
    finds: { 'unknown files': ['stray'] },
  },
  {
    name: 'the marker of the storage is lost',
    plant: (site) => rm(toMarker(site)),
    finds: { folders: ['no-marker'] },
    fix: 'writes it again',
  },
  {
    name: 'the storage is that of another site',
    plant: (site) => writeFile(toMarker(site), 'another\n'),
    finds: { folders: ['foreign-marker'] },
  },
  {
    name: 'the storage is not mounted',
    plant: ({ env }) => rename(join(env.DATA_DIR, 'files'), join(env.DATA_DIR, 'files-elsewhere')),
    finds: { folders: ['no-folder'] },
  },
];

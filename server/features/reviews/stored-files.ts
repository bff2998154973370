import { toDataKeyKey, toPersonalInfoImageKey } from '../../media/object-keys.ts';
import { ownerOf } from '../stored-files/owners.ts';
import type { FileFolder, FileOwner } from '../stored-files/owners.ts';

/** Sealed. Each opens with its data key and the staff's private key, which is on another machine. */
const IMAGES: FileFolder = { name: 'personal-info', backup: 'data' };
const PERSONAL_INFO_KEYS: FileFolder = { name: 'personal-info-keys', backup: 'keys' };
const QUALITY_CHECKS: FileFolder = { name: 'quality-check', backup: 'data' };

/** Photographs of IDs, and the sounds of quality checks. */
export const REVIEW_FILES: readonly FileOwner[] = [
  ownerOf('personal_info_submissions', {
    id: 'id',
    name: ['ID', 'id'],
    complete: (where) => where('state', '=', 'pending'),
    // Both files are read by the id; the column says whether they may exist.
    columns: [
      {
        column: 'object_key',
        isRequired: true,
        folder: IMAGES,
        toKeys: (_, id) => [toPersonalInfoImageKey(id)],
        foundBy: 'id',
      },
      {
        column: 'object_key',
        folder: PERSONAL_INFO_KEYS,
        toKeys: (_, id) => [toDataKeyKey(id)],
        foundBy: 'id',
        unchecked: 'a plain backup has no keys, and the doctor opens the image with them',
      },
    ],
  }),
  ownerOf('quality_check_files', {
    id: 'object_key',
    name: ['quality check', 'quality_check_id'],
    complete: (where) =>
      where('quality_check_id', 'in', (query) =>
        query.selectFrom('quality_checks').select('quality_checks.id').where('state', '=', 'pending'),
      ),
    columns: [
      {
        column: 'object_key',
        folder: QUALITY_CHECKS,
        toKeys: (key) => [key],
        size: 'size_bytes',
        hash: ['sha256'],
        foundBy: 'quality_check_id',
        toFound: (segment) => segment.replace(/-\d+$/, ''),
      },
    ],
  }),
];

import { PICTURE_BYTES_MAX } from '../../contract/accounts/profile.ts';

/** Spec §5: accepted picture types, by file name; only the host can check the content. */
export const PICTURE_ACCEPT = '.jpg,.jpeg,.png,image/jpeg,image/png';

/** Why a chosen file is refused before sending; null if it is accepted. */
export function findPictureProblem({ name, size }: Pick<File, 'name' | 'size'>): string | null {
  if (!/\.(?:jpe?g|png)$/i.test(name)) return '画像は .jpg、.jpeg、.png のいずれかを選んでください。';
  if (size === 0) return 'ファイルが空です。';
  if (size > PICTURE_BYTES_MAX) {
    return `画像は${PICTURE_BYTES_MAX / 1024 / 1024}MBまでです。小さくしてから選んでください。`;
  }
  return null;
}

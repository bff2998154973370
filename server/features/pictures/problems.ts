import { PICTURE_BYTES_MAX } from '../../../contract/accounts/profile.ts';
import { Problem } from '../../platform/http/problem.ts';
import { PICTURE_PIXELS_MAX } from '../../media/pictures/checks.ts';
import { UnusablePictureError } from '../../media/pictures/faults.ts';
import type { PictureFault } from '../../media/pictures/faults.ts';

const REASONS: Readonly<Record<PictureFault, string>> = {
  bytes: `画像は${PICTURE_BYTES_MAX / 1024 / 1024}MBまでです。`,
  type: 'JPEGかPNGの画像を選んでください。',
  pixels: `画像は${(PICTURE_PIXELS_MAX / 10_000).toLocaleString('ja-JP')}万画素までです。小さくしてから選んでください。`,
  memory:
    '画像の保存形式（プログレッシブやインターレース）では、この大きさの画像を扱えません。小さくするか、別の形式で保存してから選んでください。',
  effort: '画像の保存形式が複雑なため、読み取れませんでした。別の形式で保存してから選んでください。',
  animated: '動く画像は使えません。動かないJPEGかPNGの画像を選んでください。',
  broken: '画像が壊れているため、読み取れませんでした。別の画像を選んでください。',
};

/** The result of `work`. An unusable picture is rejected under the name of its form part. */
export async function orRefusePicture<Result>(name: string, work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof UnusablePictureError)) throw error;
    throw new Problem(error.fault === 'bytes' ? 413 : 400, { [name]: REASONS[error.fault] });
  }
}

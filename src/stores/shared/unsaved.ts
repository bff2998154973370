import { ask } from '../overlays/overlays.ts';

/** Asks whether to lose what is not saved. */
export function askToDiscard(): Promise<boolean> {
  return ask({
    title: '保存していない変更があります',
    text: 'このまま閉じると、変更は失われます。',
    back: '編集に戻る',
    action: '変更を破棄する',
  });
}

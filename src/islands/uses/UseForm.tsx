import { useState } from 'react';
import { USE_MESSAGE_LENGTH_MAX } from '../../../contract/artists/uses.ts';
import { certificatePath, soundPath } from '../../lib/paths.ts';
import { createUse } from '../../stores/uses/uses.ts';
import { DoneView } from '../ui/DoneView.tsx';
import { Form } from '../ui/Form.tsx';
import { TextAreaField } from '../ui/TextAreaField.tsx';
import { TextField } from '../ui/TextField.tsx';
import { useStore } from '../ui/use-store.ts';

interface UseFormProps {
  certificate: string;
  soundId: string;
  title: string;
  artist: string;
}

/** Tells the artist where a sound was used; nobody needs an account for it. */
export function UseForm({ certificate, soundId, title, artist }: UseFormProps) {
  const [logic] = useState(() => createUse(certificate));
  const form = useStore(logic.$form);
  if (form.state === 'done') {
    return (
      <DoneView title="使用報告をお送りしました">
        <p>アーティストが確認すると、サウンドとアーティストのページに作品名とリンクが表示されます。</p>
        <a className="button form-submit" href={certificatePath(certificate)}>
          利用証明書に戻る
        </a>
      </DoneView>
    );
  }
  return (
    <div className="form-card">
      <h1 className="form-title">使用報告</h1>
      <p className="form-lead">
        サウンドを使った作品を、アーティストに知らせることができます。ログインはいりません。
      </p>
      <p className="form-note wrap-anywhere">
        <span>
          使ったサウンド：
          <a className="link" href={soundPath(soundId)}>
            {title}
          </a>
          （{artist}）
        </span>
      </p>
      <Form id="use" logic={logic} submitLabel="アーティストに知らせる">
        <TextField
          name="address"
          label="作品のURL"
          hint="動画、配信、ゲームなど、作品を見られるページのURL。アーティストが確認すると公開されます。"
          inputMode="url"
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          autoComplete="off"
          enterKeyHint="next"
        />
        <TextField
          name="title"
          label="作品名"
          hint="URLと一緒に公開されます。"
          autoComplete="off"
          enterKeyHint="next"
        />
        <TextAreaField
          name="message"
          label="アーティストへのひとこと"
          hint="公開されません。アーティストが運営に報告したときは、運営も読みます。"
          lengthMax={USE_MESSAGE_LENGTH_MAX}
          isOptional
        />
      </Form>
    </div>
  );
}

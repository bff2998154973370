import { FieldFrame } from '../../ui/FieldFrame.tsx';
import { useField } from '../../ui/form-context.ts';

/** A code of the authenticator, or a recovery code. Never saved as a draft. */
export function CodeField() {
  const { id, described, ...texts } = useField('code', undefined);
  return (
    <FieldFrame id={id} label="認証コード" {...texts}>
      <input
        id={id}
        className="field tabular"
        name="code"
        required
        autoComplete="one-time-code"
        autoCapitalize="characters"
        autoCorrect="off"
        spellCheck={false}
        maxLength={40}
        enterKeyHint="go"
        {...described}
      />
    </FieldFrame>
  );
}

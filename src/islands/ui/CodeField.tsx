import { TextField } from './TextField.tsx';

/** A code of the authenticator, or a recovery code. Its forms keep no draft. */
export function CodeField() {
  return (
    <TextField
      name="code"
      label="認証コード"
      className="field tabular"
      autoComplete="one-time-code"
      autoCapitalize="characters"
      autoCorrect="off"
      spellCheck={false}
      maxLength={40}
      enterKeyHint="go"
    />
  );
}

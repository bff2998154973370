import { toActionText } from '../../../../contract/operator/action-texts.ts';

/** An action in Japanese, or with its name on the record if this client does not know it. */
export function ActionName({ action }: { action: string }) {
  const text = toActionText(action);
  return text === null ? <span lang="en">{action}</span> : <span>{text}</span>;
}

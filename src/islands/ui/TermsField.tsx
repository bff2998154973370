import { CheckboxField } from './CheckboxField.tsx';
import { Icon } from './Icon.tsx';

/** The consent to the terms of members. */
export function TermsField(field: Pick<React.ComponentProps<typeof CheckboxField>, 'name' | 'answer'>) {
  return (
    <CheckboxField {...field}>
      <a className="link" href="/member-terms" target="_blank" rel="noopener">
        会員規約
        <Icon name="external" className="mx-0.5 inline size-4 align-[-2px]" />
        <span className="sr-only">（新しいタブで開きます）</span>
      </a>
      に同意します
    </CheckboxField>
  );
}

const TEXTS: Readonly<Record<string, string>> = {
  'dropped by staff': '運営が送信をやめました',
  'the mail server refuses the address': 'メールサーバーが宛先を受け付けませんでした',
};

/** Why a mail was not sent, for the staff. Most causes are codes of mail servers, which stay as they are. */
export function toMailCause(cause: string): string {
  return TEXTS[cause] ?? cause;
}

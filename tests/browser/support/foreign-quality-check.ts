/** An application as another host reads it: the content of each part of spec §7, in order. */
export interface ForeignApplication {
  /** Names of the file parts, with the names of the files. */
  readonly files: readonly (readonly [part: string, filename: string])[];
  readonly texts: readonly (readonly [part: string, text: string])[];
}

const PART = /name="(\w+)"(?:; filename="([^"]*)"|\r\n\r\n([^]*?)\r\n--)/g;

/** `form` is a multipart body, one character per byte. */
export function readApplication(form: string): ForeignApplication {
  const parts = [...form.matchAll(PART)].map(([, part = '', filename, text]) => ({ part, filename, text }));
  const toText = (bytes: string) => Buffer.from(bytes, 'latin1').toString();
  return {
    files: parts.flatMap(({ part, filename }) =>
      filename === undefined ? [] : [[part, toText(filename)] as const],
    ),
    texts: parts.flatMap(({ part, text }) => (text === undefined ? [] : [[part, toText(text)] as const])),
  };
}

/** The errors of an application, by key; empty when it is valid. A file named `refused` is treated as not audio. */
export function refuseApplication(
  { files, texts }: ForeignApplication,
  userId: string,
): Record<string, string[]> {
  const errors: Record<string, string[]> = {};
  for (const [part, filename] of files) {
    if (filename.startsWith('refused')) errors[part] = ['This is no sound.', 'Try another one.'];
  }
  for (const part of ['file_1', 'file_2', 'file_3']) {
    if (!files.some(([name]) => name === part)) errors[part] = ['No file was submitted.'];
  }
  if (!texts.some(([part, text]) => part === 'user_id' && text === userId))
    errors['user_id'] = ['Not yours.'];
  if (!texts.some(([part]) => part === 'types')) errors['types'] = ['This field is required.'];
  return errors;
}

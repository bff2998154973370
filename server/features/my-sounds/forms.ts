import * as v from 'valibot';
import { SoundChangeSchema } from '../../../contract/own-sounds.ts';
import type { SoundChange } from '../../../contract/own-sounds.ts';
import { Problem, toFileName, toProblem } from '../../platform/http/http.ts';
import type { Form } from '../../platform/http/http.ts';

/** The one value of a text; undefined when it is not there. Throws `Problem` 400 that names what comes twice. */
export function findText({ texts }: Form, name: string): string | undefined {
  const [text, another] = texts.get(name) ?? [];
  if (another !== undefined) throw new Problem(400, { [name]: '1つだけ送信してください。' });
  return text;
}

/** The upload that a form names in place of a file. Throws `Problem` 400 when it holds both. */
export function findUploadId(form: Form): string | undefined {
  const id = findText(form, 'upload') || undefined;
  if (id !== undefined && form.files.has('file')) {
    throw new Problem(400, { upload: 'ファイルかアップロードのどちらか1つを送信してください。' });
  }
  return id;
}

/** The texts of `updateSound`, checked. Throws `Problem` 400 that names each that is wrong. */
export function parseChange(form: Form): SoundChange {
  const given: Record<string, unknown> = {};
  for (const name of form.texts.keys()) {
    given[name] = name === 'sub_genres' ? form.texts.get(name) : findText(form, name);
  }
  const result = v.safeParse(SoundChangeSchema, given);
  if (!result.success) throw toProblem(result.issues);
  const { filename } = result.output;
  if (filename === undefined) return result.output;
  const name = toFileName(filename);
  if (name === '') throw new Problem(400, { filename: 'ファイル名を入力してください。' });
  return { ...result.output, filename: name };
}

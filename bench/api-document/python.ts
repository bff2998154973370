import { copyFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { FetchingJSONSchemaStore, InputData, JSONSchemaInput, quicktype } from 'quicktype-core';

interface Document {
  readonly components: { readonly schemas: object };
}

/** Writes a module with a class for each schema of the document and a program that uses them; returns its path. */
export async function writePythonClient(folder: string, text: string): Promise<string> {
  const { components } = JSON.parse(text) as Document;
  const definitions = JSON.stringify({ definitions: components.schemas });
  const schemas = new JSONSchemaInput(new FetchingJSONSchemaStore());
  await schemas.addSource({
    name: 'Api',
    uris: ['#/definitions/'],
    schema: definitions.replaceAll('#/components/schemas/', '#/definitions/'),
  });
  const inputData = new InputData();
  inputData.addInput(schemas);
  const { lines } = await quicktype({ inputData, lang: 'python' });
  await writeFile(join(folder, 'models.py'), lines.join('\n'));
  const program = join(folder, 'client.py');
  await copyFile(new URL('client.py', import.meta.url), program);
  return program;
}

import { validate } from '@hyperjump/json-schema/openapi-3-1';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { Validator } from '@seriousme/openapi-schema-validator';

/** Rules of style that the document breaks on purpose, with the reason. */
const SKIPPED_RULES = {
  // The operator decides the licence of the sounds; the API has none of its own.
  'info-license': 'off',
  // The specification's addresses have one.
  'no-path-trailing-slash': 'off',
} as const;

/** Each returns the problems of a document; none share code. */
export const VALIDATORS: Readonly<Record<string, (text: string) => Promise<readonly string[]>>> = {
  /** The schema of OpenAPI, by Ajv. */
  async '@seriousme/openapi-schema-validator'(text) {
    const { valid, errors } = await new Validator().validate(JSON.parse(text) as Record<string, unknown>);
    return valid ? [] : [JSON.stringify(errors)];
  },

  /** Its own reading of OpenAPI; judges examples and references, too. */
  async '@redocly/openapi-core'(text) {
    const config = await createConfig({ extends: ['recommended-strict'], rules: SKIPPED_RULES });
    const problems = await lintFromString({ source: text, absoluteRef: '/openapi.json', config });
    return problems.map(
      ({ ruleId, message, location: [place] }) => `${ruleId} ${place?.pointer ?? ''}: ${message}`,
    );
  },

  /** The schema of OpenAPI with its dialect of JSON Schema, by an implementation of its own. */
  async '@hyperjump/json-schema'(text) {
    const schema = 'https://spec.openapis.org/oas/3.1/schema-base';
    const judge = await validate(schema);
    const output = judge(JSON.parse(text), 'BASIC');
    return output.valid ? [] : (output.errors ?? []).map(({ instanceLocation }) => instanceLocation);
  },
};

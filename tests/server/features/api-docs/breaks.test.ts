import { expect, test } from 'vitest';
import { findBreaks } from './api-breaks.ts';

interface Options {
  readonly parameters?: readonly object[];
  readonly body?: object;
  readonly bodyRequired?: boolean;
  readonly reply?: object;
  readonly more?: object;
  readonly path?: string;
}

const TEXT = { type: 'string' };
const toParameter = (schema: object, more: object = {}) => ({ name: 'q', in: 'query', schema, ...more });
const toObject = (properties: object, ...required: string[]) => ({ type: 'object', properties, required });

/** A document with one call. */
function toDocument({
  parameters,
  body,
  bodyRequired,
  reply = toObject({}),
  more,
  path = '/a',
}: Options): object {
  const json = (schema: object) => ({ 'application/json': { schema } });
  const operation = {
    operationId: 'a',
    security: [{}, { bearer: [] }],
    ...(parameters && { parameters }),
    ...(body && { requestBody: { required: bodyRequired ?? false, content: json(body) } }),
    responses: { 200: { content: json(reply) }, 404: { $ref: '#/components/responses/None' } },
    ...more,
  };
  return { paths: { [path]: { get: operation } }, components: { schemas: { Text: TEXT } } };
}

const sound = toObject(
  { id: TEXT, kind: { ...TEXT, enum: ['a', 'b'] }, list: { type: 'array', items: TEXT } },
  'id',
);
const nullable = { anyOf: [TEXT, { type: 'null' }] };

test.each<[text: string, before: Options, after: Options]>([
  ['GET /a was removed', {}, { path: '/b' }],
  ['GET /a: the operationId changed', {}, { more: { operationId: 'b' } }],
  ['GET /a: visitors may no longer call it', {}, { more: { security: [{ bearer: [] }] } }],
  ['GET /a: the parameter q is now required', {}, { parameters: [toParameter(TEXT, { required: true })] }],
  ['GET /a: the parameter q was removed', { parameters: [toParameter(TEXT)] }, {}],
  [
    'GET /a: the parameter q: lower maxLength',
    { parameters: [toParameter({ ...TEXT, maxLength: 9 })] },
    { parameters: [toParameter({ ...TEXT, maxLength: 8 })] },
  ],
  [
    'GET /a: the parameter q: higher minimum',
    { parameters: [toParameter({ type: 'integer' })] },
    { parameters: [toParameter({ type: 'integer', minimum: 1 })] },
  ],
  [
    'GET /a: the parameter q now has fixed values',
    { parameters: [toParameter(TEXT)] },
    { parameters: [toParameter({ ...TEXT, enum: ['a'] })] },
  ],
  [
    'GET /a: the parameter q: another pattern',
    { parameters: [toParameter(TEXT)] },
    { parameters: [toParameter({ ...TEXT, pattern: 'a' })] },
  ],
  ['GET /a: a body is now required', { body: sound }, { body: sound, bodyRequired: true }],
  ['GET /a: a body of the type application/json is no longer accepted', { body: sound }, {}],
  ['GET /a: body.list is now required', { body: sound }, { body: { ...sound, required: ['id', 'list'] } }],
  ['GET /a: body.id was removed', { body: toObject({ id: TEXT }) }, { body: toObject({}) }],
  [
    'GET /a: body.id is no longer accepted as null',
    { body: toObject({ id: nullable }) },
    { body: toObject({ id: TEXT }) },
  ],
  ['GET /a: the reply 200 was removed', {}, { more: { responses: { 204: {} } } }],
  [
    'GET /a: the reply is no longer application/json',
    {},
    { more: { responses: { 200: { content: { 'text/html': { schema: TEXT } } } } } },
  ],
  ['GET /a: reply.id was removed', { reply: toObject({ id: TEXT }) }, { reply: toObject({}) }],
  ['GET /a: reply.id is no longer always sent', { reply: sound }, { reply: { ...sound, required: [] } }],
  [
    'GET /a: reply.id can now be null',
    { reply: toObject({ id: TEXT }) },
    { reply: toObject({ id: nullable }) },
  ],
  [
    'GET /a: reply.kind: the value b was removed',
    { reply: sound },
    { reply: toObject({ ...sound.properties, kind: { ...TEXT, enum: ['a'] } }, 'id') },
  ],
  [
    'GET /a: reply.list[] can now be number, integer',
    { reply: sound },
    { reply: toObject({ ...sound.properties, list: { type: 'array', items: { type: 'number' } } }, 'id') },
  ],
])('is a break: %s', (text, before, after) => {
  expect(findBreaks(toDocument(before), toDocument(after))).toEqual([text]);
});

test.each<[text: string, before: Options, after: Options]>([
  ['nothing', { reply: sound, body: sound }, { reply: sound, body: sound }],
  ['an optional parameter', {}, { parameters: [toParameter(TEXT)] }],
  [
    'an optional field of a body',
    { body: sound },
    { body: toObject({ ...sound.properties, more: TEXT }, 'id') },
  ],
  ['a field that is no longer required', { body: sound }, { body: { ...sound, required: [] } }],
  ['a wider bound', { body: toObject({ a: { ...TEXT, maxLength: 1 } }) }, { body: toObject({ a: TEXT }) }],
  ['a type that is accepted as well', { body: toObject({ a: TEXT }) }, { body: toObject({ a: nullable }) }],
  [
    'a field of a reply',
    { reply: sound },
    { reply: toObject({ ...sound.properties, more: TEXT }, 'id', 'more') },
  ],
  [
    'a field of a reply that is never null now',
    { reply: toObject({ a: nullable }) },
    { reply: toObject({ a: TEXT }) },
  ],
  [
    'a value of a reply',
    { reply: sound },
    { reply: toObject({ ...sound.properties, kind: { ...TEXT, enum: ['a', 'b', 'c'] } }, 'id') },
  ],
  [
    'a reference in place of its schema',
    { reply: toObject({ a: TEXT }) },
    { reply: toObject({ a: { $ref: '#/components/schemas/Text' } }) },
  ],
])('is no break: %s', (_, before, after) => {
  expect(findBreaks(toDocument(before), toDocument(after))).toEqual([]);
});

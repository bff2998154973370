/**
 * Reads Japanese texts with a dictionary. A thread of its own, which ends when nothing is left to read: the dictionary
 * takes 150 MB.
 */
import { parentPort } from 'node:worker_threads';
import { TokenizerBuilder } from 'lindera-wasm-nodejs-ipadic';
import type { ReadReply, ReadRequest } from './dictionary.ts';
import type { ReadWord } from './readings.ts';

interface Token {
  readonly surface: string;
  readonly reading?: string;
  readonly partOfSpeech?: string;
}

const NOT_CONTENT = new Set(['助詞', '助動詞', '記号', 'フィラー']);

const port = parentPort;
if (port === null) throw new Error('dictionary-worker runs as a worker thread');
const builder = new TokenizerBuilder();
builder.setDictionary('embedded://ipadic');
builder.setMode('normal');
const tokenizer = builder.build();

port.on('message', ({ id, texts }: ReadRequest) => {
  const words = texts.map((text) => (tokenizer.tokenize(text) as Token[]).map(toReadWord));
  port.postMessage({ id, words } satisfies ReadReply);
});

function toReadWord({ surface, reading = '', partOfSpeech = 'UNK' }: Token): ReadWord {
  const isRead = reading !== '' && reading !== '*';
  return { surface, reading: isRead ? reading : undefined, isContent: !NOT_CONTENT.has(partOfSpeech) };
}

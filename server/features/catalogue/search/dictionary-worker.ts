/**
 * Reads Japanese texts with a dictionary. A thread of its own, which ends when nothing is left to read: the dictionary
 * takes 150 MB.
 */
import { TokenizerBuilder } from 'lindera-wasm-nodejs-ipadic';
import { answerQuestions } from '../threads.ts';
import type { DictionaryWords } from './dictionary.ts';
import type { DictionaryWord } from './pronunciations.ts';

interface Token {
  readonly surface: string;
  readonly reading?: string;
  readonly partOfSpeech?: string;
  readonly baseForm?: string;
}

const NOT_CONTENT = new Set(['助詞', '助動詞', '記号', 'フィラー']);

const builder = new TokenizerBuilder();
builder.setDictionary('embedded://ipadic');
builder.setMode('normal');
const tokenizer = builder.build();

answerQuestions((texts: readonly string[]): DictionaryWords =>
  texts.map((text) => (tokenizer.tokenize(text) as Token[]).map(toDictionaryWord)),
);

function toDictionaryWord({ surface, reading, partOfSpeech = 'UNK', baseForm }: Token): DictionaryWord {
  const toOptional = (text = '') => (text === '' || text === '*' ? undefined : text);
  return {
    surface,
    reading: toOptional(reading),
    base: toOptional(baseForm) ?? surface,
    isContent: !NOT_CONTENT.has(partOfSpeech),
  };
}

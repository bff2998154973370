import { useRef, useState } from 'react';
import { formatCount } from '../../lib/format.ts';
import {
  $chosenRows,
  FIRST_PATTERN,
  NAME_PARTS,
  applyOutcomes,
  fillFromNames,
  fillFromTable,
  isChange,
  readPattern,
  readTable,
} from '../../stores/many-sounds/many-sounds.ts';
import type { FilledTable, Outcome } from '../../stores/many-sounds/many-sounds.ts';
import { $genres } from '../../stores/my-sounds/my-sounds.ts';
import { Chips } from '../ui/Chips.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { FieldError } from '../ui/FieldFrame.tsx';
import { FileInput } from '../ui/FileInput.tsx';
import { FilledRows } from './FilledRows.tsx';
import { describeProblems } from './preview.ts';
import { PlanForm } from './PlanForm.tsx';
import { useStore } from '../ui/use-store.ts';

interface FillDialogProps {
  isOpen: boolean;
  onClose: () => void;
}

const SOURCES = [
  ['names', 'ファイル名から'],
  ['table', 'CSVから'],
] as const;

/** Fills titles, descriptions and sub-genres from file names or from a table, and shows the result before it is applied. */
export function FillDialog({ isOpen, onClose }: FillDialogProps) {
  const [source, setSource] = useState<(typeof SOURCES)[number][0]>('names');
  return (
    <Dialog isOpen={isOpen} title="ファイル名・CSVから入力" onClose={onClose}>
      <Chips
        label="入力のもと"
        className="flex flex-wrap gap-2"
        choices={SOURCES}
        chosen={source}
        onChoose={setSource}
      />
      {isOpen && source === 'names' && <FromNames onClose={onClose} />}
      {isOpen && source === 'table' && <FromTable onClose={onClose} />}
    </Dialog>
  );
}

interface FillerProps {
  onClose: () => void;
}

function FromNames({ onClose }: FillerProps) {
  const rows = useStore($chosenRows);
  const { data: genres = [] } = useStore($genres);
  const [text, setText] = useState(FIRST_PATTERN);
  const input = useRef<HTMLInputElement>(null);
  const pattern = readPattern(text);
  const problem = typeof pattern === 'string' ? pattern : null;
  const insert = (part: string) => {
    const { selectionStart, selectionEnd } = input.current ?? {};
    setText(
      text.slice(0, selectionStart ?? text.length) + `{${part}}` + text.slice(selectionEnd ?? text.length),
    );
    input.current?.focus();
  };
  return (
    <Filler
      outcomes={typeof pattern === 'string' ? [] : fillFromNames(pattern, rows, genres)}
      onClose={onClose}
    >
      <div className="sound-row">
        <label htmlFor="many-pattern" className="form-label">
          ファイル名の形
        </label>
        <p id="many-pattern-hint" className="form-hint">
          例：「01_静かな雨_雨.mp3」は「{FIRST_PATTERN}
          」。項目は区切りの文字が最初に現れるところで終わります。
        </p>
        <input
          ref={input}
          id="many-pattern"
          className="field"
          autoComplete="off"
          value={text}
          aria-invalid={problem !== null}
          aria-describedby="many-pattern-hint many-pattern-error"
          onChange={({ currentTarget: { value } }) => setText(value)}
        />
        <FieldError id="many-pattern-error" error={problem} />
        <div className="mt-2 flex flex-wrap gap-2" role="group" aria-label="項目を入れる">
          {NAME_PARTS.map((part) => (
            <button key={part} type="button" className="chip" onClick={() => insert(part)}>
              {part}
            </button>
          ))}
        </div>
      </div>
    </Filler>
  );
}

function FromTable({ onClose }: FillerProps) {
  const rows = useStore($chosenRows);
  const { data: genres = [] } = useStore($genres);
  const [file, setFile] = useState<Awaited<ReturnType<typeof readTable>> | null>(null);
  const input = useRef<HTMLInputElement>(null);
  const filled: FilledTable | null =
    file && ('problem' in file ? file : fillFromTable(file.text, rows, genres));
  const faults = filled?.problem === null ? filled.faults : [];
  return (
    <Filler outcomes={filled?.problem === null ? filled.outcomes : []} onClose={onClose}>
      <p className="form-hint">
        1行目を列の名前にします：「ファイル名」と、「タイトル」「説明」「サブジャンル」（filename、title、description、tagsでも可）。
        空欄の項目は変えません。サブジャンルは「、」で区切ります。
      </p>
      <FileInput
        ref={input}
        label="CSVファイル"
        accept=".csv,text/csv"
        onChoose={([chosen]) => chosen && void readTable(chosen).then(setFile)}
      />
      <button type="button" className="button justify-self-start" onClick={() => input.current?.click()}>
        CSVファイルを選ぶ
      </button>
      <div role="status">
        {file && 'name' in file && <p className="wrap-anywhere">{file.name}</p>}
        {filled && <FieldError error={filled.problem} />}
        {faults.length > 0 && (
          <div className="form-note form-problem">
            <div>
              <p className="font-semibold">変更しない行が{formatCount(faults.length)}行あります</p>
              <ul>
                {faults.map(({ line, reason }) => (
                  <li key={line} className="wrap-anywhere">
                    {formatCount(line)}行目：{reason}
                  </li>
                ))}
              </ul>
            </div>
          </div>
        )}
      </div>
    </Filler>
  );
}

/** The source of the texts, a preview, and the button that applies them. */
function Filler({
  outcomes,
  onClose,
  children,
}: FillerProps & { outcomes: readonly Outcome[]; children: React.ReactNode }) {
  const count = outcomes.filter(isChange).length;
  const lines =
    count > 0 ? [`${formatCount(outcomes.length)}件のうち${formatCount(count)}件を変更します。`] : [];
  return (
    <PlanForm
      count={count}
      label={`${formatCount(count)}件に入力する`}
      lines={[...lines, ...describeProblems(outcomes)]}
      empty="変わるものはありません。"
      onApply={() => void applyOutcomes(outcomes)}
      onClose={onClose}
    >
      {children}
      {outcomes.length > 0 && <FilledRows outcomes={outcomes} />}
    </PlanForm>
  );
}

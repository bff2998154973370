const EVERY_MS = 200;

/** A line on the terminal that is overwritten; nothing when the output goes elsewhere. */
export interface ProgressLine {
  show(files: number, bytes: number, bytesTotal?: number): void;
  end(): void;
}

export function createProgressLine(output: NodeJS.WriteStream = process.stdout): ProgressLine {
  let printedAtMs = 0;
  return {
    show(files, bytes, bytesTotal) {
      if (!output.isTTY || performance.now() - printedAtMs < EVERY_MS) return;
      printedAtMs = performance.now();
      const of = bytesTotal === undefined ? '' : ` of about ${toSize(bytesTotal)}`;
      output.write(`\r\x1b[K${files} files, ${toSize(bytes)}${of}`);
    },
    end() {
      if (output.isTTY && printedAtMs > 0) output.write('\r\x1b[K');
    },
  };
}

/** `12.3 MB`. */
export function toSize(bytes: number): string {
  if (bytes < 1_000_000) return `${Math.ceil(bytes / 1000)} KB`;
  return bytes < 1_000_000_000 ? `${(bytes / 1e6).toFixed(1)} MB` : `${(bytes / 1e9).toFixed(2)} GB`;
}

import { runOperator } from '#server/operator/run.ts';

/** Runs a staff command in this process, and returns the exit code and the lines that it printed. */
export async function runCommand(env: Readonly<Record<string, string>>, ...args: string[]) {
  const [out, err]: [string[], string[]] = [[], []];
  const code = await runOperator(args, env, {
    print: (text) => void out.push(text),
    printError: (line) => void err.push(line),
  });
  return { code, out: out.join('\n'), err: err.join('\n') };
}

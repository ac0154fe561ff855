// Reads what `bun test` printed: the figures at its end, the files that failed, and what a run and its repetition mean together.

export interface TestRun {
  /** Without colours. */
  readonly output: string;
  readonly exitCode: number;
}

export interface TestOutcome {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** Files that failed beside others and passed alone: a failure too, of the tests or of what they test. */
  readonly passedOnlyAlone: readonly string[];
  readonly exitCode: number;
}

/** Where more files fail than this, it is not the company they were in. */
const MOST_REPEATED = 5;

/** The files to run once more alone; none where a failure cannot be told from its file, or there are too many. */
export function filesToRepeat({ output, exitCode }: TestRun): readonly string[] {
  if (exitCode === 0) return [];
  const files = new Set<string>();
  let file: string | null = null;
  for (const line of output.split("\n")) {
    file = /^(tests\/\S+\.test\.ts):$/.exec(line)?.[1] ?? file;
    if (!line.startsWith("(fail)")) continue;
    if (file === null) return [];
    files.add(file);
  }
  return files.size > MOST_REPEATED ? [] : [...files];
}

/** Of a run, and of the repetition of the files that failed in it. A test that fails beside others has failed, whatever it does alone. */
export function outcomeOf(
  run: TestRun,
  repeated: (TestRun & { readonly files: readonly string[] }) | null,
): TestOutcome {
  const figure = (word: string) => Number(run.output.match(new RegExp(`^ *(\\d+) ${word}$`, "m"))?.[1] ?? 0);
  const failed = figure("fail");
  return {
    passed: figure("pass"),
    // A run that died before its figures counts as one failure.
    failed: run.exitCode !== 0 && failed === 0 ? 1 : failed,
    skipped: figure("skip"),
    passedOnlyAlone: repeated?.exitCode === 0 ? repeated.files : [],
    exitCode: run.exitCode,
  };
}

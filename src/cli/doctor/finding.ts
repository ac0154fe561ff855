// What the doctor says: one line a finding, with what to do about it.

type FindingState = "ok" | "warning" | "problem";

export interface Finding {
  readonly state: FindingState;
  /** The part that was looked at, in a word or two. */
  readonly about: string;
  /** What was found, without a full stop. Never a secret. */
  readonly text: string;
  /** What to do; null where all is well. */
  readonly advice: string | null;
}

export const ok = (about: string, text: string): Finding => ({ state: "ok", about, text, advice: null });
export const warning = (about: string, text: string, advice: string): Finding => ({
  state: "warning",
  about,
  text,
  advice,
});
export const problem = (about: string, text: string, advice: string): Finding => ({
  state: "problem",
  about,
  text,
  advice,
});

const STATE_WIDTH = 8;
const ABOUT_WIDTH = 16;

/** Always one line, also when the texts hold line breaks. */
export function findingLine({ state, about, text, advice }: Finding): string {
  const line = advice === null ? text : `${text}. Do: ${advice}`;
  return `${state.padEnd(STATE_WIDTH)} ${`${about}:`.padEnd(ABOUT_WIDTH)} ${line}`.replace(/\s*[\r\n]+\s*/g, " ");
}

// The failure of something that must fail: a test then says which one.
import { Failure } from "../../src/kernel/failure.ts";

/** The failure that `work` rejects with; anything else it does fails the test. */
export async function failureOf(work: Promise<unknown>): Promise<Failure> {
  let outcome: unknown;
  try {
    outcome = await work;
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
  throw new Error(`Expected a failure, got ${JSON.stringify(outcome)}`);
}

/** Code and kind of the failure that `run` throws, or that there was none. */
export function codeOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (error instanceof Failure) return `${error.code} ${error.kind}`;
    throw error;
  }
  return "no failure";
}

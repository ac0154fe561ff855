// The test command tells the truth: a test that fails beside others is a failure, also where it passes alone.
import { describe, expect, test } from "bun:test";
import { filesToRepeat, outcomeOf } from "../../scripts/test-outcome.ts";

const FAILED = `bun test v1.4.5

tests/api/a.test.ts:
(pass) a > works [1.00ms]

tests/api/b.test.ts:
error: expected
(fail) b > works beside others [2.00ms]

 7 pass
 2 skip
 1 fail
 12 expect() calls
`;
const failed = { output: FAILED, exitCode: 1 };
const files = ["tests/api/b.test.ts"];

describe("the test command", () => {
  test("repeats the files that failed, and no others", () => {
    expect(filesToRepeat(failed)).toEqual(files);
    expect(filesToRepeat({ output: FAILED, exitCode: 0 })).toEqual([]);
    expect(filesToRepeat({ output: "(fail) where?", exitCode: 1 })).toEqual([]);
    const many = Array.from({ length: 6 }, (_, number) => `tests/${number}.test.ts:\n(fail) it\n`).join("");
    expect(filesToRepeat({ output: many, exitCode: 1 })).toEqual([]);
  });

  test("fails where a file passed only when run alone, and names it", () => {
    const alone = { output: " 1 pass\n 0 fail\n", exitCode: 0, files };
    expect(outcomeOf(failed, alone)).toEqual({
      passed: 7,
      failed: 1,
      skipped: 2,
      passedOnlyAlone: files,
      exitCode: 1,
    });
  });

  test("fails where a file fails alone too, and where a run died before its figures", () => {
    expect(outcomeOf(failed, { ...failed, files })).toMatchObject({ failed: 1, passedOnlyAlone: [], exitCode: 1 });
    expect(outcomeOf({ output: "killed", exitCode: 137 }, null)).toMatchObject({ passed: 0, failed: 1, exitCode: 137 });
    expect(outcomeOf({ output: " 7 pass\n 0 fail\n", exitCode: 0 }, null)).toMatchObject({ failed: 0, exitCode: 0 });
  });
});

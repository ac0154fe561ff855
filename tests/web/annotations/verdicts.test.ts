// Judging without React: whose verdict is whose, what a digit chooses, and what becomes of a draft.
import { describe, expect, test } from "bun:test";
import { changesOf, Drafts, shownVerdict } from "../../../src/web/domain/annotations/drafts.ts";
import {
  type Annotation,
  chosenBy,
  controlValue,
  emptyVerdict,
  firstDigits,
  goodness,
  judged,
  type Question,
  sortedOut,
} from "../../../src/web/domain/annotations/verdicts.ts";

const common = { description: null, optimizationDirection: "MAXIMIZE" } as const;
const choice = (name: string, ...labels: string[]): Question => ({
  ...common,
  name,
  type: "CATEGORICAL",
  values: labels.map((label, index) => ({ label, score: 1 - index })),
});
const helpful = choice("helpful", "yes", "no");
const cause = choice("cause", "search", "prompt", "model");
const correctness: Question = { ...common, name: "correctness", type: "CONTINUOUS", lowerBound: 0, upperBound: 10 };
const remark: Question = { ...common, name: "remark", type: "FREEFORM" };

function annotation(name: string, identifier: string, more: Partial<Annotation> = {}): Annotation {
  const said = { label: "yes", score: 1, explanation: null, updatedAt: "2026-01-01T00:00:00Z", user: null };
  return { id: `${name} ${identifier}`, name, identifier, annotatorKind: "HUMAN", ...said, ...more };
}

describe("annotations", () => {
  const all = [
    annotation("helpful", "px-app:ana"),
    annotation("helpful", "px-app:ben"),
    annotation("helpful", "", { annotatorKind: "LLM" }),
    annotation("note", "px-span-note:1", { explanation: "Strange." }),
  ];

  test("is sorted into one's own, that of others, and notes", () => {
    const { own, others, notes } = sortedOut(all, "ana");
    expect([...own.values()].map(({ id }) => id)).toEqual(["helpful px-app:ana"]);
    expect(others.get("helpful")!.map(({ id }) => id)).toEqual(["helpful px-app:ben", "helpful "]);
    expect(notes.map(({ explanation }) => explanation)).toEqual(["Strange."]);
  });

  test("by a program is not one's own while authentication is off", () => {
    const { own, others } = sortedOut([...all, annotation("helpful", "px-app")], null);
    expect(own.get("helpful")!.identifier).toBe("px-app");
    expect(others.get("helpful")).toHaveLength(3);
  });

  test("becomes a verdict by the control of its question, and its value again", () => {
    expect(judged(helpful, emptyVerdict, "no")).toEqual({ label: "no", score: 0, explanation: null });
    expect(judged(correctness, emptyVerdict, "7,5").score).toBe(7.5);
    expect(judged(correctness, { ...emptyVerdict, score: 3 }, "many").score).toBeNull();
    const said = judged(remark, emptyVerdict, "too long");
    expect(said).toEqual({ label: null, score: null, explanation: "too long" });
    expect(controlValue(remark, said)).toBe("too long");
    expect(controlValue(correctness, { ...emptyVerdict, score: 0 })).toBe("0");
  });

  test("is good or bad by the direction of its question", () => {
    const at = (question: Question | undefined, score: number | null) => goodness(question, { ...emptyVerdict, score });
    expect(at(helpful, 0)).toBe(0);
    expect(at(correctness, 7.5)).toBe(0.75);
    expect(at({ ...correctness, optimizationDirection: "MINIMIZE" }, 7.5)).toBe(0.25);
    expect(at({ ...correctness, optimizationDirection: "NONE" }, 7.5)).toBeNull();
    expect(at(undefined, 1)).toBeNull();
    expect(at(helpful, null)).toBeNull();
  });
});

describe("digits", () => {
  test("go on from question to question, and end at nine", () => {
    const many = choice("many", ..."abcdefgh");
    const questions = [helpful, correctness, cause, many, choice("late", "x")];
    expect([...firstDigits(questions)]).toEqual([
      ["helpful", 1],
      ["cause", 3],
      ["many", 6],
    ]);
    const labels = [1, 2, 3, 4, 5, 6, 9].map((digit) => chosenBy(digit, questions)?.label);
    expect(labels).toEqual(["yes", "no", "search", "prompt", "model", "a", "d"]);
  });

  test("without a label choose nothing", () => {
    expect(chosenBy(3, [helpful])).toBeNull();
    expect(chosenBy(1, [correctness, remark])).toBeNull();
  });
});

describe("a draft", () => {
  const own = new Map([["helpful", annotation("helpful", "px-app")]]);
  const no = { label: "no", score: 0, explanation: null };

  test("says what differs, takes back what was emptied, and leaves the rest", () => {
    const verdicts = { helpful: emptyVerdict, cause: { ...no, explanation: "  why " }, correctness: emptyVerdict };
    const changes = changesOf({ verdicts, note: " " }, own)!;
    expect(changes.says).toEqual([{ name: "cause", ...no, explanation: "why" }]);
    expect(changes.takesBack).toEqual([own.get("helpful")!]);
    expect(changes.note).toBeNull();
    const same = { helpful: { label: "yes", score: 1, explanation: "" } };
    expect(changesOf({ verdicts: same, note: "" }, own)).toBeNull();
    expect(changesOf({ verdicts: same, note: "Look." }, own)).toEqual({ says: [], takesBack: [], note: "Look." });
  });

  test("is shown while it is on its way, and is no draft any more once it is there", () => {
    const drafts = new Drafts();
    drafts.judge("trace", "helpful", no);
    expect(drafts.take("trace")!.verdicts).toEqual({ helpful: no });
    expect(drafts.take("trace")).toBeNull();
    expect(shownVerdict(drafts.entry("trace"), "helpful", emptyVerdict)).toEqual(no);
    drafts.settle("trace");
    expect(shownVerdict(drafts.entry("trace"), "helpful", emptyVerdict)).toEqual(emptyVerdict);
  });

  test("comes back when it is refused, below newer input", () => {
    const drafts = new Drafts();
    let heard = 0;
    drafts.subscribe(() => heard++);
    drafts.judge("trace", "helpful", no);
    drafts.judge("trace", "cause", no);
    drafts.writeNote("trace", "Look.");
    drafts.take("trace");
    const later = { label: "yes", score: 1, explanation: null };
    drafts.judge("trace", "helpful", later);
    drafts.fail("trace", "The server is away.");
    expect(drafts.entry("trace")).toEqual({
      draft: { verdicts: { helpful: later, cause: no }, note: "Look." },
      sent: null,
      failure: "The server is away.",
    });
    expect(drafts.entry("other").failure).toBeNull();
    expect(heard).toBe(6);
  });
});

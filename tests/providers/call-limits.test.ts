import { expect, test } from "bun:test";
import { evaluationLimits, playgroundLimits, taskLimits } from "../../src/providers/call-limits.ts";
import { modelEndpoint } from "../support/model-calls.ts";

test("interactive calls have idle limits, jobs only a total limit", () => {
  const idle = (changes: Parameters<typeof modelEndpoint>[1], isCustom = false) =>
    playgroundLimits(modelEndpoint("", changes), isCustom).idleSeconds;
  expect([idle({}), idle({ wire: "openai_responses" }), idle({}, true), idle({ wire: "anthropic" })]).toEqual([
    30, 30, 90, 90,
  ]);
  expect(playgroundLimits(modelEndpoint(""), false)).toMatchObject({
    firstPieceSeconds: 90,
    maximumBytes: 32 * 1024 * 1024,
  });
  expect(taskLimits).toMatchObject({ firstPieceSeconds: 120, idleSeconds: 120, totalSeconds: 120 });
  expect(evaluationLimits).toMatchObject({ totalSeconds: 60 });
});

// Runs of the playground: they go on while another page is open, and what they answered is there when one comes back.
import { useSyncExternalStore } from "react";
import { type JsonObject, stringifyJson } from "../../../kernel/json.ts";
import { failureOf, failureOfResponse, PageFailure, unreachable } from "../../lib/failure.ts";
import { readServerEvents } from "../../lib/server-events.ts";
import { fetchApi } from "../../lib/session.ts";
import { text } from "../../texts/texts.ts";
import { type Answer, type AnswerEvent, noAnswer, withEvent } from "./answers.ts";

/** Answers are drawn at most this often: models write faster than people read. */
const DRAW_EVERY_MS = 40;

/** The last run of one variant. */
export interface VariantRun {
  readonly model: string;
  /** By repetition. */
  readonly answers: readonly Answer[];
  readonly isRunning: boolean;
  /** Why nothing was called, or why answers are missing; null if nothing is wrong. */
  readonly failure: string | null;
}

interface RunVariant {
  readonly key: number;
  readonly model: string;
}

type SentEvent = AnswerEvent & { readonly variant: number; readonly repetition: number };

let runs: ReadonlyMap<number, VariantRun> = new Map();
const listeners = new Set<() => void>();
const running = new Map<AbortController, readonly RunVariant[]>();
let drawing: ReturnType<typeof setTimeout> | null = null;

/** By the keys of the variants. */
export function useRuns(): ReadonlyMap<number, VariantRun> {
  return useSyncExternalStore(subscribe, () => runs);
}

/** The answers of these variants before are replaced. */
export async function startRun(variants: readonly RunVariant[], repetitions: number, body: JsonObject): Promise<void> {
  const abort = new AbortController();
  running.set(abort, variants);
  const answers = Array.from({ length: repetitions }, () => noAnswer);
  for (const { key, model } of variants) set(key, { model, answers, isRunning: true, failure: null });
  draw();
  const failure = await send(variants, body, abort.signal).catch((error: unknown) =>
    abort.signal.aborted ? null : failureOf(error),
  );
  running.delete(abort);
  for (const [position, { key }] of variants.entries()) {
    const problem = failure === null ? null : failureAt(failure, position, variants.length);
    change(key, (run) => ({ ...run, isRunning: false, failure: problem }));
  }
  draw();
}

/** Of all, or of one variant: calls that a request makes together end together. */
export function stopRuns(): void {
  for (const abort of running.keys()) abort.abort();
}

/** What is on the screen is not of the drafts that are there now. */
export function clearRuns(): void {
  stopRuns();
  runs = new Map();
  draw();
}

async function send(variants: readonly RunVariant[], body: JsonObject, signal: AbortSignal): Promise<null> {
  const response = await fetchApi("v1/playground/runs", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: stringifyJson(body),
    signal,
  }).catch((error: unknown) => {
    throw unreachable(error);
  });
  if (!response.ok) throw await failureOfResponse(response);
  let isWhole = false;
  for await (const { name, data } of readServerEvents(response)) {
    const event = JSON.parse(data) as Omit<SentEvent, "type"> & { readonly message?: string };
    if (name === "done") isWhole = true;
    else if (name === "error") throw new PageFailure("failed", event.message ?? text("playground.broken"));
    else if (name !== "run") note(variants, { ...event, type: name } as SentEvent);
  }
  if (!isWhole) throw new PageFailure("unreachable", text("playground.broken"));
  return null;
}

function note(variants: readonly RunVariant[], { variant, repetition, ...event }: SentEvent): void {
  const key = variants[variant]?.key;
  if (key === undefined) return;
  change(key, (run) => ({
    ...run,
    answers: run.answers.map((answer, at) => (at === repetition - 1 ? withEvent(answer, event) : answer)),
  }));
  drawing ??= setTimeout(draw, DRAW_EVERY_MS);
}

/** A refusal that names one variant is shown there alone; the others show that they were not called. */
function failureAt({ message, places }: PageFailure, position: number, count: number): string {
  const named = /^variants\[(\d+)\]: /.exec(message);
  if (named !== null) {
    return Number(named[1]) === position ? message.slice(named[0].length) : text("playground.other-refused");
  }
  const own = places.filter(({ location }) => location[0] === "variants" && location[1] === position);
  if (own.length > 0) {
    return own.map(({ location, message }) => `${location.slice(2).join(".")}: ${message}`).join("; ");
  }
  const isOfAnother = count > 1 && places.some(({ location }) => location[0] === "variants");
  return isOfAnother ? text("playground.other-refused") : message;
}

function change(key: number, to: (run: VariantRun) => VariantRun): void {
  const run = runs.get(key);
  if (run !== undefined) set(key, to(run));
}

function set(key: number, run: VariantRun): void {
  runs = new Map(runs).set(key, run);
}

function draw(): void {
  if (drawing !== null) clearTimeout(drawing);
  drawing = null;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

// A job that this server runs: takes its items one after the other, stores what comes of them, and ends.
import { Failure, messageOf } from "../../../../kernel/failure.ts";
import { parseJson } from "../../../../kernel/json.ts";
import type { Logger } from "../../../../kernel/logger.ts";
import type { JobClaim, JobStatus, LogDetail, NewLog, StopReason } from "../experiment-jobs.schema.ts";
import { BREAKER_FAILURES, CircuitBreaker } from "./circuit-breaker.rules.ts";
import { attemptEvaluation, type EvaluationOutcome } from "./evaluation-attempt.service.ts";
import { CallBlocked } from "./job-calls.service.ts";
import type { ItemProblem } from "./job-failures.rules.ts";
import type { AttachedEvaluator, EvaluationItem, JobItem, TaskItem } from "./job-items.schema.ts";
import type { JobNeeds } from "./job-needs.schema.ts";
import type { FinishedItem, JobResults, StoredItem } from "./job-results.service.ts";
import type { StartedWork, WorkSource } from "./scheduler.rules.ts";
import { attemptTask, type TaskOutcome } from "./task-attempt.service.ts";
import { WorkQueue } from "./work-queue.rules.ts";

/** How a job ends on this server. */
export type JobEnding =
  | {
      readonly type: "ended";
      readonly status: Exclude<JobStatus, "RUNNING">;
      readonly reason: StopReason | null;
      readonly message: string | null;
    }
  /** Another server may go on. */
  | { readonly type: "released" }
  /** It is stopped, deleted or taken over already. */
  | { readonly type: "lost" };

interface RunningJobNeeds extends JobNeeds {
  readonly claim: JobClaim;
  readonly evaluators: readonly AttachedEvaluator[];
  readonly results: JobResults;
  /** The next items of the job, in parts; null when there are no more. */
  readonly nextItems: () => Promise<readonly JobItem[] | null>;
  readonly isStorageLocked: () => boolean;
  /** False while the claim may have run out, because the database is away. */
  readonly isHeld: () => boolean;
  /** Cancels the running calls: aborts `signal`. */
  readonly cancel: () => void;
  /** Has the scheduler look again. */
  readonly wake: () => void;
  readonly onEnd: (ending: JobEnding) => void;
  readonly log: Logger;
}

/** Results that wait to be stored, beside the calls that run. */
const MOST_UNSTORED = 500;
/** Milliseconds. `blocked`: until a call is tried again that did not fit. `budget`: a job gives up that was blocked for so long while
 *  none of its calls ran. */
const WAITS = { blocked: 1000, budget: 30_000 };

export class RunningJob implements WorkSource {
  readonly #needs: RunningJobNeeds;
  readonly #queue = new WorkQueue<TaskItem, EvaluationItem>();
  readonly #taskBreaker = new CircuitBreaker();
  readonly #evaluatorBreakers = new Map<AttachedEvaluator, CircuitBreaker>();
  /** Calls that run, and items that are not done with. */
  #calling = 0;
  #unfinished = 0;
  #isExhausted = false;
  #isLoading = false;
  #blockedUntilMs = 0;
  #blockedSinceMs: number | null = null;
  #timer: ReturnType<typeof setTimeout> | null = null;
  #ending: JobEnding | null = null;
  #isOver = false;

  constructor(needs: RunningJobNeeds) {
    this.#needs = needs;
    for (const evaluator of needs.evaluators) this.#evaluatorBreakers.set(evaluator, new CircuitBreaker());
  }

  get claim(): JobClaim {
    return this.#needs.claim;
  }

  /** Starts nothing more; what runs is finished, or cancelled where that is asked for. The first ending counts. */
  end(ending: JobEnding, cancels: boolean): void {
    this.#ending ??= ending;
    if (cancels) this.#needs.cancel();
    this.#settle();
  }

  startNext(): StartedWork | null {
    const { task, isHeld, isStorageLocked } = this.#needs;
    if (this.#ending !== null || this.#calling >= task.maxConcurrency) return null;
    if (this.#unfinished >= task.maxConcurrency + MOST_UNSTORED) return null;
    const nowMs = performance.now();
    if (nowMs < this.#blockedUntilMs || !isHeld()) return null;
    if (isStorageLocked()) {
      this.end(stopped("storage_locked", "The database is full"), false);
      return null;
    }
    const item = this.#queue.take(nowMs);
    this.#loadMore();
    if (item === null) {
      this.#wakeLater(this.#queue.nextRetryMs);
      this.#settle();
      return null;
    }
    return this.#start(item);
  }

  #start(item: JobItem): StartedWork {
    const answered = Promise.withResolvers<void>();
    let isCalling = true;
    const onAnswered = () => {
      if (!isCalling) return;
      isCalling = false;
      this.#calling--;
      answered.resolve();
    };
    this.#calling++;
    this.#unfinished++;
    void this.#work(item, onAnswered)
      .catch((error: unknown) => this.#fail(item, error))
      .finally(() => {
        onAnswered();
        this.#unfinished--;
        this.#settle();
        this.#needs.wake();
      });
    return answered.promise;
  }

  async #work(item: JobItem, onAnswered: () => void): Promise<void> {
    try {
      if (item.type === "task") await this.#finishTask(item, await attemptTask(item, this.#needs, onAnswered));
      else await this.#finishEvaluation(item, await attemptEvaluation(item, this.#needs, onAnswered));
      this.#blockedSinceMs = null;
      this.#blockedUntilMs = 0;
    } catch (error) {
      if (!(error instanceof CallBlocked)) throw error;
      this.#block(item, error);
    }
  }

  async #finishTask(item: TaskItem, outcome: TaskOutcome): Promise<void> {
    const { claim, emit } = this.#needs;
    const place = { exampleId: item.example.id, repetition: item.repetition };
    if (outcome.type !== "done") {
      if (outcome.type === "retry") {
        emit({ type: "retry", ...place, delaySeconds: outcome.delaySeconds });
        this.#retry(item, outcome.delaySeconds);
      }
      await this.#store({ spent: outcome.spent });
      return;
    }
    const { run, problem, span, spent } = outcome;
    const trips = problem === null ? this.#taskBreaker.succeed() : this.#taskBreaker.fail();
    const row = { experimentId: claim.jobId, ...place, ...run };
    const logs = problem === null ? [] : [this.#itemLog("TASK", item, problem)];
    if (trips) logs.push(this.#breakerLog("task", problem!));
    const stored = await this.#store({ spent, run: row, logs });
    if (stored === null) return;
    const { runId } = stored;
    if (problem !== null) emit({ type: "error", ...place, message: problem.message, runId, span });
    else if (runId !== null) {
      emit({ type: "result", ...place, runId, span });
      this.#queue.addEvaluations(this.#evaluationsOf(item, { id: runId, output: parseJson(run.output) }));
    }
    if (trips) this.#trip(problem!);
  }

  async #finishEvaluation(item: EvaluationItem, outcome: EvaluationOutcome): Promise<void> {
    if (outcome.type !== "done") {
      if (outcome.type === "retry") this.#retry(item, outcome.delaySeconds);
      await this.#store({ spent: outcome.spent });
      return;
    }
    const { evaluations, problem, spent } = outcome;
    const breaker = this.#evaluatorBreakers.get(item.evaluator)!;
    const trips = problem === null ? breaker.succeed() : breaker.fail();
    const logs = problem === null ? [] : [this.#itemLog("EVAL", item, problem)];
    if (trips) {
      const { name } = item.evaluator.prepared;
      logs.push(this.#breakerLog(name, problem!));
      this.#queue.drop((other) => other.type === "evaluation" && other.evaluator === item.evaluator);
    }
    const stored = await this.#store({ spent, evaluations, logs });
    if (stored === null) return;
    evaluations.forEach(({ name, error, traceKey }, at) => {
      const evaluationId = error === null ? (stored.evaluationIds[at] ?? null) : null;
      const place = { exampleId: item.example.id, repetition: item.repetition };
      this.#needs.emit({ type: "evaluation", ...place, name, evaluationId, error, traceKey });
    });
  }

  #evaluationsOf({ example, repetition }: TaskItem, run: EvaluationItem["run"]): EvaluationItem[] {
    const running = [...this.#evaluatorBreakers].filter(([, breaker]) => !breaker.isOpen);
    return running.map(([evaluator]) => ({ type: "evaluation", evaluator, run, example, repetition, tries: 0 }));
  }

  /** Null where the claim is lost: the job goes on elsewhere, or has ended. */
  async #store(item: Partial<FinishedItem> & Pick<FinishedItem, "spent">): Promise<StoredItem | null> {
    const { results, claim } = this.#needs;
    const stored = await results.store({ claim, run: null, evaluations: [], logs: [], ...item });
    if (stored === null) this.end({ type: "lost" }, true);
    return stored;
  }

  #retry(item: JobItem, delaySeconds: number): void {
    this.#queue.addRetry(item, performance.now() + delaySeconds * 1000);
  }

  #block(item: JobItem, { by, isFinal, failure }: CallBlocked): void {
    const nowMs = performance.now();
    this.#queue.addRetry(item, nowMs);
    this.#blockedSinceMs ??= nowMs;
    const isAlone = this.#unfinished <= 1;
    const isOver = by === "budget" ? isFinal || nowMs - this.#blockedSinceMs > WAITS.budget : isAlone;
    if (by !== "server" && isOver) {
      this.end(stopped(by, failure.message), false);
      return;
    }
    this.#blockedUntilMs = nowMs + WAITS.blocked;
    this.#wakeLater(this.#blockedUntilMs);
  }

  #trip({ code }: ItemProblem): void {
    const message = `Experiment stopped: ${code} (${BREAKER_FAILURES} consecutive failures)`;
    this.end({ type: "ended", status: "ERROR", reason: "circuit_breaker", message }, true);
  }

  /** For what should not happen: the job ends, and says why in the log of the server. */
  #fail(item: JobItem, error: unknown): void {
    const { log, claim } = this.#needs;
    const text =
      error instanceof Failure
        ? error.message
        : error instanceof Error
          ? (error.stack ?? error.message)
          : messageOf(error);
    log.error("an item of an experiment failed", { experiment: claim.jobId, item: item.type, reason: text });
    const message = "An internal error stopped the experiment: the log of the server has the reason";
    this.end({ type: "ended", status: "ERROR", reason: "start_failed", message }, true);
  }

  #loadMore(): void {
    const { task, nextItems, wake } = this.#needs;
    if (this.#isExhausted || this.#isLoading || this.#queue.waitingTasks >= 2 * task.maxConcurrency) return;
    this.#isLoading = true;
    void nextItems()
      .then((items) => {
        if (items === null) this.#isExhausted = true;
        else {
          this.#queue.addTasks(items.filter((item) => item.type === "task"));
          this.#queue.addEvaluations(items.filter((item) => item.type === "evaluation"));
        }
      })
      .catch((error: unknown) => {
        // The database is away: the claim runs out meanwhile, if it stays so.
        if (!(error instanceof Failure && error.kind === "unavailable")) throw error;
        this.#blockedUntilMs = performance.now() + WAITS.blocked;
        this.#wakeLater(this.#blockedUntilMs);
      })
      .catch((error: unknown) => {
        this.#needs.log.error("the examples of an experiment cannot be read", { reason: messageOf(error) });
        this.end(
          { type: "ended", status: "ERROR", reason: "start_failed", message: "The examples cannot be read" },
          true,
        );
      })
      .finally(() => {
        this.#isLoading = false;
        this.#settle();
        wake();
      });
  }

  #wakeLater(atMs: number | null): void {
    if (atMs === null || this.#isOver) return;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = setTimeout(this.#needs.wake, Math.max(0, atMs - performance.now()));
    this.#timer.unref?.();
  }

  /** Ends when nothing runs and nothing is left, or nothing more is to be started. */
  #settle(): void {
    if (this.#isOver || this.#unfinished > 0 || this.#isLoading) return;
    if (this.#ending === null) {
      if (!this.#isExhausted || !this.#queue.isEmpty) return;
      this.#ending = { type: "ended", status: "COMPLETED", reason: null, message: null };
    }
    this.#isOver = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#needs.onEnd(this.#ending);
  }

  #itemLog(category: "TASK" | "EVAL", item: JobItem, { code, message, retries }: ItemProblem): NewLog {
    const { claim, clock } = this.#needs;
    const isTask = item.type === "task";
    const detail: LogDetail = {
      code,
      retries,
      exampleId: isTask ? item.example.id : null,
      repetition: isTask ? item.repetition : null,
      runId: isTask ? null : item.run.id,
      datasetEvaluatorId: isTask ? null : item.evaluator.prepared.datasetEvaluatorId,
    };
    return {
      jobId: claim.jobId,
      occurredUs: clock.now(),
      category,
      level: "ERROR",
      message: `${code}: ${message}`,
      detail,
    };
  }

  #breakerLog(what: string, { code }: ItemProblem): NewLog {
    const { claim, clock } = this.#needs;
    const message = `Circuit breaker tripped (${what}): ${code}`;
    return {
      jobId: claim.jobId,
      occurredUs: clock.now(),
      category: "EXPERIMENT",
      level: "ERROR",
      message,
      detail: null,
    };
  }
}

function stopped(reason: StopReason, message: string): JobEnding {
  return { type: "ended", status: "STOPPED", reason, message };
}

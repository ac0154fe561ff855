// What a job has to do next: evaluations first, then retries whose time has come, then tasks in their order.

interface Retry<Item> {
  readonly item: Item;
  /** Milliseconds of the monotonic clock. */
  readonly dueMs: number;
}

export class WorkQueue<Task, Evaluation> {
  readonly #evaluations: Evaluation[] = [];
  #retries: Retry<Task | Evaluation>[] = [];
  #tasks: Task[] = [];
  /** Position of the first task that is left: taking from the front of a list moves the rest. */
  #next = 0;

  get waitingTasks(): number {
    return this.#tasks.length - this.#next;
  }

  get isEmpty(): boolean {
    return this.waitingTasks === 0 && this.#evaluations.length === 0 && this.#retries.length === 0;
  }

  /** When the next retry is due; null without one. */
  get nextRetryMs(): number | null {
    return this.#retries[0]?.dueMs ?? null;
  }

  addTasks(tasks: readonly Task[]): void {
    this.#tasks = [...this.#tasks.slice(this.#next), ...tasks];
    this.#next = 0;
  }

  addEvaluations(evaluations: readonly Evaluation[]): void {
    this.#evaluations.push(...evaluations);
  }

  addRetry(item: Task | Evaluation, dueMs: number): void {
    this.#retries.push({ item, dueMs });
    this.#retries.sort((one, other) => one.dueMs - other.dueMs);
  }

  /** Removes evaluations and retries that are not wanted any more. */
  drop(isUnwanted: (item: Task | Evaluation) => boolean): void {
    const wanted = this.#evaluations.filter((item) => !isUnwanted(item));
    this.#evaluations.splice(0, this.#evaluations.length, ...wanted);
    this.#retries = this.#retries.filter(({ item }) => !isUnwanted(item));
  }

  /** Null while nothing is due. */
  take(nowMs: number): Task | Evaluation | null {
    const evaluation = this.#evaluations.shift();
    if (evaluation !== undefined) return evaluation;
    const retry = this.#retries[0];
    if (retry !== undefined && retry.dueMs <= nowMs) {
      this.#retries.shift();
      return retry.item;
    }
    if (this.waitingTasks === 0) return null;
    const task = this.#tasks[this.#next]!;
    this.#next++;
    return task;
  }
}

// Events on their way to one reader. A slow reader loses no result: pieces of text that it has not taken yet are joined.

/** Characters of text that wait at most; what comes beyond them is left out, the results hold it whole. */
const MOST_WAITING_CHARACTERS = 8 * 1024 * 1024;

interface EventQueueOptions<Event> {
  /** What an event is about: texts of the same subject that follow each other are joined. */
  readonly subjectOf: (event: Event) => string;
  /** The piece of text that an event carries; null for every other event. */
  readonly textOf: (event: Event) => string | null;
  readonly withText: (event: Event, text: string) => Event;
  /** Called once, if the reader leaves before the end. */
  readonly onLeave: () => void;
}

interface Waiting<Event> {
  event: Event;
}

export class EventQueue<Event> implements AsyncIterableIterator<Event, undefined> {
  readonly #options: EventQueueOptions<Event>;
  readonly #waiting = new Set<Waiting<Event>>();
  /** The last event of a subject, where it waits and is a text. */
  readonly #joinable = new Map<string, Waiting<Event>>();
  #characters = 0;
  #wake: (() => void) | null = null;
  #isOpen = true;

  constructor(options: EventQueueOptions<Event>) {
    this.#options = options;
  }

  push(event: Event): void {
    if (!this.#isOpen) return;
    const subject = this.#options.subjectOf(event);
    const text = this.#options.textOf(event);
    if (text === null) {
      this.#joinable.delete(subject);
      this.#waiting.add({ event });
    } else if (this.#characters + text.length <= MOST_WAITING_CHARACTERS) this.#pushText(subject, event, text);
    this.#notify();
  }

  #pushText(subject: string, event: Event, text: string): void {
    this.#characters += text.length;
    const before = this.#joinable.get(subject);
    if (before !== undefined) {
      before.event = this.#options.withText(before.event, this.#options.textOf(before.event)! + text);
      return;
    }
    const waiting = { event };
    this.#waiting.add(waiting);
    this.#joinable.set(subject, waiting);
  }

  /** The reader gets what waits, then the end. */
  end(): void {
    this.#isOpen = false;
    this.#notify();
  }

  async next(): Promise<IteratorResult<Event, undefined>> {
    for (;;) {
      const [first] = this.#waiting;
      if (first !== undefined) return { value: this.#take(first), done: false };
      if (!this.#isOpen) return { value: undefined, done: true };
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#wake = resolve;
      await promise;
    }
  }

  #take(first: Waiting<Event>): Event {
    const { event } = first;
    const { subjectOf, textOf } = this.#options;
    this.#waiting.delete(first);
    this.#characters -= textOf(event)?.length ?? 0;
    const subject = subjectOf(event);
    if (this.#joinable.get(subject) === first) this.#joinable.delete(subject);
    return event;
  }

  async return(): Promise<IteratorResult<Event, undefined>> {
    if (this.#isOpen) {
      this.end();
      this.#waiting.clear();
      this.#options.onLeave();
    }
    return { value: undefined, done: true };
  }

  /** Drops what is queued, without `onLeave`: the job goes on without this reader. */
  release(): void {
    this.end();
    this.#waiting.clear();
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  #notify(): void {
    this.#wake?.();
    this.#wake = null;
  }
}

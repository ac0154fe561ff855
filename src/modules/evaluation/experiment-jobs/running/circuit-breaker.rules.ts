// Stops what fails again and again: many failures in a row are no accident.

/** Failures in a row. */
export const BREAKER_FAILURES = 5;

export class CircuitBreaker {
  #failures = 0;

  get isOpen(): boolean {
    return this.#failures >= BREAKER_FAILURES;
  }

  /** False, as `fail` for a failure that does not open it. */
  succeed(): false {
    if (!this.isOpen) this.#failures = 0;
    return false;
  }

  /** True for the failure that opens it. */
  fail(): boolean {
    this.#failures++;
    return this.#failures === BREAKER_FAILURES;
  }
}

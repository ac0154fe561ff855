// Loaded before the service by tests that break its threads: what SPANLIGHT_TEST_BREAKS names (a part of the file name of a
// worker) gets, on SIGUSR2, a message that no handler expects and that ends it as an error in its own code would.
const breaks = process.env.SPANLIGHT_TEST_BREAKS ?? "";
const started: Worker[] = [];

class BreakableWorker extends Worker {
  constructor(url: string | URL, options?: WorkerOptions) {
    super(url, options);
    if (breaks !== "" && String(url).includes(breaks)) started.push(this);
  }
}
globalThis.Worker = BreakableWorker;

process.on("SIGUSR2", () => {
  for (const worker of started.splice(0)) worker.postMessage(null);
});

// Loaded before the service by tests: on SIGUSR2 every thread of it gets an unhandled rejection, as
// libraries have them.
const MESSAGE = "reject a promise";
const started: Worker[] = [];

function reject(thread: string): void {
  void Promise.reject(new Error(`Nobody waits in ${thread}`));
}

if (Bun.isMainThread) {
  class RejectingWorker extends Worker {
    constructor(url: string | URL, options?: WorkerOptions) {
      super(url, { ...options, preload: [import.meta.path] });
      started.push(this);
    }
  }
  globalThis.Worker = RejectingWorker;
  process.on("SIGUSR2", () => {
    reject("the main thread");
    for (const worker of started) worker.postMessage(MESSAGE);
  });
} else {
  globalThis.addEventListener("message", (event) => {
    if ((event as MessageEvent).data === MESSAGE) reject(Bun.main.split("/").at(-1)!);
  });
}

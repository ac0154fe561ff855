// Entry point of the evaluation worker: a compiled binary resolves worker files beside its own entry point only.
import "./server/evaluation-thread.ts";

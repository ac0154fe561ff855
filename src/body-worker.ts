// Entry point of the body worker: a compiled binary resolves worker files beside its own entry point only.
import "./server/body-thread.ts";

// Entry point of the ingest worker: a compiled binary resolves worker files beside its own entry point only.
import "./ingest/ingest-thread.ts";

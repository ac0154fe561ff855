// Entry point of the decode worker: a compiled binary resolves worker files beside its own entry point only.
import "./otlp/transport/decode-thread.ts";

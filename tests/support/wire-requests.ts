// Builds the request of a protocol in tests.
import type { ModelCall, Wire } from "../../src/providers/model-call.ts";
import { wires } from "../../src/providers/wires/wires.ts";
import { modelCall, modelEndpoint } from "./model-calls.ts";
import { wireParameters } from "./wire-endpoints.ts";

/** Not streamed by default. */
export function wireRequest(wire: Wire, changes: Partial<ModelCall> = {}) {
  const endpoint = modelEndpoint("http://127.0.0.1", { wire });
  const parameters = wireParameters[wire];
  return wires[wire].request(modelCall(endpoint, { parameters, streaming: false, ...changes }));
}

export const wireBody = (wire: Wire, changes?: Partial<ModelCall>) => wireRequest(wire, changes).body;

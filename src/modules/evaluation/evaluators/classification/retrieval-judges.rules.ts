// Judges of what was retrieved for a request.
import { type ClassificationConfig, judgePrompt, tagged } from "./classification-config.rules.ts";

export const retrievalJudges: readonly ClassificationConfig[] = [
  {
    name: "document_relevance",
    description: "Whether a document helps to answer the request.",
    optimizationDirection: "MAXIMIZE",
    choices: { relevant: 1, unrelated: 0 },
    isPromoted: false,
    prompt: judgePrompt(
      "You judge whether a document that was retrieved for a request is of use to answer it.",
      `- relevant: it contains at least a part of the answer, or something that is needed to find it.
- unrelated: it contains nothing that helps with this request, even if it shares words or its general subject.`,
      `${tagged("input")}\n\n${tagged("document_text")}`,
    ),
  },
  {
    name: "retrieval_relevance",
    description: "Whether all that was retrieved, taken together, is enough to answer the request.",
    optimizationDirection: "MAXIMIZE",
    choices: { relevant: 1, irrelevant: 0 },
    isPromoted: false,
    prompt: judgePrompt(
      "You judge the whole context that was retrieved for a request, not its single parts.",
      `- relevant: a reader could answer the request from the context, at least in the main. Further parts without use do no harm.
- irrelevant: the context does not deal with what was asked, or lacks what the answer depends on.`,
      `${tagged("input")}\n\n${tagged("context")}`,
    ),
  },
];

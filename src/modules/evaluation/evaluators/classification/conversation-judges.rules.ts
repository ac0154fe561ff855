// Judges of whole conversations.
import { type ClassificationConfig, judgePrompt, tagged } from "./classification-config.rules.ts";

export const conversationJudges: readonly ClassificationConfig[] = [
  {
    name: "completeness",
    description: "Whether everything that the user asked for was dealt with by the end of the conversation.",
    optimizationDirection: "MAXIMIZE",
    choices: { complete: 1, incomplete: 0 },
    isPromoted: true,
    prompt: judgePrompt(
      "You judge whether an assistant has dealt with everything that its user wanted in the course of a conversation.",
      `- complete: each wish of the user, also one that was mentioned in passing, was fulfilled, or it was said why it cannot be.
- incomplete: at least one wish was overlooked, dropped, only promised, or fulfilled in part without saying so.

First list the wishes for yourself, then look for what became of each.`,
      tagged("conversation"),
    ),
  },
  {
    name: "pii_detection",
    description: "Whether the conversation contains data by which a private person can be identified.",
    optimizationDirection: "MINIMIZE",
    choices: { pii_detected: 1, no_pii_detected: 0 },
    isPromoted: true,
    prompt: judgePrompt(
      "You look for personal data of private people in a conversation, whoever wrote it.",
      `- pii_detected: it contains a full name together with something about that person, an address, a telephone number, an e-mail address,
  a date of birth, a number of an identity card, account, payment card or insurance, credentials, a precise location, or data about
  somebody's health.
- no_pii_detected: it contains none of that. Names of companies, public figures in their public role, obvious placeholders such as
  "Jane Doe" or user@example.com, and first names alone do not count.

Do not repeat the data in your explanation: say what kind it is and where it is.`,
      tagged("conversation"),
    ),
  },
  {
    name: "user_friction",
    description: "Whether a message of the user shows that the assistant makes things hard.",
    optimizationDirection: "MINIMIZE",
    choices: { friction: 1, no_friction: 0 },
    isPromoted: false,
    prompt: judgePrompt(
      "You judge one message of a user in the course of a conversation: does it show trouble with the assistant?",
      `- friction: the user corrects the assistant, repeats or rephrases what was said before, complains, shows impatience, asks whether it
  understands, or gives up.
- no_friction: the user goes on, adds information, asks something new, agrees or thanks. Anger about something else is not friction.`,
      `${tagged("conversation")}\n\n${tagged("user_message")}`,
    ),
  },
];

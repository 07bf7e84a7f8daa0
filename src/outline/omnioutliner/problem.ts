// The faults of the application, each with a hint to its remedy.
// Used throughout this folder; check_connection uses `isRunning`.
import { Problem, type ProblemCode } from "../../kernel/kernel.ts";

export class AppProblem extends Problem {
  readonly isRunning: boolean;

  constructor(code: ProblemCode, message: string, hint: string, isRunning = true) {
    super(code, message, hint);
    this.isRunning = isRunning;
  }
}

/** The document is not open in the application, and nothing was done: the file may be used instead. */
export class NotOpenInApp extends AppProblem {}

/** OmniOutliner is not on this machine. */
export class NotInstalled extends NotOpenInApp {}

export function notRunning(Kind: typeof NotOpenInApp = NotOpenInApp): AppProblem {
  return new Kind(
    "app_not_running",
    "OmniOutliner is not running.",
    "Please launch OmniOutliner and open a document.",
    false,
  );
}

export function noDocument(): AppProblem {
  return new NotOpenInApp("no_document", "OmniOutliner is running but no document is open.", "Please open a document.");
}

export function noAnswer(seconds: number, isChange: boolean): AppProblem {
  return new AppProblem(
    "timeout",
    `OmniOutliner did not answer within ${seconds} seconds.`,
    `It may be busy, or show a dialog that waits for you. Look at it, then try again.${isChange ? " What was asked may have been done: read the document first." : ""}`,
  );
}

export function tooMuch(): AppProblem {
  return new AppProblem("too_large", "The answer of OmniOutliner is too large.", "Split the document.");
}

/** From the stderr of a failed osascript, which ends with an error number. */
export function problemOf(stderr: string): AppProblem {
  const number = Number(/\((-?\d+)\)\s*$/.exec(stderr)?.[1]);
  switch (number) {
    case -1743:
      return new AppProblem(
        "denied",
        "This program is not allowed to control OmniOutliner.",
        "Allow it in System Settings > Privacy & Security > Automation, below the app that started this server, then try again.",
      );
    // The script has checked that it runs, so the request may have been carried out.
    case -600:
    case -609:
      return new AppProblem(
        "app_not_running",
        "OmniOutliner quit during the request.",
        "Launch it again, and look at the document.",
        false,
      );
    case -1712:
      return noAnswer(120, true);
    case -1728:
    case -1719:
      return new AppProblem(
        "row_not_found",
        "OmniOutliner no longer has the row or its document: it was closed or deleted in the meantime.",
        "Read the document again.",
      );
  }
  if (/\bPro feature\b|\bPro edition\b|requires .*\bPro\b/i.test(stderr))
    return new AppProblem(
      "pro_required",
      "This edition of OmniOutliner cannot be automated: scripting is a Pro feature.",
      "Upgrade to OmniOutliner Pro, or name the file with --outline FILE and close it in OmniOutliner.",
    );
  if (/application can.t be found/i.test(stderr)) return notRunning(NotInstalled);
  return failure(stderr.replace(/^.*?execution error: /s, "").trim() || "osascript ended without a message");
}

/** From the message of a script that failed. */
export function scriptProblem(failed: string): AppProblem {
  if (/\bPro feature\b/i.test(failed)) return problemOf(failed);
  const refused = /^REFUSED: (.*)$/.exec(failed)?.[1];
  if (refused === "the checkbox")
    return new AppProblem(
      "invalid",
      "OmniOutliner did not accept the checkbox: nothing was changed.",
      "Its status column may be off, or its scripting dictionary may not support this state.",
    );
  if (refused !== undefined)
    return new AppProblem(
      "invalid",
      `OmniOutliner did not accept ${refused}: nothing was changed.`,
      "Look at the document: a filter or a sorted column may prevent it.",
    );
  if (failed === "BUSY") return busy();
  if (failed.startsWith("HALF DONE"))
    return new AppProblem(
      "conflict",
      "OmniOutliner stopped in the middle of the change, and a part of it could not be rolled back.",
      "Look at the document, and use Cmd+Z in OmniOutliner.",
    );
  return failure(failed);
}

/** Any other message of the application or the system. */
function failure(message: string): AppProblem {
  return new AppProblem(
    "internal",
    `OmniOutliner could not do this: ${message}`,
    "Nothing was changed. The command 'doctor --outline app' shows what works; please report what does not.",
  );
}

export function busy(): AppProblem {
  return new AppProblem(
    "conflict",
    "The document kept changing in OmniOutliner: nothing was changed.",
    "Try again when nobody is typing in it.",
  );
}

// Simulates file systems that are not available: replaces functions of node:fs
// while a test runs. Everything else is real.
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

type Answers = Partial<Record<keyof typeof fs, unknown>>;

/** Runs the work while these functions of node:fs are replaced. */
export async function withAnswers<T>(answers: Answers, work: () => T): Promise<Awaited<T>> {
  const functions = fs as unknown as Record<string, unknown>;
  const before = Object.keys(answers).map((name) => [name, functions[name]] as const);
  Object.assign(functions, answers);
  syncBuiltinESMExports();
  try {
    return await work();
  } finally {
    Object.assign(functions, Object.fromEntries(before));
    syncBuiltinESMExports();
  }
}

/** What a system call throws. */
export function failure(code: string, call = "call"): Error {
  return Object.assign(new Error(`${code}: refused, ${call}`), { code, syscall: call });
}

/** Runs the work as if on that system, as far as the program asks for its name. Paths stay those of this one. */
export async function onPlatform<T>(platform: NodeJS.Platform, work: () => T): Promise<Awaited<T>> {
  const before = process.platform;
  Object.defineProperty(process, "platform", { value: platform });
  try {
    return await work();
  } finally {
    Object.defineProperty(process, "platform", { value: before });
  }
}

/** A disk without hard links: exFAT says EISDIR on Windows and EPERM on Linux, others what they like. */
export function noLinks(code: string): Answers {
  return {
    linkSync: () => {
      throw failure(code, "link");
    },
  };
}

/** A disk that Windows knows no path of: a RAM drive, a virtual one. */
export function noNativePaths(code: string): Answers {
  const refuse = () => {
    throw failure(code, "realpath");
  };
  const { realpathSync } = fs;
  return {
    realpathSync: Object.assign((...values: never[]) => Reflect.apply(realpathSync, fs, values), { native: refuse }),
  };
}

/**
 * Stats as on NTFS: numbers of files have 64 bits, and all of them are equal
 * once they are JavaScript numbers.
 */
export function ntfsNumbers(): Answers {
  const numbers = new Map<string, bigint>();
  const renumbered =
    (look: (path: never, options?: never) => unknown) => (path: never, options?: { bigint?: boolean }) => {
      const stats = look(path, { ...options, bigint: true } as never) as fs.BigIntStats | undefined;
      if (stats === undefined) return undefined;
      const key = `${stats.dev}:${stats.ino}`;
      const number = numbers.get(key) ?? (0x7abcn << 48n) + 4096n + BigInt(numbers.size);
      numbers.set(key, number);
      if (options?.bigint) return Object.assign(stats, { ino: number });
      return Object.assign(look(path, options as never) as fs.Stats, { ino: Number(number) });
    };
  return {
    statSync: renumbered(fs.statSync as never),
    lstatSync: renumbered(fs.lstatSync as never),
    fstatSync: renumbered(fs.fstatSync as never),
  };
}

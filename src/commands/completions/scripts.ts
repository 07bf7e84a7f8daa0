// Writes the completion scripts of shells from the commands and their flags. Pure.
// Used by commonplace completions.

/** A flag as shells complete it. */
export interface CompletedFlag {
  readonly name: string;
  readonly short?: string | undefined;
  readonly takesValue: boolean;
  /** The values that it takes; otherwise files are offered. */
  readonly choices?: readonly string[] | undefined;
  readonly help: string;
}

export interface CompletedCommand {
  readonly name: string;
  readonly summary: string;
  readonly flags: readonly CompletedFlag[];
  /** The words that it takes; otherwise files are offered. */
  readonly choices?: readonly string[] | undefined;
}

export interface Completed {
  readonly commands: readonly CompletedCommand[];
  /** Flags that every command takes. */
  readonly settings: readonly CompletedFlag[];
}

export const SCRIPTS: Readonly<Record<string, (completed: Completed) => string>> = { bash, zsh, fish };

const longOf = ({ name }: CompletedFlag) => `--${name}`;
const wordsOf = (flags: readonly CompletedFlag[]) =>
  flags.flatMap((flag) => [longOf(flag), ...(flag.short === undefined ? [] : [`-${flag.short}`])]);
const withValue = (flags: readonly CompletedFlag[]) => wordsOf(flags.filter(({ takesValue }) => takesValue));

/** Patterns for `command:flag`, with the values that follow the flag. */
function valuesAfter({ commands, settings }: Completed) {
  const chosen = commands.flatMap(({ name, flags }) =>
    flags.flatMap(({ choices, ...flag }) =>
      choices === undefined ? [] : [{ patterns: wordsOf([flag]).map((word) => `${name}:${word}`), choices }],
    ),
  );
  const ofCommands = commands.flatMap(({ name, flags }) => withValue(flags).map((word) => `${name}:${word}`));
  return { chosen, free: [...withValue(settings).map((word) => `*:${word}`), ...ofCommands] };
}

function bash(completed: Completed): string {
  const { commands, settings } = completed;
  const { chosen, free } = valuesAfter(completed);
  return `# Completion of bash for commonplace.
_commonplace() {
  local cur=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD - 1]} called= known= i
  for ((i = 1; i < COMP_CWORD; i++)); do
    case \${COMP_WORDS[i]} in
      ${withValue(settings).join("|")}) ((i++)) ;;
      -*) ;;
      *) called=\${COMP_WORDS[i]}; break ;;
    esac
  done
  COMPREPLY=()
  case $called:$before in
${chosen.map(({ patterns, choices }) => `    ${patterns.join("|")}) COMPREPLY=($(compgen -W '${choices.join(" ")}' -- "$cur")); return ;;`).join("\n")}
    ${free.join("|")}) return ;;
  esac
  case $called in
    '') known='${commands.map(({ name }) => name).join(" ")}' ;;
${commands.map(({ name, flags, choices = [] }) => `    ${name}) known='${[...choices, ...wordsOf(flags)].join(" ")}' ;;`).join("\n")}
  esac
  if [[ $cur == -* ]]; then known="$known ${wordsOf(settings).join(" ")}"; fi
  COMPREPLY=($(compgen -W "$known" -- "$cur"))
}
complete -o default -F _commonplace commonplace
`;
}

const described = (flags: readonly CompletedFlag[]) =>
  flags.flatMap((flag) => wordsOf([flag]).map((word) => quoted(`${word}:${flag.help}`))).join(" ");

function zsh(completed: Completed): string {
  const { commands, settings } = completed;
  const { chosen, free } = valuesAfter(completed);
  return `#compdef commonplace
# Completion of zsh for commonplace.
_commonplace() {
  local called= before=$words[CURRENT-1]
  local -i i=2
  local -a known
  while (( i < CURRENT )); do
    case $words[i] in
      (${withValue(settings).join("|")}) (( i += 2 )) ;;
      (-*) (( i++ )) ;;
      (*) called=$words[i]; break ;;
    esac
  done
  case $called:$before in
${chosen.map(({ patterns, choices }) => `    (${patterns.join("|")}) compadd -- ${choices.join(" ")}; return ;;`).join("\n")}
    (${free.join("|")}) _files; return ;;
  esac
  case $called in
    ('') known=(${commands.map(({ name, summary }) => quoted(`${name}:${summary}`)).join(" ")}); _describe command known ;;
${commands
  .map(({ name, flags, choices = [] }) => {
    const words = choices.length === 0 ? "_files" : `compadd -- ${choices.join(" ")}`;
    return `    (${name}) if [[ $words[CURRENT] == -* ]]; then known=(${described(flags)}); _describe option known; else ${words}; fi ;;`;
  })
  .join("\n")}
  esac
  if [[ $words[CURRENT] == -* ]]; then
    known=(${described(settings)})
    _describe setting known
  fi
}
if [[ $funcstack[1] == _commonplace ]]; then _commonplace "$@"; else compdef _commonplace commonplace; fi
`;
}

const calls = (name: string) => `-n "__commonplace_calls '${name}'"`;
const line = (...words: string[]) => `complete -c commonplace ${words.filter((word) => word !== "").join(" ")}`;

const ofFlag = ({ name, short, takesValue, choices, help }: CompletedFlag, condition: string) =>
  line(
    condition,
    short === undefined ? "" : `-s ${short}`,
    `-l ${name}`,
    choices === undefined ? (takesValue ? "-r" : "") : `-x -a ${quotedInFish(choices.join(" "))}`,
    `-d ${quotedInFish(help)}`,
  );

function fish({ commands, settings }: Completed): string {
  return [
    "# Completion of fish for commonplace.",
    "function __commonplace_calls",
    "  set -l skipped no",
    "  set -l called ''",
    "  for word in (commandline -opc)[2..]",
    "    if test $skipped = yes; set skipped no; continue; end",
    "    switch $word",
    `      case ${withValue(settings).join(" ")}; set skipped yes`,
    "      case '-*'",
    "      case '*'; set called $word; break",
    "    end",
    "  end",
    '  test "$called" = "$argv[1]"',
    "end",
    ...commands.map(({ name, summary }) => line(calls(""), "-f", `-a ${name}`, `-d ${quotedInFish(summary)}`)),
    ...commands.flatMap(({ name, flags, choices }) => {
      const called = calls(name);
      return [
        ...(choices === undefined ? [] : [line(called, "-f", `-a ${quotedInFish(choices.join(" "))}`)]),
        ...flags.map((flag) => ofFlag(flag, called)),
      ];
    }),
    ...settings.map((flag) => ofFlag(flag, "")),
    "",
  ].join("\n");
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

function quotedInFish(text: string): string {
  return `'${text.replace(/[\\']/g, String.raw`\$&`)}'`;
}

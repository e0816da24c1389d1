/** Shells that a script can be written for. */
export const SHELLS = ['bash', 'zsh', 'fish'] as const;

export type Shell = (typeof SHELLS)[number];

export type Completed = {
  /** By their names, of letters alone: nothing in the script is quoted. */
  readonly commands: readonly string[];
  /** Without their dashes. */
  readonly options: readonly string[];
};

/** A script that has a shell complete `linkoteca`: its commands, then options, else names of files as the shell does by itself. Pure. */
export function writeCompletion(shell: Shell, { commands, options }: Completed): string {
  if (shell === 'fish') return writeFish(commands, options);
  const script = writeBash(commands, options);
  // zsh has bash's way of completing on board.
  return shell === 'zsh' ? `autoload -U +X bashcompinit && bashcompinit\n${script}` : script;
}

function writeBash(commands: readonly string[], options: readonly string[]): string {
  const named = options.map((option) => `--${option}`).join(' ');
  return `_linkoteca() {
  local word=\${COMP_WORDS[COMP_CWORD]}
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${commands.join(' ')}" -- "$word"))
    return
  fi
  case $word in
    -*) COMPREPLY=($(compgen -W "${named}" -- "$word")) ; return ;;
  esac
  case \${COMP_WORDS[1]} in
    completion) COMPREPLY=($(compgen -W "${SHELLS.join(' ')}" -- "$word")) ;;
  esac
}
complete -o default -F _linkoteca linkoteca`;
}

function writeFish(commands: readonly string[], options: readonly string[]): string {
  return [
    `complete -c linkoteca -n __fish_use_subcommand -f -a "${commands.join(' ')}"`,
    `complete -c linkoteca -n "__fish_seen_subcommand_from completion" -f -a "${SHELLS.join(' ')}"`,
    ...options.map(
      (option) => `complete -c linkoteca -n "__fish_seen_subcommand_from ${commands.join(' ')}" -l ${option}`,
    ),
  ].join('\n');
}

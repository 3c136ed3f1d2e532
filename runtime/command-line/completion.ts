import type { CommandInfo } from './command.ts';
import { isPositional, notation, type Parameter } from './parameter.ts';

/** Scripts that let a shell complete what is typed behind `npm run ingest --`, made from the commands themselves. */

export const SHELLS = ['bash', 'zsh', 'fish'] as const;

export type Shell = (typeof SHELLS)[number];

/** Lists what can follow the words typed so far: the next word of a command's name, or its options and choices. */
type Candidates = ReadonlyMap<string, readonly string[]>;

/**
 * Writes the script. Its function completes `npm` and leaves everything else that begins with `npm` to the completion that
 * was there before.
 * @param program as it is typed: `npm run ingest --`
 */
export function completionScript(shell: Shell, program: string, commands: readonly CommandInfo[]): string {
  const script = program.split(' ')[2];
  if (script === undefined) throw new Error(`${program} is not run by npm`);
  const candidates = candidatesOf(commands);
  if (shell === 'fish') return fishScript(script, candidates);
  return shell === 'zsh'
    ? `autoload -U +X bashcompinit && bashcompinit\n${bashScript(script, candidates)}`
    : bashScript(script, candidates);
}

function candidatesOf(commands: readonly CommandInfo[]): Candidates {
  const candidates = new Map<string, readonly string[]>([['', ['completion', 'help', '--help', '--version']]]);
  for (const command of commands) {
    const words = command.name.split(' ');
    for (const [depth, word] of words.entries()) {
      const before = words.slice(0, depth).join(' ');
      const known = candidates.get(before) ?? ['--help'];
      if (!known.includes(word)) candidates.set(before, [...known, word]);
    }
    candidates.set(command.name, wordsOf(command));
  }
  return candidates;
}

const wordsOf = ({ parameters, json, out }: CommandInfo): readonly string[] => [
  ...Object.entries(parameters).flatMap(([name, parameter]) => wordsOfParameter(name, parameter)),
  ...(out === undefined ? [] : ['--out']),
  ...(json === false ? [] : ['--json']),
  '--help',
];

function wordsOfParameter(name: string, parameter: Parameter): readonly string[] {
  const choices = parameter.choices ?? [];
  return isPositional(parameter) ? choices : [notation(name, parameter), ...choices];
}

const bashScript = (script: string, candidates: Candidates): string => `\
# Completes npm run ${script} -- …
_energy_${script}() {
  local typed=" \${COMP_WORDS[*]:1:COMP_CWORD-1} " current="\${COMP_WORDS[COMP_CWORD]}" words word path= known
  case "$typed" in
    *' run '*' -- '* | *' run-script '*' -- '*) ;;
    *) typed= ;;
  esac
  case "\${typed%% -- *} " in
    *' ${script} '*) ;;
    *) [ -n "$_energy_${script}_before" ] && "$_energy_${script}_before" "$@"; return ;;
  esac
  for word in \${typed#* -- }; do
    case "$word" in -*) break ;; esac
    known="$path\${path:+ }$word"
    case "$known" in
${[...candidates.keys()]
  .filter((path) => path !== '')
  .map((path) => `      '${path}') path="$known" ;;`)
  .join('\n')}
      *) break ;;
    esac
  done
  case "$path" in
${[...candidates].map(([path, words]) => `    '${path}') words='${words.join(' ')}' ;;`).join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
# A second reading must not make the function its own predecessor.
if [ -z "\${_energy_${script}_ready:-}" ]; then
  _energy_${script}_ready=1
  _energy_${script}_before="$(complete -p npm 2>/dev/null | sed -n 's/.* -F \\([^ ]*\\) .*/\\1/p')"
  complete -o default -F _energy_${script} npm
fi
`;

const fishScript = (script: string, candidates: Candidates): string => `\
# Completes npm run ${script} -- …
function __energy_${script}_path
    set -l typed (commandline -opc)
    contains -- run $typed; and contains -- ${script} $typed; or return 1
    set -l start (contains -i -- -- $typed); or return 1
    set -l path
    for word in (printf '%s\\n' $typed | tail -n +(math $start + 1))
        string match -q -- '-*' $word; and break
        set -l known (string join ' ' $path $word)
        contains -- "$known" ${[...candidates.keys()].map((path) => `'${path}'`).join(' ')}; or break
        set path $path $word
    end
    string join ' ' $path
    return 0
end
${[...candidates]
  .map(
    ([path, words]) =>
      `complete -c npm -n 'set -l path (__energy_${script}_path); and test "$path" = "${path}"' -a '${words.join(' ')}'`,
  )
  .join('\n')}
`;

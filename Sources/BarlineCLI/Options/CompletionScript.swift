/// The completion scripts that ArgumentParser makes, with four corrections: `plan` alone means `plan show`, and has its options;
/// bash runs no commands that stand in names of files or in labels of a score; zsh takes no colon in them for the beginning of a
/// description; and `--no-sound` is not described as `--sound`.
enum CompletionScript {
    /// A script for any shell as it is to be; another text stays as it is.
    static func completed(_ text: String) -> String {
        guard ["#!/bin/bash\n", "#compdef ", "function __barline"].contains(where: text.hasPrefix) else { return text }
        let changes = [bash, bashWords, zsh, zshWords, fish, fishNames]
        return withOpposites(changes.reduce(text) { $0.replacing($1.found, with: $1.new) })
    }

    /// A script in which the opposites of flags are described as such.
    private static func withOpposites(_ script: String) -> String {
        let lines = script.split(separator: "\n", omittingEmptySubsequences: false)
        let options = Set(lines.compactMap { described($0)?.option })
        return lines.map { line in
            guard let (option, description) = described(line), option.hasPrefix("no-"),
                options.contains(option.dropFirst(3))
            else { return String(line) }
            let end = line.hasSuffix("]'") ? "]'" : "'"
            return line[..<description] + "The opposite of --\(option.dropFirst(3))." + end
        }.joined(separator: "\n")
    }

    /// The option that a line for zsh or fish describes, and where the description begins; nil if it describes none.
    private static func described(_ line: Substring) -> (option: Substring, description: Substring.Index)? {
        for (before, after) in [("--", "["), ("-l '", "' -d '")] {
            guard let start = line.firstRange(of: before)?.upperBound else { continue }
            let option = line[start...].prefix { $0.isLetter || $0.isNumber || $0 == "-" }
            guard line[option.endIndex...].hasPrefix(after) else { continue }
            return (option, line.index(option.endIndex, offsetBy: after.count))
        }
        return nil
    }

    private typealias Change = (found: String, new: String)

    /// The first word may still become the name of a subcommand.
    private static let bash: Change = (
        "_barline_plan() {\n    repeating_flags=()\n",
        """
        _barline_plan() {
            case "${unparsed_words[0]}" in
            show|edit) ;;
            *)
                local -ar all_words=("${unparsed_words[@]}")
                _barline_plan_show
                [[ "${#all_words[@]}" -gt 1 ]] && return
                unparsed_words=("${all_words[@]}")
                ;;
            esac
            repeating_flags=()

        """
    )

    /// `compgen -W` would expand the words. `cur` is the word as typed, from which `read` takes the backslashes.
    private static let bashWords: Change = (
        "__barline_add_completions() {\n    local completion\n",
        """
        __barline_add_completions() {
            local completion
            if [[ "${1}" = -W ]]; then
                local begun
                IFS='' read begun <<<"${cur}"
                while IFS='' read -r completion; do
                    [[ -n "${completion}" && "${completion}" = "${begun}"* ]] && COMPREPLY+=("${completion}")
                done <<<"${2}"
                return
            fi

        """
    )

    private static let zsh: Change = (
        "_barline_plan() {\n    local -i ret=1\n",
        """
        _barline_plan() {
            local -i ret=1
            if [[ "${words[2]}" != (show|edit) ]]; then
                _barline_plan_show && ret=0
                [[ "${CURRENT}" -gt 2 ]] && return "${ret}"
            fi

        """
    )

    private static let zshWords: Change = (
        "__barline_complete() {\n", "__barline_complete() {\n    set -- \"${@//:/\\\\:}\"\n"
    )

    private static let fish: Change = (
        "        case 'plan'\n            __barline_parse_subcommand",
        """
                case 'plan'
                    contains -- "$unparsed_tokens[2]" show edit; or set unparsed_tokens plan show $unparsed_tokens[2..]
                    __barline_parse_subcommand
        """
    )

    private static let fishNames: Change = (
        "__barline_should_offer_completions_for_positional \"barline plan\" -eq 1'",
        "test \"$(__barline_tokens -pc)\" = \"barline plan\"'"
    )
}

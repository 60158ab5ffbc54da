/// The completion scripts that ArgumentParser makes, with two corrections: `plan` alone means `plan show`, and has its options; and
/// bash runs no commands that stand in names of files or in labels of a score.
enum CompletionScript {
    /// A script for any shell as it is to be; another text stays as it is.
    static func completed(_ script: String) -> String {
        [bash, bashWords, zsh, fish, fishNames].reduce(script) { $0.replacing($1.found, with: $1.new) }
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

internal import ArgumentParser
internal import Languages

extension ArgumentHelp {
    /// The help of an option in the language of the process.
    static func localized(
        _ abstract: Phrase, discussion: String = "", valueName: String? = nil, visibility: ArgumentVisibility = .default
    ) -> ArgumentHelp {
        ArgumentHelp(
            "\(Languages.localized(abstract))", discussion: discussion, valueName: valueName,
            visibility: visibility)
    }
}

internal import Score

extension ScoreFormat.Definition {
    static var yaml: Self {
        Self(
            name: "a Barline score", extensions: ["yaml", "yml"], read: YAMLScore.read,
            write: .page { score, _ in Array(score.yaml.utf8) }, carries: Set(ScoreFeature.allCases))
    }
}

internal import Application
internal import Testing

/// What came of a request. Paths are told without the folder of the home.
struct Told: Sendable {
    var code: Int32
    var text: String
    var errors: String

    var isFine: Bool { code == 0 && errors.isEmpty }
}

extension Home {
    /// A file of this home, or what is none: the text of a plan, or the name of a score.
    func path(_ text: String) -> String {
        text.hasPrefix("/") || text.contains(" ") || !text.contains(".") ? text : folder(text)
    }

    /// Carries out a request with these settings of the user.
    func told(_ settings: [String: String] = [:], _ body: @Sendable () async throws -> Void) async throws -> Told {
        let code = try await run(settings, body)
        let (text, errors) = (text, errors)
        return Told(
            code: code, text: text.replacing(folder.path + "/", with: ""),
            errors: errors.replacing(folder.path + "/", with: ""))
    }

    /// Changes a request, and carries it out.
    private func told<Request: Sendable>(
        _ request: Request, with settings: [String: String] = [:], _ change: (inout Request) throws -> Void,
        _ carryOut: @Sendable (Request) async throws -> Void
    ) async throws -> Told {
        var request = request
        try change(&request)
        let wanted = request
        return try await told(settings) { try await carryOut(wanted) }
    }

    func plan(
        _ plan: String, _ settings: [String: String] = [:], _ change: (inout PlanRequest) throws -> Void = { _ in }
    ) async throws -> Told { try await told(PlanRequest(path(plan)), with: settings, change) { try $0.show() } }

    func pace(_ words: String?, _ change: (inout PaceRequest) -> Void = { _ in }) async throws -> Told {
        try await told(PaceRequest(words), change) { try $0.print() }
    }

    func splits(
        _ words: String, _ settings: [String: String] = [:], _ change: (inout SplitsRequest) -> Void = { _ in }
    ) async throws -> Told { try await told(SplitsRequest(words), with: settings, change) { try $0.print() } }

    func galloway(_ change: (inout GallowayRequest) -> Void) async throws -> Told {
        try await told(GallowayRequest(), change) { try $0.print() }
    }

    func scores(copy: String? = nil, _ settings: [String: String] = [:]) async throws -> Told {
        try await told(settings) { try ScoresRequest(copy: copy).print() }
    }

    func convert(
        _ score: String, to output: String, _ change: (inout ConvertRequest) -> Void = { _ in }
    ) async throws -> Told {
        let request = ConvertRequest(path(score), to: output == "-" ? output : folder(output))
        return try await told(request, change) { try $0.convert() }
    }

    /// Plays a score; on a card only in a suite of `LiveTests`.
    func play(_ score: String, _ change: (inout PlayRequest) throws -> Void = { _ in }) async throws -> Told {
        try await told(PlayRequest(path(score)), change) { try await $0.play() }
    }

    func timelineTold(
        _ score: String, _ change: (inout TimelineRequest) throws -> Void = { _ in }
    ) async throws -> Told { try await told(TimelineRequest(path(score)), change) { try $0.print() } }

    /// The timeline of a score that has no faults.
    func timeline(_ score: String, _ change: (inout TimelineRequest) throws -> Void = { _ in }) async throws -> String {
        let told = try await timelineTold(score, change)
        #expect(told.isFine, "\(told.errors)")
        return told.text
    }
}

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
        return Told(
            code: code, text: text.replacing(folder.path + "/", with: ""),
            errors: errors.replacing(folder.path + "/", with: ""))
    }

    func plan(
        _ plan: String, _ settings: [String: String] = [:], _ change: (inout PlanRequest) throws -> Void = { _ in }
    ) async throws -> Told {
        var request = PlanRequest(path(plan))
        try change(&request)
        let wanted = request
        return try await told(settings) { try wanted.show() }
    }

    func pace(_ words: String?, _ change: (inout PaceRequest) throws -> Void = { _ in }) async throws -> Told {
        var request = PaceRequest(words)
        try change(&request)
        let wanted = request
        return try await told { try wanted.print() }
    }

    func splits(
        _ words: String, _ settings: [String: String] = [:], _ change: (inout SplitsRequest) throws -> Void = { _ in }
    ) async throws -> Told {
        var request = SplitsRequest(words)
        try change(&request)
        let wanted = request
        return try await told(settings) { try wanted.print() }
    }

    func galloway(_ change: (inout GallowayRequest) throws -> Void) async throws -> Told {
        var request = GallowayRequest()
        try change(&request)
        let wanted = request
        return try await told { try wanted.print() }
    }

    func scores(copy: String? = nil, _ settings: [String: String] = [:]) async throws -> Told {
        try await told(settings) { try ScoresRequest(copy: copy).print() }
    }

    func timelineTold(
        _ score: String, _ change: (inout TimelineRequest) throws -> Void = { _ in }
    ) async throws -> Told {
        var request = TimelineRequest(path(score))
        try change(&request)
        let wanted = request
        return try await told { try wanted.print() }
    }

    /// The timeline of a score that has no faults.
    func timeline(_ score: String, _ change: (inout TimelineRequest) throws -> Void = { _ in }) async throws -> String {
        let told = try await timelineTold(score, change)
        #expect(told.isFine, "\(told.errors)")
        return told.text
    }
}

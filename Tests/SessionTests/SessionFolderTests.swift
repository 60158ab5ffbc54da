import Foundation
import Glibc
import Session
import Shared
import Testing

/// Folders, files and links that a session does not use.
struct SessionFolderTests {
    /// The message of the error with which a session in this folder fails to begin.
    private func refusal(_ runtime: Runtime) async throws -> String {
        let folder = runtime.folder
        let begun = try await waiting { () -> SessionError? in
            do throws(SessionError) { _ = try SessionServer(folder) { _ in "" } } catch { return error }
            return nil
        }
        return begun?.description ?? "it began"
    }

    @Test("a symbolic link or a file in place of the folder is refused, and nothing is created where a link leads")
    func link() async throws {
        let runtime = try Runtime()
        let goal = runtime.path + "/elsewhere"
        mkdir(goal, 0o700)
        symlink(goal, runtime.folder.path)
        let path = runtime.folder.path
        let what = "; remove it, and barline makes a new folder"
        #expect(try await refusal(runtime) == "'\(path)': it is a symbolic link\(what)")
        await #expect(throws: SessionError.self) { try await ask(.stop, runtime.folder) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: goal) == [])
        unlink(path)
        #expect(FileManager.default.createFile(atPath: path, contents: nil))
        #expect(try await refusal(runtime) == "'\(path)': it is not a folder\(what)")
    }

    @Test("a folder that others may write to is refused", arguments: [0o777, 0o770, 0o702, 0o1777] as [mode_t])
    func writable(mode: mode_t) async throws {
        let runtime = try Runtime()
        mkdir(runtime.folder.path, 0o700)
        chmod(runtime.folder.path, mode)
        let refused = "'\(runtime.folder.path)': other users can write into it; `chmod 700` allows only you"
        #expect(try await refusal(runtime) == refused)
        await #expect(throws: SessionError.self) { try await ask(.stop, runtime.folder) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: runtime.folder.path) == [])
        chmod(runtime.folder.path, 0o755)
        let server = try SessionServer(runtime.folder) { _ in "here" }
        server.end()
    }

    @Test("a file that is not a socket is not removed, even if it is called session")
    func noSocket() async throws {
        let runtime = try Runtime()
        mkdir(runtime.folder.path, 0o700)
        let path = runtime.folder.path + "/session"
        try Data("a diary".utf8).write(to: URL(fileURLWithPath: path))
        #expect(try await refusal(runtime) == "'\(path)': it is not a socket, so barline does not remove it")
        await #expect(throws: SessionError.self) { try await ask(.stop, runtime.folder) }
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "a diary")
        unlink(path)
        let server = try SessionServer(runtime.folder) { _ in "here" }
        // Another program replaces the socket with a file meanwhile.
        unlink(path)
        try Data("a diary".utf8).write(to: URL(fileURLWithPath: path))
        server.end()
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "a diary")
    }

    @Test("a lock that is a symbolic link is not followed")
    func lockLink() async throws {
        let runtime = try Runtime()
        mkdir(runtime.folder.path, 0o700)
        symlink(runtime.path + "/elsewhere", runtime.folder.path + "/lock")
        #expect(try await refusal(runtime).hasPrefix("'\(runtime.folder.path)/lock': "))
        #expect(!FileManager.default.fileExists(atPath: runtime.path + "/elsewhere"))
    }

    @Test("without a usable runtime folder there is no session")
    func noFolder() async throws {
        #expect(SessionFolder(environment: [:]) == nil)
        #expect(SessionFolder(environment: ["XDG_RUNTIME_DIR": "here"]) == nil)
        let nowhere = try #require(SessionFolder(environment: ["XDG_RUNTIME_DIR": "/nonexistent"]))
        await #expect(throws: SessionError.none) { try await ask(.status, nowhere) }
        #expect(throws: SessionError.self) { _ = try SessionServer(nowhere) { _ in "" } }
        let long = try #require(
            SessionFolder(environment: ["XDG_RUNTIME_DIR": "/" + String(repeating: "x", count: 200)]))
        await #expect(throws: SessionError.self) { try await ask(.status, long) }
    }
}

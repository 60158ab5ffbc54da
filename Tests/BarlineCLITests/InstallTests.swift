internal import Foundation
internal import Testing

/// `make install` and `make uninstall`, as far as they need no build.
@Suite struct InstallTests {
    /// The folder of the sources.
    private static let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../..").standardized

    private func run(_ words: [String], _ more: [String: String] = [:]) throws -> Int32 {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = words
        process.currentDirectoryURL = InstallTests.sources
        process.environment = ProcessInfo.processInfo.environment.merging(more) { $1 }
        (process.standardOutput, process.standardError) = (FileHandle.nullDevice, FileHandle.nullDevice)
        try process.run()
        process.waitUntilExit()
        return process.terminationStatus
    }

    @Test("an uninstall needs no build, and removes all that was installed, also before, and no folder that was there")
    func uninstall() throws {
        let scratch = try Scratch()
        let files = FileManager.default
        let (stage, prefix) = (scratch.folder + "/stage", scratch.folder + "/system/usr/local")
        func write(_ path: String) throws {
            let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
            try files.createDirectory(at: folder, withIntermediateDirectories: true)
            try Data("#!/bin/sh\n".utf8).write(to: URL(fileURLWithPath: path))
            try files.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
        }
        func install() throws { #expect(try run(["packaging/install", prefix], ["FROM": stage]) == 0) }
        func below() throws -> [String] { try files.subpathsOfDirectory(atPath: prefix).sorted() }
        let there = ["bin", "share", "share/man", "share/man/man1", "share/man/man1/other.1"]
        try write(prefix + "/share/man/man1/other.1")
        try files.createDirectory(atPath: prefix + "/bin", withIntermediateDirectories: true)
        for path in ["bin/barline", "share/man/man1/barline.1", "share/doc/barline/old/page.md"] {
            try write("\(stage)/\(path)")
        }
        try install()
        #expect(try below().contains("share/doc/barline/old/page.md"))
        // The next version lacks a file.
        try files.removeItem(atPath: stage + "/share/doc/barline/old")
        try write(stage + "/share/doc/barline/new.md")
        try install()
        #expect(try below().contains("share/doc/barline/new.md") && !below().contains("share/doc/barline/old"))
        try files.removeItem(atPath: stage)
        let words = ["make", "uninstall", "DESTDIR=\(scratch.folder)/system", "PREFIX=/usr/local"]
        #expect(try run(words) == 0)
        #expect(try below() == there)
        // Nothing is left to remove, which is told.
        #expect(try run(words) != 0)
    }
}

internal import Foundation
internal import Shared
internal import Testing

/// `make install` and `make uninstall`, as far as they need no build.
@Suite struct InstallTests {
    /// The folder of the sources.
    private static let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../..").standardized

    private func run(_ words: [String], _ more: [String: String] = [:]) throws -> Int32 {
        let environment = ProcessInfo.processInfo.environment.merging(more) { $1 }
        return try Child(["/usr/bin/env", "-C", InstallTests.sources.path] + words, environment).wait()
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

    @Test("an install leaves folders and links that are there as they are, and can be removed also after an error")
    func folders() throws {
        let scratch = try Scratch()
        let files = FileManager.default
        let (stage, prefix) = (scratch.folder + "/stage", scratch.folder + "/prefix")
        func mode(_ path: String) throws -> Int? {
            try files.attributesOfItem(atPath: "\(prefix)/\(path)")[.posixPermissions] as? Int
        }
        func make(_ path: String, _ mode: Int) throws {
            try files.createDirectory(atPath: path, withIntermediateDirectories: true)
            try files.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
        }
        func install(_ words: [String] = []) throws -> Int32 {
            // As `sh install` in the folder of an archive, for a user whose new files are their own.
            let run = #"umask 077; cd "$0"; sh install "$@""#
            return try self.run(["sh", "-c", run, stage] + (words.isEmpty ? [prefix] : words))
        }
        for path in ["bin", "share/doc/barline", "share/man/man1"] { try make("\(stage)/\(path)", 0o755) }
        for path in ["bin/barline", "share/doc/barline/new.md", "share/man/man1/barline.1"] {
            try Data("#!/bin/sh\n".utf8).write(to: URL(fileURLWithPath: "\(stage)/\(path)"))
            try files.setAttributes([.posixPermissions: 0o755], ofItemAtPath: "\(stage)/\(path)")
        }
        try files.copyItem(
            at: InstallTests.sources.appendingPathComponent("packaging/install"),
            to: URL(fileURLWithPath: stage + "/install"))
        // The folder `share` is elsewhere, and is not for others.
        try make(scratch.folder + "/data", 0o2770)
        try make(prefix + "/bin", 0o700)
        try files.createSymbolicLink(atPath: prefix + "/share", withDestinationPath: "../data")
        for _ in 1...2 {
            #expect(try install() == 0)
            #expect(try mode("bin") == 0o700 && mode("share/.") == 0o2770)
            #expect(try mode("share/man").map { $0 & 0o777 } == 0o755 && mode("bin/barline") == 0o755)
            #expect(files.fileExists(atPath: prefix + "/share/doc/barline/new.md"))
        }
        // The next version has a file where there is a folder that is not Barline's.
        try make(prefix + "/share/man/man1/barline.7", 0o755)
        try Data().write(to: URL(fileURLWithPath: stage + "/share/man/man1/barline.7"))
        try files.removeItem(atPath: stage + "/share/doc/barline/new.md")
        #expect(try install() != 0)
        #expect(try install(["--help"]) == 0 && install(["--remvoe", prefix]) == 64)
        #expect(files.fileExists(atPath: prefix + "/bin/barline"))
        #expect(try install(["--remove", prefix]) == 0)
        #expect(try files.subpathsOfDirectory(atPath: prefix).sorted() == ["bin", "share"])
        #expect(
            try files.subpathsOfDirectory(atPath: scratch.folder + "/data").sorted()
                == ["man", "man/man1", "man/man1/barline.7"])
    }
}

import Files
import Foundation
import Glibc
import Synchronization
import Testing

@Suite("Kept files")
struct KeptFileTests {
    private func number(_ bytes: [UInt8]?) -> Int { bytes.flatMap { Int(String(decoding: $0, as: UTF8.self)) } ?? 0 }

    @Test("if many tasks change a file at once, no change is lost")
    func manyAtOnce() async throws {
        let folder = TemporaryFolder()
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    for _ in 0..<50 {
                        _ = try? KeptFile(folder("n")).change { Array("\(self.number($0) + 1)".utf8) }
                    }
                }
            }
        }
        #expect(folder.text("n") == "200")
        #expect(folder.contents == [".lock", "n"])
    }

    @Test("if many tasks append lines at once, none is lost or mixed, and the header is written once")
    func appending() async throws {
        let folder = TemporaryFolder()
        await withTaskGroup(of: Void.self) { group in
            for writer in 0..<4 {
                group.addTask {
                    for line in 0..<50 {
                        try? KeptFile(folder("a/log")).append("\(writer),\(line)", header: "writer,line")
                    }
                }
            }
        }
        let lines = folder.text("a/log").split(separator: "\n").map(String.init)
        #expect(lines.first == "writer,line")
        #expect(Set(lines.dropFirst()) == Set((0..<4).flatMap { w in (0..<50).map { "\(w),\($0)" } }))
        #expect(lines.count == 201)
    }

    @Test("an incomplete last line is ended before the next one is appended")
    func torn() throws {
        let folder = TemporaryFolder()
        try folder.write("log", "a,b\n1,")
        try KeptFile(folder("log")).append("3,4", header: "a,b")
        #expect(folder.text("log") == "a,b\n1,\n3,4\n")
    }

    @Test("a line for which there is no room leaves the file as it was: a part of it may be read as another line")
    func noRoom() async {
        await #expect(processExitsWith: .success) {
            signal(SIGXFSZ, SIG_IGN)
            let folder = TemporaryFolder()
            try folder.write("log", "a,b\n1,2\n")
            var limit = rlimit()
            getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
            limit.rlim_cur = 11
            setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
            #expect(throws: FileError.self) { try KeptFile(folder("log")).append("3,456", header: "a,b") }
            try #require(folder.text("log") == "a,b\n1,2\n")
        }
    }

    @Test("a first line for which there is no room leaves no file, and a link to none as it was")
    func noRoomForTheFirst() async {
        await #expect(processExitsWith: .success) {
            signal(SIGXFSZ, SIG_IGN)
            let folder = TemporaryFolder()
            symlink("target", folder("link"))
            var limit = rlimit()
            getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
            limit.rlim_cur = 2
            setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
            for name in ["log", "link"] {
                #expect(throws: FileError.self) { try KeptFile(folder(name)).append("1,2", header: "a,b") }
            }
            try #require(folder.contents == [".lock", "link"])
        }
    }

    @Test("a damaged file is renamed to the next free name, and never overwritten")
    func damaged() throws {
        let folder = TemporaryFolder()
        let file = KeptFile(folder("f"))
        for round in 1...3 {
            try folder.write("f", "damage \(round)")
            let aside = try file.setAside { _ in true }
            #expect(aside == folder("f.damaged-\(round)"))
        }
        try folder.write("f", "damage 4")
        let aside = try file.change(damagedWhere: { $0.starts(with: Array("damage".utf8)) }) { before in
            #expect(before == nil)
            return Array("new".utf8)
        }
        #expect(aside == folder("f.damaged-4"))
        #expect(folder.contents == [".lock", "f", "f.damaged-1", "f.damaged-2", "f.damaged-3", "f.damaged-4"])
        #expect((1...4).map { folder.text("f.damaged-\($0)") } == (1...4).map { "damage \($0)" })
        #expect(folder.text("f") == "new")
        #expect(try file.setAside { _ in false } == nil)
        #expect(folder.text("f") == "new")
    }

    @Test("a symbolic link of any kind stays one, and a missing target is created")
    func links() throws {
        let folder = TemporaryFolder()
        for name in ["dotfiles", "a"] { mkdir(folder(name), 0o755) }
        for (link, goal) in [
            ("a/relative", "../dotfiles/one"), ("a/absolute", folder("dotfiles/two")), ("a/chain", "relative2"),
            ("a/relative2", "../dotfiles/three"),
        ] { symlink(goal, folder(link)) }
        for (link, goal) in [("relative", "one"), ("absolute", "two"), ("chain", "three")] {
            for text in ["new", "changed"] {
                try KeptFile(folder("a/\(link)")).change { _ in Array(text.utf8) }
                #expect(folder.text("dotfiles/\(goal)") == text)
                let kind = try FileManager.default.attributesOfItem(atPath: folder("a/\(link)"))[.type]
                #expect(kind as? FileAttributeType == .typeSymbolicLink)
            }
        }
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder("dotfiles")).sorted() == ["one", "three", "two"])
    }

    @Test("the error about a broken link names its target, and the link stays")
    func lostLinks() throws {
        let folder = TemporaryFolder()
        symlink("none/config", folder("lost"))
        symlink("circle", folder("circle"))
        let lost = FileError.cannotWrite("it is a link to '\(folder("none/config"))': No such file or directory")
        #expect(throws: lost) { try KeptFile(folder("lost")).change { _ in [1] } }
        #expect(throws: FileError.self) { try KeptFile(folder("circle")).change { _ in [1] } }
        #expect(throws: FileError.cannotWrite("Too many levels of symbolic links")) {
            try TextFile.replace(folder("circle"), [1])
        }
        #expect(folder.contents == [".lock", "circle", "lost"])
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: folder("lost")) == "none/config")
    }

    @Test("if a link leads to a damaged file, the file is renamed, not the link")
    func damagedLink() throws {
        let folder = TemporaryFolder()
        mkdir(folder("dotfiles"), 0o755)
        try folder.write("dotfiles/f", "damage")
        symlink("dotfiles/f", folder("f"))
        let aside = try KeptFile(folder("f")).change(damagedWhere: { _ in true }) { _ in Array("new".utf8) }
        #expect(aside.map { $0.hasSuffix("/dotfiles/f.damaged-1") } == true)
        #expect(folder.text("dotfiles/f.damaged-1") == "damage" && folder.text("dotfiles/f") == "new")
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: folder("f")) == "dotfiles/f")
    }

    @Test("a change to nil or to the same bytes does not touch the file")
    func unchanged() throws {
        let folder = TemporaryFolder()
        try folder.write("f", "x")
        let before = try FileManager.default.attributesOfItem(atPath: folder("f"))[.systemFileNumber] as? Int
        try KeptFile(folder("f")).change { _ in nil }
        try KeptFile(folder("f")).change { $0 }
        let after = try FileManager.default.attributesOfItem(atPath: folder("f"))[.systemFileNumber] as? Int
        #expect(before == after)
        try KeptFile(folder("g")).change { _ in nil }
        #expect(folder.contents == [".lock", "f"])
    }

    @Test("a pipe in place of the file is an error, and nobody waits for its other end")
    func pipe() throws {
        let folder = TemporaryFolder()
        try #require(mkfifo(folder("pipe"), 0o600) == 0)
        let file = KeptFile(folder("pipe"))
        let reason = "it is a pipe, which keeps nothing"
        #expect(throws: FileError.cannotRead(reason)) { try file.read() }
        #expect(throws: FileError.cannotWrite(reason)) { try file.append("row", header: "head") }
        #expect(throws: FileError.cannotRead(reason)) { try file.change { _ in [1] } }
        #expect(throws: FileError.cannotRead(reason)) { try file.setAside { _ in true } }
        symlink("/dev/null", folder("nowhere"))
        #expect(try KeptFile(folder("nowhere")).read() == [])
    }

    @Test("the error after waiting too long for the lock names the lock")
    func patience() throws {
        let folder = TemporaryFolder()
        let lock = try FileLock(folder: folder.path)
        let why = FileError.cannotWrite("another program keeps '\(folder.path)/.lock' locked")
        #expect(throws: why) { _ = try FileLock(folder: folder.path, patience: .milliseconds(1)) }
        _ = consume lock
        // With patience: a program that another test is just starting holds a copy of the lock until it runs.
        _ = try FileLock(folder: folder.path)
    }

    @Test("the error about a file that cannot be read or written says why, and existing files stay")
    func reasons() throws {
        let folder = TemporaryFolder()
        try folder.write("file", "x")
        #expect(throws: FileError.cannotRead("Is a directory")) { _ = try KeptFile(folder.path).read() }
        #expect(try KeptFile(folder("file/x")).read() == nil)
        #expect(throws: FileError.cannotWrite("Not a directory")) { try KeptFile(folder("file/x")).change { _ in [1] } }
        #expect(FileManager.default.createFile(atPath: folder("large"), contents: nil))
        truncate(folder("large"), KeptFile.limit + 1)
        #expect(throws: FileError.cannotRead("it is larger than 16 MiB")) { _ = try KeptFile(folder("large")).read() }
        #expect(folder.text("file") == "x")
    }

    @Test("folders follow the XDG specification; relative paths are ignored")
    func folders() {
        for (base, name) in [
            (BaseFolder.config, "/h/.config"), (.data, "/h/.local/share"), (.state, "/h/.local/state"),
        ] {
            #expect(base.path(environment: ["HOME": "/h"]) == name + "/barline")
            #expect(base.path(environment: ["HOME": "/h", base.rawValue: "/x"]) == "/x/barline")
            #expect(base.path(environment: ["HOME": "/h", base.rawValue: "x"]) == name + "/barline")
            #expect(base.path(environment: [:]) == nil)
        }
    }
}

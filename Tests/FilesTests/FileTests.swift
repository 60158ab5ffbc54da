import Files
import Foundation
import Glibc
import Testing

@Suite("New files")
struct NewFileTests {
    @Test("a new file that is not kept leaves nothing")
    func notKept() throws {
        let folder = TemporaryFolder()
        do {
            let file = try NewFile(folder("a"))
            #expect(write(file.descriptor, "x", 1) == 1)
            #expect(folder.contents.count == 1)
        }
        #expect(folder.contents.isEmpty)
    }

    @Test("of several files, either all appear or none")
    func together() throws {
        struct Refused: Error, Equatable { var name: String }
        let folder = TemporaryFolder()
        func write(_ names: [String], refused: String = "") throws(Refused) {
            try NewFile.writeAll(names[...], at: { folder($0) }, failure: { Refused(name: $1) }) {
                (name, descriptor) throws(Refused) in
                guard name != refused else { throw Refused(name: name) }
                do { try TextFile.writeAll(Array(name.utf8), to: descriptor) } catch { throw Refused(name: name) }
            }
        }
        try folder.write("b", "old")
        mkdir(folder("d"), 0o777)
        #expect(throws: Refused(name: "d")) { try write(["a", "b", "d"]) }
        #expect(throws: Refused(name: "c")) { try write(["a", "b", "c"], refused: "c") }
        #expect(folder.contents == ["b", "d"] && folder.text("b") == "old")
        try write(["a", "b", "c"])
        #expect(["a", "b", "c"].map { folder.text($0) } == ["a", "b", "c"])
    }

    @Test("files of a held folder go where it has been moved, whatever has its old name")
    func heldFolder() throws {
        let folder = TemporaryFolder()
        mkdir(folder("takes"), 0o777)
        let held = HeldFolder(folder("takes"))
        #expect(held.place == FileBytes.realPath(folder("takes")))
        var file = try NewFile(held.path(of: "a"))
        rename(folder("takes"), folder("moved"))
        mkdir(folder("takes"), 0o777)
        try TextFile.replace(held.path(of: "a.csv"), Array("x".utf8))
        try file.keep()
        #expect(try FileBytes.names(in: folder("moved")) == ["a", "a.csv"])
        #expect(try FileBytes.names(in: folder("takes")).isEmpty)
        #expect(held.place == FileBytes.realPath(folder("moved")))
        // Of a folder that is not there, paths are those of its name, and the system says why nothing can be written.
        #expect(throws: FileError.cannotWrite("No such file or directory")) {
            try Self.open(HeldFolder(folder("no")).path(of: "a"))
        }
    }

    @Test("more files appear together than a program may have open")
    func many() throws {
        let folder = TemporaryFolder()
        var limit = rlimit()
        try #require(getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0)
        let count = min(Int(limit.rlim_cur), 1024) + 10
        try NewFile.writeAll((0..<count).map { "\($0)" }[...], at: { folder($0) }, failure: { error, _ in error }) {
            (name, descriptor) throws(FileError) in
            #expect(descriptor < 1024)
            try TextFile.writeAll(Array(name.utf8), to: descriptor)
        }
        #expect(folder.contents.count == count && folder.text("\(count - 1)") == "\(count - 1)")
    }

    @Test("any name that the file system takes can be written", arguments: [242, 243, 244, 250, 255])
    func longNames(count: Int) throws {
        let folder = TemporaryFolder()
        for name in [String(repeating: "x", count: count), String(repeating: "é", count: count / 2)] {
            var file = try NewFile(folder(name))
            #expect(write(file.descriptor, "x", 1) == 1)
            try file.keep()
            #expect(folder.contents.contains(name))
        }
        #expect(folder.contents.count == 2)
        #expect(throws: FileError.self) { _ = try NewFile(folder(String(repeating: "x", count: 256))).descriptor }
    }

    @Test("a kept file has the modes that the umask allows, or those of the file that it replaces")
    func modes() throws {
        let folder = TemporaryFolder()
        for wanted in [0o666 & ~currentMask(), 0o640] {
            var file = try NewFile(folder("a"))
            try file.keep()
            let modes = try FileManager.default.attributesOfItem(atPath: folder("a"))[.posixPermissions] as? Int
            if wanted != 0o640 { #expect(modes == wanted) }
            chmod(folder("a"), 0o640)
            if wanted == 0o640 { #expect(modes == 0o640) }
        }
    }

    @Test("a symbolic link stays one, and its target is replaced")
    func symbolicLink() throws {
        let folder = TemporaryFolder()
        try TextFile.create(folder("real"), Array("old".utf8))
        symlink("real", folder("link"))
        var file = try NewFile(folder("link"))
        #expect(write(file.descriptor, "new", 3) == 3)
        try file.keep()
        #expect(folder.bytes("real") == Array("new".utf8))
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: folder("link")) == "real")
        #expect(folder.contents == ["link", "real"])
    }

    @Test("the error about a file that cannot be written says why")
    func reasons() throws {
        let folder = TemporaryFolder()
        try TextFile.create(folder("file"), [])
        #expect(throws: FileError.cannotWrite("Is a directory")) { try Self.open(folder.path) }
        #expect(throws: FileError.cannotWrite("Not a directory")) { try Self.open(folder("file/x.wav")) }
        #expect(throws: FileError.cannotWrite("No such file or directory")) { try Self.open(folder("no/x.wav")) }
        #expect(throws: FileError.cannotWrite("File exists")) { try TextFile.create(folder("file"), [1]) }
    }

    @Test("of many who create a file at the same time, one succeeds, and its file stays")
    func race() async throws {
        let folder = TemporaryFolder()
        let made = await withTaskGroup(of: UInt8?.self) { group in
            for number in UInt8(1)...16 {
                group.addTask {
                    do throws(FileError) {
                        try TextFile.create(folder("file"), [number])
                        return number
                    } catch {
                        return error == .exists ? nil : 0
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(made.compactMap(\.self) == folder.bytes("file") && folder.contents == ["file"], "\(made)")
    }

    @Test("missing parent folders of a new file are created")
    func folders() throws {
        let folder = TemporaryFolder()
        try TextFile.create(folder("a/b/c.yaml"), Array("x".utf8))
        #expect(folder.bytes("a/b/c.yaml") == Array("x".utf8))
    }

    @Test("the reason why a folder cannot be made is the system's, and not that its file is missing")
    func refusedFolder() throws {
        // Not even the administrator can make folders there.
        try #require(mkdir("/sys/none", 0o777) == -1)
        let reason = String(cString: strerror(errno))
        try #require(reason != "No such file or directory")
        #expect(throws: FileError.cannotWrite(reason)) { try TextFile.create("/sys/none/file", []) }
    }

    private static func open(_ path: String) throws { _ = try NewFile(path) }

    private func currentMask() -> Int {
        let mask = umask(0)
        umask(mask)
        return Int(mask)
    }
}

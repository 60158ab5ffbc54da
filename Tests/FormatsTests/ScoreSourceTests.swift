import Formats
import Glibc
import Scores
import Shared
import Testing

struct ScoreSourceTests {
    @Test("a path is a file, a name is the user's score or else a bundled one, and - is standard input")
    func find() throws {
        let folder = TemporaryFolder()
        let environment = ["XDG_DATA_HOME": folder.path]
        try folder.write("here.yaml", "bars: [1]")
        try folder.write("barline/scores/metronome.yml", "title: Mine\nbars: [1]")
        #expect(try ScoreSource.find("-", environment: environment) == .standardInput)
        let file = try ScoreSource.find(folder.path + "/here.yaml", environment: environment)
        #expect(file == .file(path: folder.path + "/here.yaml"))
        #expect(try file.read().score?.lines.count == 1)
        let mine = try ScoreSource.find("metronome", environment: environment)
        #expect(mine.displayName == folder.path + "/barline/scores/metronome.yml")
        #expect(try ScoreSource.find("metronome", environment: [:]).displayName == "metronome.yaml")
        let listed = ScoreListing.all(environment: environment)
        #expect(listed.map(\.name) == BundledScore.all.map(\.name))
        #expect(listed.first { $0.name == "metronome" }?.title == "Mine")
        #expect(listed.first { $0.name == "sequenza-vii" }?.title == "Sequenza VII (1969)")
    }

    @Test("a source that cannot be read is refused with a reason")
    func errors() throws {
        let folder = TemporaryFolder()
        #expect(
            message { try ScoreSource.find("sequenza-vi", environment: [:]) }
                == "there is no file and no score named 'sequenza-vi'; did you mean the score 'sequenza-vii'?")
        #expect(
            message { try ScoreSource.find("nosuch", environment: [:]) }
                == "there is no file and no score named 'nosuch'")
        #expect(message { try ScoreSource.find("", environment: [:]) } == "there is no file and no score named ''")
        #expect(message { try ScoreSource.find(".", environment: [:]) } == "'.' is a folder, not a score")
        #expect(message { try ScoreSource.find("./x.yaml", environment: [:]) } == "there is no file './x.yaml'")
        #expect(throws: ScoreSourceError.isDirectory(path: folder.path)) {
            try ScoreSource.find(folder.path, environment: [:])
        }
        #expect(
            message { try ScoreSource.file(path: "/none.yaml").bytes() }
                == "'/none.yaml' cannot be read: No such file or directory")
        #expect(throws: ScoreSourceError.tooLarge("/dev/zero")) { try ScoreSource.file(path: "/dev/zero").bytes() }
    }

    @Test("only what is certainly not there is not found: else the reason is told, and bundled scores remain")
    func refused() throws {
        let folder = TemporaryFolder()
        let environment = ["XDG_DATA_HOME": folder.path]
        try #require(symlink("loop", folder("loop")) == 0)
        let why = "Too many levels of symbolic links"
        #expect(throws: ScoreSourceError.unreadable(folder("loop/x.yaml"), reason: why)) {
            try ScoreSource.find(folder("loop/x.yaml"), environment: environment)
        }
        let long = String(repeating: "x", count: 300)
        #expect(
            message { try ScoreSource.find(long, environment: environment) }.hasPrefix("there is no file and"))
        try #require(mkdir(folder("barline"), 0o777) == 0 && symlink("scores", folder("barline/scores")) == 0)
        #expect(throws: ScoreSourceError.unreadable(folder("barline/scores"), reason: why)) {
            try ScoreSource.find("mine", environment: environment)
        }
        #expect(try ScoreSource.find("metronome", environment: environment).displayName == "metronome.yaml")
    }

    @Test("a name is listed once, and every name that is listed or suggested is found")
    func names() throws {
        let folder = TemporaryFolder()
        let environment = ["XDG_DATA_HOME": folder.path]
        for name in ["etude.csv", "etude.v2.yaml", "etude.yaml", "Loud.YAML", "loop.yaml/x"] {
            try folder.write("barline/scores/" + name, "bars: [1]")
        }
        try #require(symlink("nothing", folder("barline/scores/gone.yaml")) == 0)
        let own = ScoreListing.all(environment: environment).map(\.name).filter { BundledScore.named($0) == nil }
        #expect(own == ["Loud", "etude", "etude.v2"])
        let found = try own.map { try ScoreSource.find($0, environment: environment).displayName }
        #expect(found == ["Loud.YAML", "etude.yaml", "etude.v2.yaml"].map { folder("barline/scores/" + $0) })
        for name in ["gone", "loop"] {
            #expect(
                message { try ScoreSource.find(name, environment: environment) }
                    == "there is no file and no score named '\(name)'")
        }
    }

    @Test("in the user's folder, only regular files are scores: nothing waits for a pipe")
    func pipe() throws {
        let folder = TemporaryFolder()
        let environment = ["XDG_DATA_HOME": folder.path]
        try folder.write("barline/scores/mine.yaml", "bars: [1]")
        try #require(mkfifo(folder("barline/scores/pipe.yaml"), 0o600) == 0)
        try #require(ScoreFolder(environment: environment)?.path(of: "pipe") == nil)
        #expect(
            ScoreListing.all(environment: environment).map(\.name)
                == (BundledScore.all.map(\.name) + ["mine"]).sorted())
    }

    @Test("the user's score folder follows the XDG specification")
    func folder() {
        #expect(ScoreFolder(environment: ["HOME": "/h"])?.path == "/h/.local/share/barline/scores")
        #expect(ScoreFolder(environment: ["HOME": "/h", "XDG_DATA_HOME": "/d"])?.path == "/d/barline/scores")
        #expect(
            ScoreFolder(environment: ["HOME": "/h", "XDG_DATA_HOME": "d"])?.path == "/h/.local/share/barline/scores")
        #expect(ScoreFolder(environment: [:]) == nil)
    }
}

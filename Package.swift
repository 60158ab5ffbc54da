// swift-tools-version: 6.2
import PackageDescription

// Targets stand in the order of the data: Scores -> Timing: boundaries -> frames -> events -> samples -> card or file.

let strictSwift: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("ExistentialAny"),
    .treatAllWarnings(as: .error),
]
/// For what the tests simulate and listen with: hours of sound, which take ten times as long where nothing is optimized.
let strictFastSwift = strictSwift + [.unsafeFlags(["-O"], .when(configuration: .debug))]
/// For tests: `make test` optimizes all that they test, simulate and listen with. For the tests themselves, the compiler alone
/// would take twice as long.
let strictTests = strictSwift + [.unsafeFlags(["-Xfrontend", "-Onone"])]
/// For what hardly computes, such as the command line: of the time that it took to compile, three quarters made it fast.
let quickSwift = strictSwift + [.unsafeFlags(["-Xfrontend", "-Onone"])]
/// Links the Swift runtime into the program, which then needs 8 MB less memory, and no Swift on the machine where it runs. The
/// tests cannot have it so, but share all that is compiled: this is why it is not an option of the build. Two libraries are
/// named because modules that were compiled for the shared runtime do not name them.
let staticRuntime: [LinkerSetting] = [
    .unsafeFlags(
        ["-static-stdlib", "-l_FoundationCollections", "-l_FoundationCShims"],
        .when(platforms: [.linux], configuration: .release))
]
let strictC: [CSetting] = [
    .treatAllWarnings(as: .error),
    .enableWarning("all"),
    .enableWarning("extra"),
]
let strictCxx: [CXXSetting] = [
    .treatAllWarnings(as: .error),
    .enableWarning("all"),
    .enableWarning("extra"),
]

let system = Target.Dependency.product(name: "SystemPackage", package: "swift-system")

let package = Package(
    name: "barline",
    products: [
        .executable(name: "barline", targets: ["BarlineCLI"]),
        // All that an ordinary program needs, with one import.
        .library(name: "Barline", targets: ["Barline"]),
        .library(name: "Scores", targets: ["Scores"]),
        .library(name: "Timing", targets: ["Timing"]),
        .library(name: "Formats", targets: ["Formats"]),
        .library(name: "Playback", targets: ["Playback"]),
        .library(name: "Running", targets: ["Running"]),
        // For tests only: ALSA loads the one by its path, LD_PRELOAD the other.
        .library(name: "SimulatedCard", type: .dynamic, targets: ["SimulatedCard"]),
        .library(name: "SimulatedCardPreload", type: .dynamic, targets: ["SimulatedCardWrappers"]),
    ],
    dependencies: [
        // Exactly this version: `ParserWords` translates its English texts, and knows them by their words.
        .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-system", from: "1.8.1"),
    ],
    targets: [
        .target(name: "CLanguages", exclude: ["catalogs"], cSettings: strictC),
        .target(name: "Languages", dependencies: ["CLanguages"], swiftSettings: strictSwift),
        .target(name: "Files", dependencies: ["Languages", system], swiftSettings: strictSwift),
        .systemLibrary(name: "CLibYAML", pkgConfig: "yaml-0.1", providers: [.apt(["libyaml-dev"])]),
        .target(
            name: "Scores", dependencies: ["Languages", "Files", "CLibYAML", system],
            swiftSettings: strictSwift),
        .target(name: "Timing", dependencies: ["Languages", "Scores"], swiftSettings: strictSwift),
        .target(name: "CScores", exclude: ["scores"], cSettings: strictC),
        .systemLibrary(name: "CExpat", pkgConfig: "expat", providers: [.apt(["libexpat1-dev"])]),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .target(name: "Running", dependencies: ["Languages", "Scores"], swiftSettings: strictSwift),
        .target(
            name: "Formats",
            dependencies: ["Languages", "Files", "Scores", "Timing", "Running", "CScores", "CExpat", "CZlib", system],
            swiftSettings: strictSwift),
        .target(
            name: "UserSettings", dependencies: ["Languages", "Files", "Scores", "Timing", "Running"],
            swiftSettings: quickSwift),
        .target(
            name: "Charts", dependencies: ["Languages", "Scores", "Timing", "Running", "UserSettings"],
            swiftSettings: strictSwift),
        .target(name: "Hearing", swiftSettings: strictSwift),
        .systemLibrary(name: "CALSA", pkgConfig: "alsa", providers: [.apt(["libasound2-dev"])]),
        .target(name: "CDrone", dependencies: ["CALSA"], cSettings: strictC),
        .systemLibrary(name: "CSndFile", pkgConfig: "sndfile", providers: [.apt(["libsndfile1-dev"])]),
        .systemLibrary(name: "CTagLib", pkgConfig: "taglib", providers: [.apt(["libtag1-dev"])]),
        .target(name: "CTag", dependencies: ["CTagLib"], cxxSettings: strictCxx),
        .systemLibrary(name: "CSampleRate", pkgConfig: "samplerate", providers: [.apt(["libsamplerate0-dev"])]),
        .target(name: "CSystemd", cSettings: strictC),
        .systemLibrary(name: "CMalloc"),
        .target(
            name: "Playback",
            dependencies: [
                "Languages", "Files", "Scores", "Timing", "CDrone", "CSystemd", "CMalloc", "CSndFile", "CTag",
                "CSampleRate", system,
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: strictSwift),
        .target(
            name: "Barline", dependencies: ["Languages", "Scores", "Timing", "Formats", "Playback", "Running"],
            swiftSettings: strictSwift),
        .target(name: "Notify", dependencies: ["Languages", "CSystemd", system], swiftSettings: strictSwift),
        .target(name: "Session", dependencies: ["Languages", "Files", system], swiftSettings: strictSwift),
        .target(name: "CJack", cSettings: strictC),
        .target(
            name: "Cables",
            dependencies: [
                "Languages", "Scores", "Timing", "UserSettings", "CALSA", "CJack", "CSystemd", "Playback", "Session",
                system,
            ],
            swiftSettings: strictSwift),
        .target(name: "CTerminal", cSettings: strictC),
        .target(
            name: "Screens",
            dependencies: [
                "Languages", "CTerminal", "Files", "Scores", "Running", "Timing", "UserSettings", "Playback", "Notify",
                system,
            ],
            swiftSettings: strictSwift),
        .target(name: "CWeb", exclude: ["page"], cSettings: strictC),
        .target(
            name: "Serving", dependencies: ["Languages", "CWeb", "Scores", "Running", "Timing", "Playback", "Screens"],
            swiftSettings: strictSwift),
        .target(
            name: "Application",
            dependencies: [
                "Languages", "CMalloc", "Files", "Scores", "Timing", "Formats", "Running", "UserSettings",
                "Charts", "Hearing", "Playback", "Notify", "Session", "Cables", "Screens", "Serving", system,
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: quickSwift),
        .executableTarget(
            name: "BarlineCLI",
            dependencies: [
                "Languages", "CMalloc", "Files", "Scores", "Timing", "Formats", "Running", "UserSettings",
                "Charts", "Playback", "Session", "Screens", "Serving", "Application", system,
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: quickSwift, linkerSettings: staticRuntime),
        .target(
            name: "SimulatedCard", dependencies: ["CALSA"], path: "Tests/SimulatedCard/Plugin", cSettings: strictC,
            linkerSettings: [.linkedLibrary("m")]),
        .target(
            name: "SimulatedCardWrappers", dependencies: ["CALSA"], path: "Tests/SimulatedCard/Wrappers",
            cSettings: strictC),
        .target(
            name: "SimulatedCardSupport", dependencies: ["SimulatedCardWrappers"], path: "Tests/SimulatedCard/Support",
            swiftSettings: strictFastSwift),
        .target(
            name: "Listening",
            dependencies: ["Shared", "CDrone", "Playback", "Cables", "Screens", "SimulatedCardSupport"],
            path: "Tests/Listening",
            swiftSettings: strictFastSwift),
        .executableTarget(
            name: "bench-timing",
            dependencies: ["Scores", "Timing", "Formats", "Playback", "Listening", "SimulatedCardSupport"],
            path: "Benchmarks/Timing",
            swiftSettings: strictTests),
        .executableTarget(
            name: "bench-tune", dependencies: ["Hearing"], path: "Benchmarks/Tune",
            exclude: ["bench"], swiftSettings: strictSwift),
        .testTarget(
            name: "SimulatedCardTests", dependencies: ["Shared", "SimulatedCardSupport", "CALSA"],
            path: "Tests/SimulatedCard/Laws", swiftSettings: strictTests),
        .executableTarget(
            name: "oracle", dependencies: ["Listening", .product(name: "Logging", package: "swift-log")],
            path: "Tests/Oracle", swiftSettings: strictSwift),
        // The example of README.md, letter by letter, and the short programs. They see what is public and nothing else, as
        // programs outside of this package do.
        .executableTarget(
            name: "Study", dependencies: ["Barline"], path: "Tests/Study", packageAccess: false,
            swiftSettings: [.swiftLanguageMode(.v6)]),
        .executableTarget(
            name: "PlaySeconds", dependencies: ["Barline"], path: "Examples/PlaySeconds", packageAccess: false,
            swiftSettings: [.swiftLanguageMode(.v6)]),
        .executableTarget(
            name: "RenderChord", dependencies: ["Barline"], path: "Examples/RenderChord", packageAccess: false,
            swiftSettings: [.swiftLanguageMode(.v6)]),
        .executableTarget(
            name: "PrintBoundaries", dependencies: ["Barline"], path: "Examples/PrintBoundaries", packageAccess: false,
            swiftSettings: [.swiftLanguageMode(.v6)]),
        .executableTarget(
            name: "Metronome", dependencies: ["Barline"], path: "Examples/Metronome", packageAccess: false,
            swiftSettings: [.swiftLanguageMode(.v6)]),
        .executableTarget(
            name: "FuzzScores", dependencies: ["Scores", "Timing", "Formats"], path: "Tests/Fuzz",
            swiftSettings: strictSwift),
        .target(name: "Shared", path: "Tests/Shared", swiftSettings: strictSwift),
        .target(
            name: "TurningClock", dependencies: ["Shared", "Timing"], path: "Tests/TurningClock",
            swiftSettings: strictFastSwift),
        .testTarget(
            name: "LanguagesTests", dependencies: ["Languages"], swiftSettings: strictTests),
        .testTarget(name: "FilesTests", dependencies: ["Files", "Shared"], swiftSettings: strictTests),
        .target(
            name: "SampleScores", dependencies: ["Shared", "Formats"], path: "Tests/SampleScores",
            swiftSettings: strictSwift),
        .testTarget(
            name: "ScoresTests",
            dependencies: ["Shared", "Languages", "SampleScores"],
            swiftSettings: strictTests),
        .testTarget(
            name: "TimingTests", dependencies: ["Shared", "Languages", "SampleScores", "TurningClock"],
            swiftSettings: strictTests),
        .testTarget(
            name: "FormatsTests", dependencies: ["Shared", "Languages", "SampleScores"], exclude: ["Samples"],
            swiftSettings: strictTests
        ),
        .testTarget(
            name: "RunningTests", dependencies: ["Shared", "Languages", "Running"], swiftSettings: strictTests),
        .testTarget(
            name: "WorkoutsTests", dependencies: ["Shared", "Languages", "Formats", "Running"], exclude: ["Wild"],
            swiftSettings: strictTests),
        .testTarget(
            name: "UserSettingsTests", dependencies: ["Shared", "Files", "Formats", "UserSettings"],
            swiftSettings: strictTests),
        .testTarget(
            name: "ChartsTests", dependencies: ["Shared", "Charts", "Running", "UserSettings"],
            swiftSettings: strictTests),
        .testTarget(name: "HearingTests", dependencies: ["Shared", "Hearing"], swiftSettings: strictFastSwift),
        .testTarget(
            name: "CDroneTests", dependencies: ["Shared", "CDrone", "SimulatedCardSupport"], swiftSettings: strictTests),
        // The reader of timecode that others use; for tests only.
        .systemLibrary(name: "CLTC", path: "Tests/CLTC"),
        .testTarget(
            name: "PlaybackTests",
            dependencies: [
                "Shared", "Files", "Formats", "Playback", "CSndFile", "CLTC", "Listening", "SimulatedCardSupport",
            ],
            swiftSettings: strictTests),
        .testTarget(
            name: "BarlineTests", dependencies: ["Shared", "Barline"], swiftSettings: strictTests),
        .testTarget(
            name: "CablesTests",
            dependencies: [
                "Shared", "SampleScores", "Scores", "Timing", "UserSettings", "CALSA", "Playback", "Cables",
                "Listening",
                "SimulatedCardSupport",
            ],
            swiftSettings: strictTests),
        .testTarget(name: "SessionTests", dependencies: ["Shared", "Session"], swiftSettings: strictTests),
        .testTarget(
            name: "ScreensTests",
            dependencies: [
                "Shared", "Formats", "Cables", "Screens", "Running", "Listening", "SimulatedCardSupport",
            ],
            swiftSettings: strictTests),
        .testTarget(
            name: "ServingTests",
            dependencies: [
                "CWeb", "Shared", "SampleScores", "Formats", "Scores", "Running", "Timing", "Playback", "Screens",
                "Serving",
            ],
            swiftSettings: strictTests),
        .testTarget(
            name: "ApplicationTests",
            dependencies: [
                "Shared", "Languages", "Formats", "Scores", "Timing", "Running", "UserSettings", "Charts", "Playback",
                "Session", "Cables", "Screens", "Serving", "Application", "SimulatedCardSupport",
            ],
            swiftSettings: strictTests),
        .testTarget(
            name: "BarlineCLITests", dependencies: ["Shared", "Scores", "Cables", "SimulatedCardSupport"],
            exclude: ["Scripts"],
            swiftSettings: strictTests),
    ],
    cLanguageStandard: .gnu11,
    cxxLanguageStandard: .cxx17
)

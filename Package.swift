// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

/// What only measures or only fuzzes is built when it is asked for: `benchmarks` or `fuzz`.
let extras = Context.environment["BEACON_BUILD"]

/// What everything that is fuzzed is built with: `fuzzer` or `fuzzer,address`; empty for the program that writes seeds.
let sanitizers = Context.environment["FUZZ_SANITIZERS"] ?? "fuzzer"
let sanitized = sanitizers.isEmpty ? [] : ["-sanitize=\(sanitizers)"]
let instrumentation: [SwiftSetting] = extras == "fuzz" ? [.unsafeFlags(sanitized + ["-enable-testing"])] : []

/// The commit that `--version` says: the Makefile tells it.
let commit = Context.environment["BEACON_COMMIT"] ?? ""

/// The file of scripts/icu-data.py, with the part of ICU's data that the Debian packages keep.
let icuData = Context.environment["BEACON_ICU_DATA"]

/// Optimised in debug builds too, because tests run months and millions of inputs through this code. All of Swift's checks
/// stay except `assert`.
let computing = strict + [.unsafeFlags(["-O"], .when(configuration: .debug))]

// Layers: a target may depend on its own layer and on those below it, apps > kits > I/O > pure. The helper says the layer, and
// scripts/check-layers.py (part of `make lint`) that what a target imports is allowed there.

/// Values in, values out: no I/O, no clock, no logging, no C library.
func pure(_ name: String, _ dependencies: [Target.Dependency] = [], resources: [Resource]? = nil) -> Target {
    .target(name: name, dependencies: dependencies, resources: resources, swiftSettings: computing + instrumentation)
}

/// Carries out: files, sockets, processes, databases, brokers.
func io(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: strict + instrumentation)
}

/// Services and commands' common parts, which connect pure code with I/O.
func kit(_ name: String, _ dependencies: [Target.Dependency], resources: [Resource]? = nil) -> Target {
    .target(name: name, dependencies: dependencies, resources: resources, swiftSettings: strict)
}

/// A program: arguments, printing and wiring.
func app(_ name: String, _ dependencies: [Target.Dependency], resources: [Resource]? = nil) -> Target {
    .executableTarget(name: name, dependencies: dependencies, resources: resources, swiftSettings: strict)
}

/// A product of another package.
func product(_ name: String, _ package: String) -> Target.Dependency { .product(name: name, package: package) }

// Tests: the helper gives the target the end of its name, which is its tier. `scripts/check.py` runs tiers by these ends.

/// Values in, values out: no file, process, thread, broker or database.
func valueTests(_ subject: String, _ dependencies: [Target.Dependency], exclude: [String] = []) -> Target {
    .testTarget(
        name: subject + "Tests", dependencies: ["TestValues"] + dependencies, exclude: exclude, swiftSettings: strict)
}

/// Long computations without I/O: months of simulated time, random inputs.
func simulationTests(_ subject: String, _ dependencies: [Target.Dependency]) -> Target {
    .testTarget(
        name: subject + "SimulationTests", dependencies: ["SystemIO", "TestValues"] + dependencies,
        swiftSettings: computing)
}

/// Files, processes, threads, pseudo-terminals, brokers, databases.
func integrationTests(_ subject: String, _ dependencies: [Target.Dependency], exclude: [String] = []) -> Target {
    .testTarget(
        name: subject + "IntegrationTests", dependencies: ["SystemIO", "TestSupport", "TestValues"] + dependencies,
        exclude: exclude, swiftSettings: strict)
}

/// Proofs that nothing is lost while brokers, disks and programs fail.
func deliveryTests(_ subject: String, _ dependencies: [Target.Dependency]) -> Target {
    .testTarget(
        name: subject + "DeliveryTests", dependencies: ["SystemIO", "TestSupport", "TestValues"] + dependencies,
        swiftSettings: strict)
}

/// Proofs of delivery with clusters of other brokers.
func clusterTests(_ subject: String, _ dependencies: [Target.Dependency]) -> Target {
    .testTarget(
        name: subject + "ClusterTests", dependencies: ["SystemIO", "TestSupport", "TestValues"] + dependencies,
        swiftSettings: strict)
}

/// A program under libFuzzer. The gold linker crashes on these.
func fuzzer(_ name: String) -> Target {
    .executableTarget(
        name: "Fuzz\(name)", dependencies: ["Advertisement", "BeaconModel", "FuzzDriver", "ParserChecks"],
        path: "Fuzz/Entries/\(name)", swiftSettings: strict,
        linkerSettings: [.unsafeFlags(sanitized + ["-use-ld=lld"])])
}

/// Coverage-guided fuzzing of everything that parses what others send or wrote: Fuzz/run.sh.
let fuzzers: [Target] =
    [
        .systemLibrary(name: "LibFuzzer", path: "Fuzz/LibFuzzer"),
        .target(
            name: "FuzzDriver", dependencies: ["LibFuzzer"], path: "Fuzz/Driver", swiftSettings: strict),
    ]
    + (sanitizers.isEmpty
        ? [
            .executableTarget(
                name: "FuzzSeeds", dependencies: ["Advertisement", "BeaconModel", "ParserChecks"],
                path: "Fuzz/Seeds", swiftSettings: strict)
        ]
        : [
            "AdvertisingData", "BTSnoop", "CompanionPlan", "DayOrTime", "Exchange", "FloorPlan", "Fragments",
            "HCIEvent", "MonitorMessage", "MultipartForm", "PeopleFile", "Picture", "PictureReply", "PictureText",
            "Pseudonyms", "TOML",
        ].map(fuzzer))

/// Measurements, each a program: `make bench-ingest` and so on.
let benchmarks: [Target] = [
    // How fast reports are read and followed, beside the same in C.
    .target(name: "IngestC", path: "Benchmarks/IngestC"),
    .executableTarget(
        name: "IngestBenchmark",
        dependencies: ["Advertisement", "BeaconModel", "HCI", "IngestC", "Proximity"],
        path: "Benchmarks/Ingest", swiftSettings: strict),
    .testTarget(
        name: "IngestTests", dependencies: ["IngestBenchmark"], path: "Benchmarks/Tests/IngestTests",
        swiftSettings: strict),
    // How well distance, contact and presence are told on public recordings.
    .executableTarget(
        name: "AccuracyBenchmark", dependencies: ["BeaconModel", "CSQLite", "Proximity"], path: "Benchmarks/Accuracy",
        swiftSettings: strict),
    .testTarget(
        name: "AccuracyTests", dependencies: ["AccuracyBenchmark", "BeaconModel", "CSQLite", "Proximity"],
        path: "Benchmarks/Tests/AccuracyTests", swiftSettings: strict),
    // How fast records go through the outbox to a broker, beside bare libmosquitto.
    .target(name: "PublishC", dependencies: ["CMosquitto"], path: "Benchmarks/PublishC"),
    .executableTarget(
        name: "PublishBenchmark",
        dependencies: [
            "BeaconModel", "MQTTBridge", "PublishC", "Publishing", "RecordContract", "RecordOutbox", "SystemIO",
            product("Logging", "swift-log"),
        ], path: "Benchmarks/Publish", swiftSettings: strict),
    // How fast interactions are stored and exposures found, beside bare SQL.
    .executableTarget(
        name: "MatchingBenchmark",
        dependencies: ["BeaconModel", "Evidence", "InteractionStore", "Matching", "RecordContract", "SystemIO"],
        path: "Benchmarks/Matching", swiftSettings: strict),
    // How well contacts are found between people whose every step is known.
    .executableTarget(
        name: "ContactsBenchmark",
        dependencies: [
            "Advertisement", "BeaconModel", "Evidence", "FloorPlans", "GatewayCore", "HCI", "InteractionStore",
            "Localisation", "Matching", "OperatorText", "Proximity", "RecordContract",
        ], path: "Benchmarks/Contacts", swiftSettings: strict),
    // How well rooms and positions are told on recordings.
    .executableTarget(
        name: "PlacesBenchmark",
        dependencies: [
            "BeaconModel", "FloorPlans", "Localisation", "OperatorText", product("RealModule", "swift-numerics"),
        ], path: "Benchmarks/Places", swiftSettings: strict),
    .testTarget(
        name: "PlacesTests", dependencies: ["FloorPlans", "Localisation", "PlacesBenchmark"],
        path: "Benchmarks/Tests/PlacesTests", swiftSettings: strict),
    .testTarget(
        name: "ContactSimulationTests", dependencies: ["ContactsBenchmark"],
        path: "Benchmarks/Tests/ContactSimulationTests",
        swiftSettings: strict),
]

let package = Package(
    name: "beacon-gateway",
    products: [
        .executable(name: "beacon-gateway", targets: ["Gateway"]),
        .executable(name: "beacon-matcher", targets: ["Matcher"]),
    ]
        // Libraries for other packages: formats of advertisements, HCI and btsnoop, presence and distance, dialogues with modules.
        + ["Advertisement", "HCI", "Proximity", "ModuleDialogues"].map { .library(name: $0, targets: [$0]) },
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-async-algorithms", from: "1.1.4"),
        .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0", traits: []),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.35.2"),
        .package(url: "https://github.com/apple/swift-numerics", from: "1.1.1"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1", traits: []),
        .package(url: "https://github.com/hummingbird-project/swift-mustache", from: "2.1.1"),
        .package(url: "https://github.com/vapor/jwt-kit", from: "5.7.1"),
    ],
    targets: [
        // C libraries of the system. Their pkg-config names aren't those of the modules.
        .systemLibrary(name: "CBluetooth", pkgConfig: "bluez", providers: [.apt(["libbluetooth-dev"])]),
        .systemLibrary(name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
        .systemLibrary(name: "CDBus", pkgConfig: "dbus-1", providers: [.apt(["libdbus-1-dev"])]),
        .systemLibrary(name: "CIcal", pkgConfig: "libical", providers: [.apt(["libical-dev"])]),
        .systemLibrary(name: "CLinux"),
        .target(
            name: "CBuildInfo",
            cSettings: [.define("BEACON_COMMIT", to: "\"\(commit)\"")]
                + (icuData.map { [.define("BEACON_ICU_DATA", to: "\"\($0)\"")] } ?? [])),
        .systemLibrary(
            name: "CMosquitto", pkgConfig: "libmosquitto", providers: [.apt(["libmosquitto-dev", "libssl-dev"])]),
        .target(name: "CMosquittoGuard", dependencies: ["CMosquitto"]),
        .systemLibrary(name: "CPostgreSQL", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
        .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        .systemLibrary(name: "CSystemd", pkgConfig: "libsystemd", providers: [.apt(["libsystemd-dev"])]),
        .systemLibrary(name: "CUdev", pkgConfig: "libudev", providers: [.apt(["libudev-dev"])]),
        .systemLibrary(name: "CYAML", pkgConfig: "yaml-0.1", providers: [.apt(["libyaml-dev"])]),

        // Pure. What a place hears, and what follows from it.
        pure("BeaconModel"),
        pure("Advertisement", ["BeaconModel"]),
        pure("HCI", ["BeaconModel"]),
        pure("Proximity", ["BeaconModel", product("RealModule", "swift-numerics")]),
        pure("ModuleDialogues", ["Advertisement", "BeaconModel"]),
        // What operators write and read: configuration files, durations, sizes, times, tables.
        pure("OperatorText", ["BeaconModel"]),
        pure(
            "Matching",
            [
                "BeaconModel", "OperatorText", "Proximity", product("HeapModule", "swift-collections"),
                product("RealModule", "swift-numerics"),
            ],
            resources: ["six-metre-five-minute", "two-metre-thirty", "en-v2", "cwa-1.15", "further"].map {
                .embedInCode("Policies/\($0).toml")
            }),
        pure("Attendance", ["BeaconModel", "Matching", "OperatorText"]),
        // The register of people: their files, and how they are found by name.
        pure("People", ["BeaconModel", "Matching", "OperatorText"]),
        // Pictures of test results and floors: their headers, what is left out of them, and what the text of results says.
        pure("ResultPictures", ["BeaconModel", "OperatorText"]),
        // Plans of floors: rooms, walls, doors, what is wrong with them, and their pictures.
        pure("FloorPlans", ["BeaconModel", "OperatorText"]),
        // Where subjects are, by what receivers at known places hear of them.
        pure("Localisation", ["BeaconModel", "FloorPlans", product("RealModule", "swift-numerics")]),
        // What crosses the wire: records, topics, signatures, and the documents that promise them.
        pure(
            "RecordContract", ["BeaconModel", product("Crypto", "swift-crypto")],
            resources: [
                "asyncapi.yaml", "Schemas/command.schema.json", "Schemas/configuration.schema.json",
                "Schemas/health.schema.json",
                "Schemas/info.schema.json", "Schemas/interaction.schema.json", "Schemas/local-status.schema.json",
                "Schemas/module-event.schema.json",
                "Schemas/module-state.schema.json", "Schemas/presence.schema.json", "Schemas/readings.schema.json",
                "Schemas/reply.schema.json", "Schemas/signals.schema.json", "Schemas/social-distance.schema.json",
                "Schemas/status.schema.json", "Schemas/stored.schema.json",
            ].map { .embedInCode($0) }),
        // What gateways and phones have told, how much of it is believed, and who was near whom by it.
        pure("Evidence", ["BeaconModel", "Localisation", "Matching", "OperatorText", "RecordContract"]),
        // What the file of a backup of a matcher's store says about itself.
        pure("Backups", ["RecordContract", product("Crypto", "swift-crypto")]),
        // What other people's programs are told: Home Assistant, mqtt_room, Homie, raddec.
        pure(
            "Integrations",
            ["Advertisement", "BeaconModel", "RecordContract", product("Crypto", "swift-crypto")]),
        // What is published when, what waits, and what is given up first.
        pure(
            "Publishing",
            [
                "BeaconModel", "OperatorText", "RecordContract", product("DequeModule", "swift-collections"),
                product("HeapModule", "swift-collections"),
            ]),

        // An RS9116 and an HM-10 as their manuals have them. They don't know the drivers.
        pure("ModuleEmulator", ["BeaconModel"]),
        // Whether a program receives, stores and delivers, and what its service manager is told of it.
        pure("Watching", ["OperatorText"]),
        // Metrics: their names and help, and the text formats that programs answer `/metrics` with.
        pure("Exposition", ["OperatorText", "Publishing"]),
        // The gateway's decisions: configuration, inventory, what becomes of what is heard, commands.
        pure(
            "GatewayCore",
            [
                "Advertisement", "BeaconModel", "Exposition", "HCI", "Integrations", "ModuleDialogues", "OperatorText",
                "Proximity", "Publishing", "RecordContract", "Watching", product("DequeModule", "swift-collections"),
            ]),
        // The questions of `setup`, the rules for answers, and what is written after them.
        pure("Setup", ["BeaconModel", "ModuleDialogues", "OperatorText", "Publishing", "RecordContract"]),
        // Gateways' configurations in one directory: what is sent to which, and in which order.
        pure(
            "Rollout",
            ["BeaconModel", "GatewayCore", "OperatorText", "Publishing", "RecordContract", "Setup"]),
        // What is found out about radios, places and phones: doctor, calibration, field tests, recordings.
        pure(
            "Diagnostics",
            [
                "BeaconModel", "GatewayCore", "HCI", "ModuleDialogues", "OperatorText", "Proximity", "Publishing",
                "RecordContract", product("Crypto", "swift-crypto"), product("RealModule", "swift-numerics"),
            ]),

        // The matcher's decisions: reports, notices, phones, lists of positives, occupancy, and what is said of exposures.
        pure(
            "MatcherCore",
            [
                "Attendance", "BeaconModel", "Evidence", "Exposition", "FloorPlans", "Localisation", "Matching",
                "OperatorText", "People", "RecordContract", "Watching", product("RealModule", "swift-numerics"),
                product("Crypto", "swift-crypto"), product("CryptoExtras", "swift-crypto"),
                product("HTTPTypes", "swift-http-types"), product("JWTKit", "jwt-kit"),
            ]),

        // Who signs in on the page, with which roles, and for how long.
        pure(
            "SignIn",
            ["OperatorText", product("Crypto", "swift-crypto"), product("CryptoExtras", "swift-crypto")]),
        // The page: who can ask for what, the forms that are sent, and the HTML of the answers.
        pure(
            "Pages",
            [
                "OperatorText", "SignIn", product("Crypto", "swift-crypto"),
                product("HTTPTypes", "swift-http-types"), product("Mustache", "swift-mustache"),
            ],
            resources: [
                "layout", "message", "confirm", "sign-in", "link", "overview", "reports", "report", "new-report",
                "exposures", "policy", "send", "letters", "people", "person", "pending-people", "lectures", "lecture",
                "timeline", "timetable", "corrections", "result", "codes", "floors", "floor", "matrix", "surveys",
                "plan", "new-floor", "found-floors", "gateways", "coverage", "gateway", "reset", "places", "sure",
                "enrolment",
                "audit",
                "sessions", "me", "questionnaire", "check-in", "my-data", "self-report", "about",
            ].map { .embedInCode("Templates/\($0).mustache") }
                + [
                    "style.css", "page.js", "floor.js", "plan.js", "me.js", "worker.js", "icon.svg",
                    "icon-maskable.svg",
                ].map { .embedInCode("Assets/\($0)") }),

        // I/O.
        io("SystemIO", ["BeaconModel", "CLinux"]),
        // The service manager that starts a program, and its journal, by libsystemd.
        io("ServiceManager", ["CSystemd", "SystemIO", "Watching"]),
        // Calendar files and the zones of the system, by libical.
        io("Timetables", ["Attendance", "CIcal", "OperatorText"]),
        // Floor plans of other programs, whose YAML is read by libyaml.
        io("PlanImport", ["CYAML", "FloorPlans", "OperatorText"]),
        // Pictures of test results, which tesseract and zbarimg read in a sandbox.
        io("PictureReading", ["BeaconModel", "OperatorText", "ResultPictures", "SystemIO"]),
        // HTTP and SMTP, by libcurl.
        io("HTTPClient", ["BeaconModel", "CCurl", "SystemIO"]),
        io("BlueZScanner", ["BeaconModel", "CBluetooth", "CDBus", "CLinux", "HCI", "SystemIO"]),
        io("UARTConfig", ["BeaconModel", "CUdev", "ModuleDialogues", "SystemIO"]),
        // Emulated modules on pseudo-terminals.
        io("EmulatedModules", ["BeaconModel", "ModuleEmulator", "SystemIO"]),
        // Records on disk until a broker has them.
        io(
            "RecordOutbox",
            [
                "BeaconModel", "CSQLite", "Publishing", "RecordContract", "SystemIO", product("GRDB", "GRDB.swift"),
                product("Logging", "swift-log"),
            ]),
        io(
            "MQTTBridge",
            [
                "BeaconModel", "CMosquitto", "CMosquittoGuard", "Publishing", "RecordContract", "RecordOutbox",
                "SystemIO", product("Logging", "swift-log"),
            ]),
        io(
            "InteractionStore",
            [
                "Attendance", "Backups", "BeaconModel", "CLinux", "CPostgreSQL", "CSQLite", "Evidence", "FloorPlans",
                "Localisation", "Matching", "OperatorText", "People", "RecordContract", "SignIn",
                "SystemIO",
                product("Crypto", "swift-crypto"), product("GRDB", "GRDB.swift"),
            ]),

        // What the programs' commands have in common.
        kit(
            "CommandSupport",
            [
                "BeaconModel", "CBuildInfo", "MQTTBridge", "OperatorText", "Publishing", "ServiceManager", "Setup",
                "SystemIO",
                "Watching",
                product("ArgumentParser", "swift-argument-parser"), product("Logging", "swift-log"),
                product("ServiceLifecycle", "swift-service-lifecycle"),
                product("UnixSignals", "swift-service-lifecycle"),
            ]),

        // An HTTP server within limits, at an address or a Unix socket.
        kit(
            "HTTPServing",
            [
                "BeaconModel", "OperatorText", "SystemIO", product("HTTPTypes", "swift-http-types"),
                product("Hummingbird", "hummingbird"), product("HummingbirdCore", "hummingbird"),
                product("Logging", "swift-log"), product("NIOCore", "swift-nio"),
                product("NIOHTTPTypes", "swift-nio-extras"), product("ServiceLifecycle", "swift-service-lifecycle"),
            ]),

        // Meters of swift-metrics, and the answers of `/metrics` and `/healthz`.
        kit(
            "Metering",
            [
                "Exposition", "HTTPServing", "RecordContract", "SystemIO", "Watching",
                product("CoreMetrics", "swift-metrics"), product("HTTPTypes", "swift-http-types"),
                product("Logging", "swift-log"),
            ]),

        // The services of `beacon-gateway run`.
        kit(
            "GatewayDaemon",
            [
                "Advertisement", "BeaconModel", "BlueZScanner", "CommandSupport", "Exposition", "GatewayCore", "HCI",
                "HTTPServing", "Integrations", "MQTTBridge", "Metering", "ModuleDialogues", "OperatorText",
                "Proximity", "Publishing", "RecordContract", "RecordOutbox", "SystemIO", "UARTConfig", "Watching",
                product("AsyncAlgorithms", "swift-async-algorithms"),
                product("DequeModule", "swift-collections"), product("Logging", "swift-log"),
                product("ServiceLifecycle", "swift-service-lifecycle"),
                product("UnixSignals", "swift-service-lifecycle"),
            ]),
        app(
            "Gateway",
            [
                "Advertisement", "BeaconModel", "BlueZScanner", "CLinux", "CommandSupport", "Diagnostics",
                "EmulatedModules", "GatewayCore", "GatewayDaemon", "HCI", "HTTPClient", "MQTTBridge",
                "ModuleDialogues", "ModuleEmulator", "OperatorText", "Proximity", "Publishing", "RecordContract",
                "RecordOutbox", "Rollout", "Setup",
                "SystemIO", "UARTConfig", product("ArgumentParser", "swift-argument-parser"),
                product("Logging", "swift-log"), product("RealModule", "swift-numerics"),
                product("ServiceLifecycle", "swift-service-lifecycle"),
                product("UnixSignals", "swift-service-lifecycle"),
            ]),

        // The services of `beacon-matcher run`: what is stored, answered and told.
        kit(
            "MatcherDaemon",
            [
                "Attendance", "BeaconModel", "CommandSupport", "Evidence", "Exposition", "FloorPlans", "HTTPClient",
                "HTTPServing", "InteractionStore", "Localisation", "MQTTBridge", "MatcherCore", "Matching", "Metering",
                "OperatorText", "Pages", "People", "PictureReading", "PlanImport", "Publishing", "RecordContract",
                "RecordOutbox",
                "ResultPictures", "SignIn", "SystemIO", "Timetables", "Watching",
                product("Crypto", "swift-crypto"), product("HTTPTypes", "swift-http-types"),
                product("Hummingbird", "hummingbird"), product("JWTKit", "jwt-kit"), product("Logging", "swift-log"),
                product("NIOCore", "swift-nio"), product("ServiceLifecycle", "swift-service-lifecycle"),
                product("UnixSignals", "swift-service-lifecycle"),
            ], resources: [.embedInCode("API/openapi.json")]),
        app(
            "Matcher",
            [
                "Attendance", "Backups", "BeaconModel", "CommandSupport", "Evidence", "FloorPlans", "HTTPClient",
                "InteractionStore",
                "Localisation", "MatcherCore", "MatcherDaemon", "Matching", "OperatorText", "People",
                "PictureReading", "PlanImport", "Publishing", "RecordContract", "ResultPictures", "Setup", "SignIn",
                "SystemIO", product("ArgumentParser", "swift-argument-parser"), product("Crypto", "swift-crypto"),
                product("Logging", "swift-log"), product("UnixSignals", "swift-service-lifecycle"),
            ]),

        // What has to hold of each parser for any input; for simulations and libFuzzer.
        .target(
            name: "ParserChecks",
            dependencies: [
                "Advertisement", "BeaconModel", "BlueZScanner", "CLinux", "Diagnostics", "FloorPlans", "HCI",
                "OperatorText", "Pages", "People", "PlanImport", "ResultPictures", "SystemIO",
            ], path: "Tests/ParserChecks",
            swiftSettings: computing + instrumentation),

        // Tests, and what they share. TestValues: random numbers, the scale, files of this repository. TestSupport: programs,
        // brokers, databases, networks that fail.
        .target(name: "TestValues", path: "Tests/TestValues", swiftSettings: computing),
        .target(
            name: "TestSupport",
            dependencies: ["BeaconModel", "CLinux", "CSQLite", "HTTPClient", "SystemIO", "TestValues"],
            path: "Tests/TestSupport", swiftSettings: strict),
        // Records that say who they are, and a process that publishes them and can be killed.
        .target(
            name: "SyntheticRecords", dependencies: ["RecordContract"], path: "Tests/SyntheticRecords",
            swiftSettings: strict),
        .executableTarget(
            name: "PublisherProbe",
            dependencies: [
                "BeaconModel", "MQTTBridge", "Publishing", "RecordContract", "RecordOutbox", "SyntheticRecords",
                "SystemIO", product("ArgumentParser", "swift-argument-parser"), product("Logging", "swift-log"),
            ],
            path: "Tests/PublisherProbe", swiftSettings: strict),

        valueTests("BeaconModel", ["BeaconModel"]),
        valueTests("Advertisement", ["Advertisement", "BeaconModel"]),
        valueTests(
            "SignIn", ["SignIn", product("Crypto", "swift-crypto"), product("CryptoExtras", "swift-crypto")]),
        valueTests("Pages", ["FloorPlans", "Pages", "SignIn", product("HTTPTypes", "swift-http-types")]),
        valueTests("Proximity", ["BeaconModel", "Proximity"]),
        valueTests("OperatorText", ["OperatorText"]),
        valueTests(
            "Setup",
            ["BeaconModel", "Diagnostics", "DiagnosticsTests", "HCI", "ModuleDialogues", "OperatorText", "Setup"]),
        valueTests(
            "Rollout",
            ["BeaconModel", "GatewayCore", "OperatorText", "Publishing", "RecordContract", "Rollout"]),
        valueTests("FloorPlans", ["BeaconModel", "FloorPlans", "OperatorText", "PlanImport"], exclude: ["Golden"]),
        valueTests("Localisation", ["FloorPlans", "Localisation"]),
        valueTests("Matching", ["Matching", "OperatorText"]),
        valueTests("Attendance", ["Attendance", "Matching", "OperatorText", "Timetables"]),
        valueTests("ResultPictures", ["BeaconModel", "OperatorText", "ResultPictures"]),
        valueTests("People", ["Matching", "OperatorText", "People"]),
        valueTests("Watching", ["Watching"]),
        valueTests("Exposition", ["Exposition", "OperatorText", "Publishing"]),
        valueTests("Metering", ["Exposition", "Metering", "Watching", product("CoreMetrics", "swift-metrics")]),
        valueTests(
            "CommandSupport",
            [
                "BeaconModel", "CommandSupport", "OperatorText", "Publishing", "SystemIO", "Watching",
                product("Logging", "swift-log"),
            ]),
        valueTests(
            "HTTPServing",
            [
                "HTTPServing", product("HTTPTypes", "swift-http-types"), product("NIOCore", "swift-nio"),
                product("NIOEmbedded", "swift-nio"), product("NIOHTTPTypes", "swift-nio-extras"),
            ]),
        valueTests("HCI", ["Advertisement", "BeaconModel", "BlueZScanner", "CDBus", "HCI", "SystemIO"]),
        valueTests("ModuleEmulator", ["BeaconModel", "ModuleEmulator"]),
        valueTests(
            "ModuleDialogues",
            ["Advertisement", "BeaconModel", "ModuleDialogues", "ModuleEmulator"]),
        valueTests("RecordContract", ["BeaconModel", "ModuleEmulator", "RecordContract"]),
        valueTests(
            "Evidence",
            ["BeaconModel", "Evidence", "FloorPlans", "Localisation", "Matching", "RecordContract"]),
        valueTests(
            "Integrations",
            [
                "Advertisement", "BeaconModel", "Integrations", "ModuleEmulator", "RecordContract",
                "RecordContractTests",
            ],
            exclude: ["Golden"]),
        valueTests("Publishing", ["BeaconModel", "Publishing", "RecordContract", "RecordContractTests"]),
        valueTests(
            "RecordOutbox",
            ["Publishing", "RecordContract", "RecordOutbox", "SystemIO", product("Logging", "swift-log")]),
        valueTests(
            "MQTTBridge",
            [
                "BeaconModel", "CMosquitto", "MQTTBridge", "Publishing", "RecordContractTests", "RecordOutboxTests",
                product("Logging", "swift-log"),
            ]),
        valueTests("Backups", ["Backups"]),
        valueTests("InteractionStore", ["InteractionStore", "Matching"]),
        valueTests(
            "GatewayCore",
            [
                "Advertisement", "BeaconModel", "Exposition", "GatewayCore", "HCI", "Integrations", "ModuleDialogues",
                "OperatorText", "Proximity", "Publishing", "RecordContract", "SystemIO", "Watching",
            ],
            exclude: ["Inventories"]),
        valueTests(
            "Diagnostics",
            [
                "Advertisement", "BeaconModel", "Diagnostics", "GatewayCore", "GatewayCoreTests", "HCI", "MQTTBridge",
                "OperatorText",
                "Proximity", "Publishing", "RecordContract",
            ]),
        valueTests(
            "Gateway",
            [
                "Advertisement", "BeaconModel", "FloorPlans", "Gateway", "GatewayCore", "GatewayCoreTests", "HCI",
                "ModuleDialogues", "ModuleEmulator", "OperatorText", "Proximity", "Publishing", "RecordContract",
            ],
            exclude: ["Golden"]),
        valueTests(
            "MatcherCore",
            [
                "BeaconModel", "Evidence", "Exposition", "FloorPlans", "GatewayCore", "Localisation", "MatcherCore",
                "Matching", "OperatorText", "RecordContract", "Watching", product("RealModule", "swift-numerics"),
            ]),
        valueTests(
            "Matcher",
            [
                "Attendance", "BeaconModel", "Evidence", "FloorPlans", "HTTPServing", "InteractionStore",
                "Localisation", "Matcher", "MatcherCore", "MatcherDaemon",
                "Matching", "OperatorText", "Pages", "Publishing", "RecordContract", "SignIn", "Timetables",
                product("HTTPTypes", "swift-http-types"), product("Hummingbird", "hummingbird"),
                product("JWTKit", "jwt-kit"), product("NIOCore", "swift-nio"),
            ],
            exclude: ["Floors", "Lectures"]),

        // Everything that parses what others send or wrote, with the inputs of Fuzz/.
        simulationTests(
            "Corpus", ["BeaconModel", "ParserChecks"]),
        simulationTests(
            "ModuleDialogues",
            ["Advertisement", "BeaconModel", "ModuleDialogues", "ModuleDialoguesTests", "ModuleEmulator"]),
        simulationTests("Localisation", ["FloorPlans", "Localisation"]),
        simulationTests("Rollout", ["BeaconModel", "RecordContract", "Rollout"]),
        simulationTests("MQTTBridge", ["BeaconModel", "Publishing", "RecordContract"]),

        integrationTests("Rollout", ["BeaconModel", "OperatorText", "RecordContract", "Rollout"]),
        integrationTests("HTTPClient", ["BeaconModel", "HTTPClient"]),
        integrationTests("PictureReading", ["BeaconModel", "CLinux", "PictureReading", "ResultPictures"]),
        integrationTests(
            "BlueZScanner",
            ["Advertisement", "BeaconModel", "BlueZScanner", "HCI", "HCITests", "ServiceManager"]),
        integrationTests(
            "ModuleEmulator", ["BeaconModel", "EmulatedModules", "ModuleEmulator", "ModuleEmulatorTests"]),
        integrationTests(
            "UARTConfig",
            [
                "Advertisement", "BeaconModel", "EmulatedModules", "ModuleDialogues", "ModuleDialoguesTests",
                "ModuleEmulator", "UARTConfig",
            ]),
        integrationTests(
            "MQTTBridge",
            [
                "BeaconModel", "MQTTBridge", "Publishing", "PublishingTests", "RecordContract", "RecordContractTests",
                "RecordOutbox", "RecordOutboxTests", product("Logging", "swift-log"),
            ]),
        integrationTests(
            "InteractionStore",
            [
                "Attendance", "Backups", "BeaconModel", "CSQLite", "Evidence", "EvidenceTests", "FloorPlans",
                "InteractionStore", "Localisation", "Matching", "People", "RecordContract", "SignIn",
            ]),
        integrationTests(
            "Gateway",
            [
                "Advertisement", "BeaconModel", "BlueZScanner", "Diagnostics", "EmulatedModules", "Gateway",
                "GatewayCore", "GatewayCoreTests", "GatewayDaemon", "HCI", "HTTPClient", "Integrations", "MQTTBridge",
                "ModuleDialogues", "ModuleEmulator", "OperatorText", "Proximity", "Publishing", "RecordContract",
                "RecordOutbox", "UARTConfig", product("Logging", "swift-log"),
                product("ServiceLifecycle", "swift-service-lifecycle"),
            ],
            exclude: ["Evaluate"]),
        integrationTests(
            "Matcher",
            [
                "Attendance", "Backups", "BeaconModel", "CommandSupport", "Evidence", "FloorPlans", "GatewayCore",
                "HTTPClient", "HTTPServing", "InteractionStore", "Localisation",
                "MQTTBridge", "Matcher", "MatcherCore", "MatcherDaemon", "Matching", "OperatorText", "Pages",
                "People", "PictureReading", "Publishing", "RecordContract", "RecordOutbox", "RecordOutboxTests",
                "ResultPictures", "SignIn",
                product("Crypto", "swift-crypto"),
                product("HTTPTypes", "swift-http-types"), product("Hummingbird", "hummingbird"),
                product("JWTKit", "jwt-kit"), product("Logging", "swift-log"), product("NIOCore", "swift-nio"),
                product("NIOEmbedded", "swift-nio"), product("ServiceLifecycle", "swift-service-lifecycle"),
            ]),

        deliveryTests(
            "MQTTBridge",
            [
                "BeaconModel", "MQTTBridge", "PublisherProbe", "Publishing", "PublishingTests", "RecordContract",
                "RecordOutbox", "RecordOutboxTests", "SyntheticRecords", product("Logging", "swift-log"),
            ]),
        deliveryTests(
            "Matcher",
            [
                "BeaconModel", "Evidence", "HTTPClient", "InteractionStore", "MQTTBridge", "MatcherCore",
                "MatcherIntegrationTests",
                "Matching", "OperatorText", "Publishing", "RecordContract", "RecordOutbox",
                product("JWTKit", "jwt-kit"), product("Logging", "swift-log"),
            ]),
        clusterTests(
            "MQTTBridge",
            [
                "BeaconModel", "MQTTBridge", "MQTTBridgeDeliveryTests", "PublisherProbe", "Publishing",
                "RecordContract", "RecordOutbox", "RecordOutboxTests", "SyntheticRecords",
                product("Logging", "swift-log"),
            ]),

        // A controller for /dev/vhci, and the virtual machine in which it and the gateway run.
        .executableTarget(
            name: "VirtualController", path: "Tests/VirtualRadio/VirtualController", swiftSettings: strict),
        valueTests("VirtualController", ["VirtualController"]),
        // Connects to phones of that controller.
        .executableTarget(
            name: "ExchangeProbe", dependencies: ["BeaconModel", "BlueZScanner", "HCI", "SystemIO"],
            path: "Tests/VirtualRadio/ExchangeProbe", swiftSettings: strict),
        .testTarget(
            name: "VirtualRadioTests",
            dependencies: [
                "BeaconModel", "ExchangeProbe", "SystemIO", "TestSupport", "TestValues", "VirtualController",
            ],
            path: "Tests/VirtualRadio/VirtualRadioTests", swiftSettings: strict),
    ]
        + (extras == "fuzz" ? fuzzers : []) + (extras == "benchmarks" ? benchmarks : [])
)
